#include <functional>
#include <optional>
#include <utility>

#include "codec/pod.h"
#include "test/bench/fill/fill.h"

namespace batholith::bench {
namespace {

constexpr const char* kApp = "app";

std::optional<LabelSelector> Selects(const std::string& app) {
  return LabelSelector{{{kApp, Requirement::Op::kIn, {app}}}};
}

PodAffinityTerm Term(const std::string& app, const char* topology_key, std::int32_t weight = 0) {
  PodAffinityTerm term;
  term.selector = Selects(app);
  term.topology_key = topology_key;
  term.weight = weight;
  return term;
}

TopologySpread Level(const std::string& app, const char* topology_key, bool hard,
                     std::int32_t max_skew = 1) {
  TopologySpread spread;
  spread.max_skew = max_skew;
  spread.topology_key = topology_key;
  spread.hard = hard;
  spread.selector = Selects(app);
  return spread;
}

// Pods of all jobs have one label and one constraint, those that run too.
void AddAlike(ClusterMaker& maker, const Sizes& sizes,
              const std::function<void(PodConstraints&)>& constrain) {
  AddGround(maker, sizes, 0);
  PodConstraints constraints;
  constrain(constraints);
  ConstraintTable table;
  const auto shared = table.Intern(std::move(constraints));
  for (const bool running : {true, false}) {
    Batch batch = Jobs(maker, sizes, running ? "run" : "job", running ? sizes.running : sizes.pods);
    batch.running = running;
    batch.adorn = [&shared](std::size_t, std::size_t, PodRecord& pod) {
      pod.meta.labels[kApp] = "a";
      pod.constraints = shared;
    };
    maker.AddBatch(batch);
  }
}

}  // namespace

// Jobs in turn: one wants to stand in a zone together with the other such jobs, the next wants a
// node of its own for each of its pods.
void Affinity(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, sizes.running);
  Batch batch = Jobs(maker, sizes, "job", sizes.pods);
  ConstraintTable table;
  batch.adorn = [&table](std::size_t job, std::size_t, PodRecord& pod) {
    const bool together = job % 2 == 0;
    const std::string app = together ? "together" : "apart-" + std::to_string(job);
    pod.meta.labels[kApp] = app;
    PodConstraints constraints;
    (together ? constraints.required_affinity : constraints.required_anti_affinity)
        .push_back(Term(app, together ? kZone : kHost));
    pod.constraints = table.Intern(std::move(constraints));
  };
  maker.AddBatch(batch);
}

// Jobs in turn: one must be level over the zones, the next would like to be level over the nodes.
void Spread(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, sizes.running);
  Batch batch = Jobs(maker, sizes, "job", sizes.pods);
  ConstraintTable table;
  batch.adorn = [&table](std::size_t job, std::size_t, PodRecord& pod) {
    const bool hard = job % 2 == 0;
    const std::string app = hard ? "zones" : "nodes";
    pod.meta.labels[kApp] = app;
    PodConstraints constraints;
    constraints.topology_spread.push_back(Level(app, hard ? kZone : kHost, hard));
    pod.constraints = table.Intern(std::move(constraints));
  };
  maker.AddBatch(batch);
}

void RequiredAffinity(ClusterMaker& maker, const Sizes& sizes) {
  AddAlike(maker, sizes, [](PodConstraints& c) { c.required_affinity = {Term("a", kZone)}; });
}

void RequiredAntiAffinity(ClusterMaker& maker, const Sizes& sizes) {
  AddAlike(maker, sizes, [](PodConstraints& c) { c.required_anti_affinity = {Term("a", kHost)}; });
}

void PreferredAffinity(ClusterMaker& maker, const Sizes& sizes) {
  AddAlike(maker, sizes, [](PodConstraints& c) { c.preferred_affinity = {Term("a", kHost, 1)}; });
}

void PreferredAntiAffinity(ClusterMaker& maker, const Sizes& sizes) {
  AddAlike(maker, sizes,
           [](PodConstraints& c) { c.preferred_anti_affinity = {Term("a", kHost, 1)}; });
}

void NodeAffinity(ClusterMaker& maker, const Sizes& sizes) {
  AddAlike(maker, sizes, [](PodConstraints& c) {
    c.has_required_node_affinity = true;
    c.required_node_terms = {{{{kZone, Requirement::Op::kIn, {"zone-0", "zone-1"}}}, {}}};
  });
}

void RequiredSpread(ClusterMaker& maker, const Sizes& sizes) {
  AddAlike(maker, sizes,
           [](PodConstraints& c) { c.topology_spread = {Level("a", kZone, /*hard=*/true, 5)}; });
}

void PreferredSpread(ClusterMaker& maker, const Sizes& sizes) {
  AddAlike(maker, sizes,
           [](PodConstraints& c) { c.topology_spread = {Level("a", kZone, /*hard=*/false, 5)}; });
}

}  // namespace batholith::bench
