#include "framework/region_chooser.h"

#include <algorithm>

namespace batholith {

struct RegionChooser::ClassState {
  bool cluster = false;  // what a node says depends on others too: nothing is kept
  struct Asked {
    std::size_t resource = 0;
    std::int64_t amount = 0;
  };
  std::vector<Asked> asked;
  bool guarded = false;
  NodeChecks* checks = nullptr;  // set, and refreshed, when it is asked for a node
  std::uint32_t region = UINT32_MAX;
  std::size_t cursor = 0;      // into the session's log of touched nodes
  std::vector<Place> places;   // by place in the region
  std::vector<double> scores;  // the same
};

RegionChooser::RegionChooser(Session& session, NodeChooser::Fit fit)
    : session_(session), fit_(fit), classes_(session.classes().size()) {}

RegionChooser::~RegionChooser() = default;

RegionChooser::ClassState& RegionChooser::StateOf(TaskIndex task) {
  std::unique_ptr<ClassState>& c = classes_[session_.classes().Of(task).value()];
  if (c != nullptr) return *c;
  c = std::make_unique<ClassState>();
  c->cluster = session_.chains().DependenceOf(task) == Dependence::kCluster;
  c->guarded = !session_.slack_guard().MayUse(task);
  const bool slot_only = fit_ == NodeChooser::Fit::kSlotOnly;
  for (std::size_t r = 0; r < session_.snapshot().schema.size(); ++r) {
    const std::int64_t amount = session_.snapshot().task(task).request[r];
    if (amount > 0 && (!slot_only || r == ResourceSchema::kPods)) c->asked.push_back({r, amount});
  }
  return *c;
}

Place RegionChooser::PlaceOn(const ClassState& c, TaskIndex /*task*/, NodeIndex node) const {
  const SessionState& state = session_.state();
  const ResourceVector* held = c.guarded ? &session_.slack_guard().Held(node) : nullptr;
  const auto fits = [&](const ResourceRow& room) {
    return std::ranges::all_of(c.asked, [&](const ClassState::Asked& asked) {
      const std::size_t r = asked.resource;
      const std::int64_t left =
          held == nullptr ? room[r] : ResourceVector::SubSaturating(room[r], (*held)[r]);
      return asked.amount <= left;
    });
  };
  const bool now = fits(state.idle(node));
  if (now && c.checks->Check(node).ok()) return Place::kNow;
  if (fit_ == NodeChooser::Fit::kSlotOnly || !fits(state.future_idle(node))) return Place::kNone;
  if (now && !c.checks->LeavingMatter()) return Place::kNone;
  return c.checks->CheckReserved(node).ok() ? Place::kReserved : Place::kNone;
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
    std::ranges::sort(stale_);
    const auto again = std::ranges::unique(stale_);
    stale_.erase(again.begin(), again.end());
  }
  c.region = region.id;
  c.cursor = touched.size();
}

void RegionChooser::JudgeAt(ClassState& c, TaskIndex task, const Region& region,
                            std::span<const std::size_t> at) {
  nodes_.clear();
  std::vector<std::size_t>& kept = stale_;
  std::size_t count = 0;
  for (const std::size_t i : at) {
    c.places[i] = PlaceOn(c, task, region.nodes[i]);
    if (c.places[i] == Place::kNone) continue;
    kept[count++] = i;
    nodes_.push_back(region.nodes[i]);
  }
  scores_.assign(nodes_.size(), 0);
  session_.chains().Score(task, nodes_, scores_);
  for (std::size_t k = 0; k < count; ++k) c.scores[kept[k]] = scores_[k];
}

void RegionChooser::Refresh(ClassState& c, TaskIndex task, const Region& region) {
  c.checks = &session_.checks().Of(task);
  CollectStale(c, region);
  if (!stale_.empty()) JudgeAt(c, task, region, stale_);
}

NodeChoice RegionChooser::Best(TaskIndex task, const Region& region, NodeBonus* bonus) {
  const TaskFacts& facts = session_.snapshot().task(task);
  if (facts.unserved) return {};
  ClassState& c = StateOf(task);
  Refresh(c, task, region);
  if (session_.options().trace) Trace(c, task, region, bonus);
  const auto nominated = std::ranges::find(region.nodes, facts.nominated);
  if (!facts.nominated.is_none() && nominated != region.nodes.end()) {
    const Place place = c.places[static_cast<std::size_t>(nominated - region.nodes.begin())];
    if (place != Place::kNone) return {facts.nominated, place == Place::kNow};
  }
  const Place best = c.places.empty() ? Place::kNone : std::ranges::max(c.places);
  if (best == Place::kNone) return {};
  nodes_.clear();
  scores_.clear();
  for (std::size_t i = 0; i < region.nodes.size(); ++i) {
    if (c.places[i] != best) continue;
    nodes_.push_back(region.nodes[i]);
    scores_.push_back(c.scores[i]);
  }
  if (bonus != nullptr) bonus->Add(nodes_, scores_);
  std::size_t first = 0;
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    if (scores_[i] > scores_[first] || (scores_[i] == scores_[first] && nodes_[i] < nodes_[first]))
      first = i;
  }
  return {nodes_[first], best == Place::kNow};
}

void RegionChooser::Trace(ClassState& c, TaskIndex task, const Region& region, NodeBonus* bonus) {
  if (!session_.attempts().MarkTraced(task)) return;
  nodes_.clear();
  scores_.clear();
  for (std::size_t i = 0; i < region.nodes.size(); ++i) {
    if (c.places[i] == Place::kNone) continue;
    nodes_.push_back(region.nodes[i]);
    scores_.push_back(c.scores[i]);
  }
  if (bonus != nullptr) bonus->Add(nodes_, scores_);
  PlacementTrace trace;
  trace.pod = session_.snapshot().task(task).record->meta.Key();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::string& name = session_.snapshot().node(nodes_[i]).record->meta.name;
    trace.feasible.push_back(name);
    trace.scores[name] = scores_[i];
  }
  session_.result().traces.push_back(std::move(trace));
}

}  // namespace batholith
