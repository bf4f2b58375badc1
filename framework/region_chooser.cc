#include "framework/region_chooser.h"

#include <algorithm>

#include "api/sort_unique.h"

namespace batholith {

struct RegionChooser::ClassState {
  ClassState(const Session& session, TaskIndex task, Fit fit)
      : cluster(session.chains().DependenceOf(task) == Dependence::kCluster),
        verdict(session, task, fit) {}
  bool cluster;  // what a node says depends on others too: nothing is kept
  NodeVerdict verdict;
  NodeChecks* checks = nullptr;  // set, and refreshed, when it is asked for a node
  std::uint32_t region = UINT32_MAX;
  std::size_t cursor = 0;      // into the session's log of touched nodes
  std::vector<Place> places;   // by place in the region
  std::vector<double> scores;  // the same
};

RegionChooser::RegionChooser(Session& session, Fit fit)
    : session_(session), fit_(fit), classes_(session.classes().size()) {}

RegionChooser::~RegionChooser() = default;

RegionChooser::ClassState& RegionChooser::StateOf(TaskIndex task) {
  std::unique_ptr<ClassState>& c = classes_[session_.classes().Of(task).value()];
  if (c == nullptr) c = std::make_unique<ClassState>(session_, task, fit_);
  return *c;
}

// Places in the region whose nodes were touched since, or all of them.
void RegionChooser::CollectStale(ClassState& c, const Region& region) {
  const std::span<const NodeIndex> touched = session_.state().touched();
  stale_.clear();
  if (c.cluster || c.region != region.id || touched.size() - c.cursor > region.nodes.size()) {
    c.places.assign(region.nodes.size(), Place::kNone);
    c.scores.assign(region.nodes.size(), 0);
    for (std::size_t i = 0; i < region.nodes.size(); ++i) stale_.push_back(i);
  } else {
    if (placed_region_ != region.id) {
      place_of_.resize(session_.snapshot().nodes.size());
      for (const NodeIndex node : placed_nodes_) place_of_[node.value()] = 0;
      placed_nodes_.assign(region.nodes.begin(), region.nodes.end());
      for (std::size_t i = 0; i < region.nodes.size(); ++i)
        place_of_[region.nodes[i].value()] = static_cast<std::uint32_t>(i + 1);
      placed_region_ = region.id;
    }
    for (const NodeIndex node : touched.subspan(c.cursor)) {
      if (place_of_[node.value()] != 0) stale_.push_back(place_of_[node.value()] - 1);
    }
    SortUnique(stale_);
  }
  c.region = region.id;
  c.cursor = touched.size();
}

void RegionChooser::JudgeStale(ClassState& c, TaskIndex task, const Region& region) {
  const bool leaving_matter = c.checks->LeavingMatter();
  nodes_.clear();
  std::size_t feasible = 0;  // of stale_, those at the front
  for (const std::size_t i : stale_) {
    c.places[i] = c.verdict.Of(*c.checks, leaving_matter, region.nodes[i]);
    if (c.places[i] == Place::kNone) continue;
    stale_[feasible++] = i;
    nodes_.push_back(region.nodes[i]);
  }
  scores_.assign(nodes_.size(), 0);
  session_.chains().Score(task, nodes_, scores_);
  for (std::size_t k = 0; k < feasible; ++k) c.scores[stale_[k]] = scores_[k];
}

void RegionChooser::Refresh(ClassState& c, TaskIndex task, const Region& region) {
  c.checks = &session_.checks().Of(task);
  CollectStale(c, region);
  if (!stale_.empty()) JudgeStale(c, task, region);
}

void RegionChooser::Gather(const ClassState& c, const Region& region, std::optional<Place> place,
                           NodeBonus* bonus) {
  nodes_.clear();
  scores_.clear();
  for (std::size_t i = 0; i < region.nodes.size(); ++i) {
    if (place ? c.places[i] != *place : c.places[i] == Place::kNone) continue;
    nodes_.push_back(region.nodes[i]);
    scores_.push_back(c.scores[i]);
  }
  if (bonus != nullptr) bonus->Add(nodes_, scores_);
}

NodeChoice RegionChooser::Best(TaskIndex task, const Region& region, NodeBonus* bonus) {
  const TaskFacts& facts = session_.snapshot().task(task);
  if (facts.unserved) return {};
  ClassState& c = StateOf(task);
  Refresh(c, task, region);
  if (session_.options().trace && session_.attempts().MarkTraced(task)) {
    Gather(c, region, std::nullopt, bonus);
    TracePlacement(session_, task, nodes_, scores_);
  }
  const auto nominated = std::ranges::find(region.nodes, facts.nominated);
  if (!facts.nominated.is_none() && nominated != region.nodes.end()) {
    const Place place = c.places[static_cast<std::size_t>(nominated - region.nodes.begin())];
    if (place != Place::kNone) return {facts.nominated, place == Place::kNow};
  }
  const Place best = c.places.empty() ? Place::kNone : std::ranges::max(c.places);
  if (best == Place::kNone) return {};
  Gather(c, region, best, bonus);
  std::size_t first = 0;
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    if (scores_[i] > scores_[first] || (scores_[i] == scores_[first] && nodes_[i] < nodes_[first]))
      first = i;
  }
  return {nodes_[first], best == Place::kNow};
}

}  // namespace batholith
