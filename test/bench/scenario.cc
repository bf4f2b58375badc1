#include "test/bench/scenario.h"

#include <algorithm>
#include <array>
#include <string>

#include "codec/pod.h"

namespace batholith::bench {
namespace {

constexpr std::int64_t kNodeCpu = 32'000;
constexpr std::int64_t kNodeMemory = std::int64_t{128} << 30;
constexpr std::int64_t kGpusOfNode = 8;
constexpr const char* kGpu = "nvidia.com/gpu";
constexpr const char* kHost = "kubernetes.io/hostname";
constexpr const char* kZone = "topology.kubernetes.io/zone";
constexpr const char* kApp = "app";

// Jobs of the usual kind in every queue.
Batch Jobs(ClusterMaker& maker, const Sizes& sizes, std::string prefix, std::size_t pods) {
  Batch batch;
  batch.prefix = std::move(prefix);
  batch.pods = pods;
  batch.gang = sizes.gang;
  batch.min_resources = true;
  batch.queues = sizes.queues;
  batch.request = [&maker](std::size_t) { return maker.DrawRequest(); };
  return batch;
}

void AddGround(ClusterMaker& maker, const Sizes& sizes, std::size_t queues, std::size_t running) {
  maker.AddQueues(queues);
  maker.AddNamespaces();
  maker.AddQuotas();
  maker.AddNodes();
  Batch run = Jobs(maker, sizes, "run", running);
  run.running = true;
  maker.AddBatch(run);
}

void Place(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, sizes.queues, sizes.running);
  maker.AddBatch(Jobs(maker, sizes, "job", sizes.pods));
}

void Idle(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, sizes.queues, sizes.running + sizes.pods);
}

// Every pod asks for a little more than a whole node, so that only looking at the nodes tells.
void Hopeless(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, sizes.queues, sizes.running);
  Batch batch = Jobs(maker, sizes, "job", sizes.pods);
  batch.min_resources = false;
  batch.request = [&sizes](std::size_t job) {
    const auto more = static_cast<std::int64_t>(job % sizes.classes);
    return ResourceList{{"cpu", kNodeCpu + 10 * (more + 1)}, {"memory", kNodeMemory / 64}};
  };
  maker.AddBatch(batch);
}

Batch FullNodes(const Sizes& sizes, ResourceList request) {
  Batch run;
  run.prefix = "run";
  run.pods = sizes.running;
  run.gang = 10;
  run.whole = false;
  run.running = true;
  run.request = [request = std::move(request)](std::size_t) { return request; };
  return run;
}

void ShapeReclaim(Sizes& sizes) {
  sizes.queues = 2;
  sizes.running = 32 * sizes.nodes;
  sizes.pods = 16 * sizes.nodes;
}

void Reclaim(ClusterMaker& maker, const Sizes& sizes) {
  const ResourceList one{{"cpu", kNodeCpu / 32}, {"memory", kNodeMemory / 64}};
  AddGround(maker, sizes, sizes.queues, 0);
  maker.AddBatch(FullNodes(sizes, one));
  Batch ask = Jobs(maker, sizes, "job", sizes.pods);
  ask.min_resources = false;
  ask.first_queue = 1;
  ask.queues = 1;
  ask.request = [one](std::size_t) { return one; };
  maker.AddBatch(ask);
}

void ShapeReclaimLarge(Sizes& sizes) {
  sizes.queues = 2;
  sizes.running = static_cast<std::size_t>(kGpusOfNode) * sizes.nodes;
  sizes.pods = std::max<std::size_t>(sizes.nodes / 10, 1);
  sizes.gang = sizes.pods;
}

void ReclaimLarge(ClusterMaker& maker, const Sizes& sizes) {
  maker.AddQueues(sizes.queues);
  maker.AddNamespaces();
  maker.AddNodes(kGpusOfNode);
  maker.AddBatch(
      FullNodes(sizes, {{"cpu", kNodeCpu / 16}, {"memory", kNodeMemory / 16}, {kGpu, 1}}));
  Batch ask = Jobs(maker, sizes, "job", sizes.pods);
  ask.min_resources = false;
  ask.first_queue = 1;
  ask.queues = 1;
  ask.request = [](std::size_t) {
    return ResourceList{{"cpu", kNodeCpu / 2}, {"memory", kNodeMemory / 2}, {kGpu, kGpusOfNode}};
  };
  maker.AddBatch(ask);
}

void ShapePreempt(Sizes& sizes) {
  if (sizes.running == 0) sizes.running = 8 * sizes.nodes;
}

// Running pods share each node evenly, so that it is full; a preemptor needs the room of one of
// them.
void Preempt(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, sizes.queues, 0);
  maker.AddPriorityClass("high", 1000);
  const auto on_node = static_cast<std::int64_t>((sizes.running + sizes.nodes - 1) / sizes.nodes);
  Batch run =
      FullNodes(sizes, {{"cpu", kNodeCpu / on_node}, {"memory", kNodeMemory / 2 / on_node}});
  run.queues = sizes.queues;
  maker.AddBatch(run);
  Batch ask = Jobs(maker, sizes, "job", sizes.pods);
  ask.min_resources = false;
  ask.priority_class = "high";
  ask.request = [&sizes, on_node](std::size_t job) {
    const auto less = static_cast<std::int64_t>(job % sizes.classes);
    return ResourceList{{"cpu", kNodeCpu / on_node - less}, {"memory", kNodeMemory / 2 / on_node}};
  };
  maker.AddBatch(ask);
}

std::optional<LabelSelector> Selects(const std::string& app) {
  return LabelSelector{{{kApp, Requirement::Op::kIn, {app}}}};
}

// Jobs in turn: one wants to stand in a zone together with the other such jobs, the next wants a
// node of its own for each of its pods.
void Affinity(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, sizes.queues, sizes.running);
  Batch batch = Jobs(maker, sizes, "job", sizes.pods);
  ConstraintTable table;
  batch.adorn = [&table](std::size_t job, PodRecord& pod) {
    const bool together = job % 2 == 0;
    const std::string app = together ? "together" : "apart-" + std::to_string(job);
    pod.meta.labels[kApp] = app;
    PodConstraints constraints;
    PodAffinityTerm term;
    term.selector = Selects(app);
    term.topology_key = together ? kZone : kHost;
    (together ? constraints.required_affinity : constraints.required_anti_affinity).push_back(term);
    pod.constraints = table.Intern(std::move(constraints));
  };
  maker.AddBatch(batch);
}

// Jobs in turn: one must be level over the zones, the next would like to be level over the nodes.
void Spread(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, sizes.queues, sizes.running);
  Batch batch = Jobs(maker, sizes, "job", sizes.pods);
  ConstraintTable table;
  batch.adorn = [&table](std::size_t job, PodRecord& pod) {
    const bool hard = job % 2 == 0;
    const std::string app = hard ? "zones" : "nodes";
    pod.meta.labels[kApp] = app;
    TopologySpread spread;
    spread.topology_key = hard ? kZone : kHost;
    spread.hard = hard;
    spread.selector = Selects(app);
    PodConstraints constraints;
    constraints.topology_spread.push_back(std::move(spread));
    pod.constraints = table.Intern(std::move(constraints));
  };
  maker.AddBatch(batch);
}

constexpr std::array<Scenario, 12> kScenarios{{
    {"place", "all pods pending at once", Course::kSame, "", nullptr, Place},
    {"idle", "nothing to do: all pods run", Course::kSame, "", nullptr, Idle},
    {"delta", "all pods run but --changes, which come while as many go", Course::kChanges, "",
     nullptr, Idle},
    {"hopeless", "pods that fit nowhere", Course::kSame, "", nullptr, Hopeless},
    {"arrive", "all pods run and one comes: seconds are its latency", Course::kChanges, "",
     [](Sizes& sizes) { sizes.changes = 1; }, Idle},
    {"reclaim", "a queue takes back half of full nodes, 32 pods each", Course::kSame,
     "enqueue, reclaim", ShapeReclaim, Reclaim},
    {"reclaimloop", "the same with allocate, until nothing moves", Course::kUntilIdle,
     "enqueue, allocate, backfill, reclaim", ShapeReclaim, Reclaim},
    {"reclaim-large", "8 one-GPU pods on each node, a job of N/10 pods of 8 GPUs", Course::kSame,
     "enqueue, reclaim", ShapeReclaimLarge, ReclaimLarge},
    {"preempt", "important pods on full nodes (8 running on each unless given)", Course::kSame,
     "enqueue, allocate, preempt", ShapePreempt, Preempt},
    {"affinity", "half with affinity to a zone, half with anti-affinity", Course::kSame, "",
     nullptr, Affinity},
    {"spread", "half must be level over zones, half would over nodes", Course::kSame, "", nullptr,
     Spread},
    {"trace", "nodes and pods of a trace", Course::kSame, "", nullptr, nullptr},
}};

}  // namespace

std::span<const Scenario> Scenarios() { return kScenarios; }

void AddArrivals(ClusterMaker& maker, const Sizes& sizes, std::size_t wave) {
  maker.AddBatch(Jobs(maker, sizes, "wave-" + std::to_string(wave), sizes.changes));
}

}  // namespace batholith::bench
