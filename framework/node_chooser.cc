#include "framework/node_chooser.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace batholith {
namespace {

// A ranking pays when several tasks share it; all rankings together stay within this many entries
// (5 bytes each, or 17).
constexpr std::uint32_t kMinTasksForRanking = 3;
constexpr std::size_t kMaxRankedEntries = 40'000'000;

constexpr std::size_t kUnread = SIZE_MAX;

}  // namespace

struct NodeChooser::ClassState {
  ClassState(const Session& session, TaskIndex task, Fit fit)
      : cluster(session.chains().DependenceOf(task) == Dependence::kCluster),
        verdict(session, task, fit) {}
  bool cluster;
  NodeVerdict verdict;
  NodeChecks* checks = nullptr;  // set, and refreshed, when it is asked for a node
  bool leaving_matter = false;   // for its checks, beside the room that they take
  std::optional<ClassRanking> ranking;
  // Of a class whose answers depend on other nodes too, by node: as far as they do not.
  std::vector<Place> places;
  std::vector<double> scores;
  bool scores_around = false;
  bool ranked = false;             // every node has its place in the ranking, or in the above
  std::size_t cursor = 0;          // of these, into the session's log of touched nodes
  std::size_t next_row = kUnread;  // of the ranking, into rows_
  // By node, where checks are fixed beyond room: what they said once.
  enum class Said : std::uint8_t { kNothing, kYes, kNo };
  std::vector<Said> said;
  bool all_pass = false;  // it is kYes of every node
  bool hopeless = false;  // fits nowhere as of hopeless_at
  std::size_t hopeless_at = 0;
  UnfitHistogram why;
  bool explained = false;
  std::size_t explained_at = 0;
};

NodeChooser::NodeChooser(Session& session, Fit fit)
    : session_(session), fit_(fit), classes_(session.classes().size()) {}

NodeChooser::~NodeChooser() = default;

// Counted when somebody first asks: most sessions have nothing to place.
std::uint32_t NodeChooser::PendingOfClass(std::size_t c) {
  if (pending_of_class_.empty()) {
    pending_of_class_.assign(session_.classes().size(), 0);
    for (std::size_t t = 0; t < session_.snapshot().tasks.size(); ++t) {
      if (session_.state().status(TaskIndex(t)) == TaskStatus::kPending)
        ++pending_of_class_[session_.classes().Of(TaskIndex(t)).value()];
    }
  }
  return pending_of_class_[c];
}

NodeChooser::ClassState& NodeChooser::StateOf(TaskIndex task) {
  const std::size_t c = session_.classes().Of(task).value();
  if (classes_[c] == nullptr) {
    classes_[c] = std::make_unique<ClassState>(session_, task, fit_);
    const std::size_t nodes = session_.snapshot().nodes.size();
    if (PendingOfClass(c) >= kMinTasksForRanking && ranked_entries_ + nodes <= kMaxRankedEntries) {
      if (classes_[c]->cluster) {
        classes_[c]->places.resize(nodes);
        classes_[c]->scores.resize(nodes);
        classes_[c]->scores_around = session_.chains().ScoresAround(task);
      } else {
        classes_[c]->ranking.emplace(nodes);
      }
      ranked_entries_ += nodes;
    }
  }
  return *classes_[c];
}

// REQUIRES: the request fits into the node's room, so that a check that is fixed beyond room says
// what it always says; nobody is leaving who matters.
bool NodeChooser::PassesAlone(ClassState& c, NodeIndex node) const {
  using Said = ClassState::Said;
  if (!c.said.empty() && c.said[node.value()] != Said::kNothing)
    return c.said[node.value()] == Said::kYes;
  const bool ok = c.checks->CheckAlone(node).ok();
  if (!c.said.empty()) c.said[node.value()] = ok ? Said::kYes : Said::kNo;
  return ok;
}

bool NodeChooser::OnlyRoomChanges(const ClassState& c) const {
  return fit_ == Fit::kResources && !c.verdict.guarded() && !c.leaving_matter;
}

Place NodeChooser::VerdictOn(const ClassState& c, NodeIndex node) const {
  return c.verdict.Of(*c.checks, c.leaving_matter, node);
}

void NodeChooser::Look(ClassState& c, TaskIndex task) {
  c.checks = &session_.checks().Of(task);
  c.leaving_matter = c.checks->LeavingMatter();
  const bool kept = c.ranking || !c.places.empty();
  const bool keeps = kept && fit_ == Fit::kResources && c.checks->FixedBeyondRoom();
  if (keeps && c.said.empty()) c.said.resize(session_.snapshot().nodes.size());
}

// The nodes that the ranking has not seen as they are now, each once.
void NodeChooser::CollectTouched(ClassState& c) {
  const std::span<const NodeIndex> touched = session_.state().touched();
  const std::size_t n = session_.snapshot().nodes.size();
  nodes_.clear();
  if (!c.ranked || touched.size() - c.cursor > n) {
    for (std::size_t i = 0; i < n; ++i) nodes_.push_back(NodeIndex(i));
  } else {
    ++refresh_;
    seen_in_.resize(n);
    for (const NodeIndex node : touched.subspan(c.cursor)) {
      if (std::exchange(seen_in_[node.value()], refresh_) != refresh_) nodes_.push_back(node);
    }
  }
  c.cursor = touched.size();
  c.ranked = true;
}

void NodeChooser::Refresh(ClassState& c, TaskIndex task) {
  if (!OnlyRoomChanges(c) || !c.verdict.exact_in_doubles() || !session_.chains().ScoresRows(task)) {
    c.next_row = kUnread;
    return RefreshTouched(c, task);
  }
  if (!rows_) rows_.emplace(session_.snapshot(), session_.state());
  rows_->Refresh();
  if (c.next_row == kUnread || !rows_->Keeps(c.next_row) ||
      rows_->end() - c.next_row > session_.snapshot().nodes.size()) {
    for (const NodeBlock& block : rows_->all()) Rank(c, task, NodeRows(block, 0, block.size()), {});
    const auto yes = [](ClassState::Said said) { return said == ClassState::Said::kYes; };
    c.all_pass = !c.said.empty() && std::ranges::all_of(c.said, yes);
  } else {
    for (std::size_t at = c.next_row; at < rows_->end();) {
      const NodeRows rows = rows_->From(at);
      Rank(c, task, rows, at);
      at += rows.size();
    }
  }
  c.next_row = rows_->end();
  c.cursor = session_.state().touched().size();
  c.ranked = true;
}

// `first_entry`: of rows_, where that is what the rows are; else they are what nodes have now.
void NodeChooser::Rank(ClassState& c, TaskIndex task, const NodeRows& rows,
                       std::optional<std::size_t> first_entry) {
  std::array<Place, NodeBlock::kMost> places;
  std::array<double, NodeBlock::kMost> scores;
  const std::size_t count = rows.size();
  c.verdict.OfRows(rows, places);
  KeepWhoPasses(c, rows.nodes(), first_entry, std::span(places).first(count));
  std::fill_n(scores.begin(), count, 0);
  session_.chains().ScoreRows(task, rows, std::span(scores).first(count));
  c.ranking->Set(rows.nodes(), std::span(places).first(count), std::span(scores).first(count));
}

// Takes the place from those that a check refuses. An outdated entry has none in any case: a node
// that lacks room by now may be refused for that, which is not to be kept.
void NodeChooser::KeepWhoPasses(ClassState& c, std::span<const NodeIndex> nodes,
                                std::optional<std::size_t> first_entry,
                                std::span<Place> places) const {
  using Said = ClassState::Said;
  if (c.all_pass) return;
  bool known = !c.said.empty();
  for (std::size_t i = 0; known && i < nodes.size(); ++i) {
    const Said said = c.said[nodes[i].value()];
    places[i] = said == Said::kNo ? Place::kNone : places[i];
    known &= said != Said::kNothing || places[i] == Place::kNone;
  }
  if (known) return;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (places[i] == Place::kNone) continue;
    const bool outdated = first_entry && !rows_->IsLatest(*first_entry + i, nodes[i]);
    if (outdated || !PassesAlone(c, nodes[i])) places[i] = Place::kNone;
  }
}

void NodeChooser::RefreshTouched(ClassState& c, TaskIndex task) {
  CollectTouched(c);
  if (nodes_.empty()) return;
  Judge(c);
  std::size_t feasible = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (places_[i] == Place::kNone) {
      c.ranking->Set(nodes_[i], Place::kNone, 0);
      continue;
    }
    places_[feasible] = places_[i];
    nodes_[feasible++] = nodes_[i];
  }
  nodes_.resize(feasible);
  scores_.assign(feasible, 0);
  session_.chains().Score(task, nodes_, scores_);
  c.ranking->Set(nodes_, std::span(places_).first(feasible), scores_);
}

// places_[i] of nodes_[i].
void NodeChooser::Judge(ClassState& c) {
  places_.resize(nodes_.size());
  const bool usual = c.ranking && OnlyRoomChanges(c);
  session_.workers().ForRanges(nodes_.size(), [&](std::size_t begin, std::size_t end) {
    if (usual) return JudgeUsual(c, begin, end);
    for (std::size_t i = begin; i < end; ++i) places_[i] = VerdictOn(c, nodes_[i]);
  });
}

// As VerdictOn, where only room can change: most of the time of a large session is spent here. Rows
// of nodes are fetched ahead, for they are read in no order.
void NodeChooser::JudgeUsual(ClassState& c, std::size_t begin, std::size_t end) {
  constexpr std::size_t kAhead = 8;
  const SessionState& state = session_.state();
  const std::span<const NodeVerdict::Asked> asked_amounts = c.verdict.asked();
  for (std::size_t i = begin; i < end; ++i) {
    if (i + kAhead < end) state.Prefetch(nodes_[i + kAhead]);
    const NodeIndex node = nodes_[i];
    const ResourceRow idle = state.idle(node);
    const ResourceRow future = state.future_idle(node);
    bool lacks_now = false;
    bool lacks = false;
    for (const NodeVerdict::Asked& asked : asked_amounts) {
      lacks_now |= idle[asked.resource] < asked.amount;
      lacks |= future[asked.resource] < asked.amount;
    }
    places_[i] = lacks || !PassesAlone(c, node) ? Place::kNone
                 : lacks_now                    ? Place::kReserved
                                                : Place::kNow;
  }
}

// What nodes say alone is kept, and judged anew only of those that were touched.
NodeChoice NodeChooser::LookAround(ClassState& c, TaskIndex task) {
  CollectTouched(c);
  places_.resize(nodes_.size());
  JudgeUsual(c, 0, nodes_.size());
  scores_.assign(nodes_.size(), 0);
  session_.chains().ScoreAlone(task, nodes_, scores_);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    c.places[nodes_[i].value()] = places_[i];
    c.scores[nodes_[i].value()] = scores_[i];
  }
  const NodeChoice now = BestAround(c, task, Place::kNow);
  return now.node.is_none() ? BestAround(c, task, Place::kReserved) : now;
}

NodeChoice NodeChooser::BestAround(ClassState& c, TaskIndex task, Place place) {
  nodes_.clear();
  for (std::size_t i = 0; i < c.places.size(); ++i) {
    if (c.places[i] == place) nodes_.push_back(NodeIndex(i));
  }
  passes_.assign(nodes_.size(), 1);
  c.checks->PassAround(nodes_, passes_);
  scores_.clear();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (passes_[i] == 0) continue;
    nodes_[scores_.size()] = nodes_[i];
    scores_.push_back(c.scores[nodes_[i].value()]);
  }
  nodes_.resize(scores_.size());
  if (nodes_.empty()) return {};
  if (c.scores_around) session_.chains().ScoreRest(task, nodes_, scores_);
  return {BestScored(), place == Place::kNow};
}

// Of nodes_, by scores_: the first of equals, so the lowest index.
NodeIndex NodeChooser::BestScored() const {
  return nodes_[static_cast<std::size_t>(std::ranges::max_element(scores_) - scores_.begin())];
}

NodeChoice NodeChooser::Sweep(ClassState& c, TaskIndex task) {
  const std::size_t n = session_.snapshot().nodes.size();
  nodes_.clear();
  for (std::size_t i = 0; i < n; ++i) nodes_.push_back(NodeIndex(i));
  Judge(c);
  const Place best = n == 0 ? Place::kNone : std::ranges::max(places_);
  if (best == Place::kNone) return {};
  std::size_t in_question = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (places_[i] == best) nodes_[in_question++] = nodes_[i];
  }
  nodes_.resize(in_question);
  scores_.assign(in_question, 0);
  session_.chains().Score(task, nodes_, scores_);
  return {BestScored(), best == Place::kNow};
}

NodeChoice NodeChooser::Nominated(ClassState& c, TaskIndex task) const {
  const NodeIndex node = session_.snapshot().task(task).nominated;
  if (node.is_none() || fit_ != Fit::kResources) return {};
  const Place place = VerdictOn(c, node);
  return place == Place::kNone ? NodeChoice{} : NodeChoice{node, place == Place::kNow};
}

NodeChoice NodeChooser::Best(TaskIndex task) {
  ClassState& c = StateOf(task);
  if (session_.options().trace && fit_ != Fit::kFuture) Trace(c, task);
  if (session_.snapshot().task(task).unserved) return {};
  const std::size_t now = session_.state().touched().size();
  if (c.hopeless && c.hopeless_at == now) return {};
  Look(c, task);
  const NodeChoice nominated = Nominated(c, task);
  if (!nominated.node.is_none()) return nominated;
  NodeChoice choice;
  if (c.ranking) {
    Refresh(c, task);
    const ClassRanking::Best best = c.ranking->Find();
    choice = {best.node, best.place == Place::kNow};
  } else if (!c.places.empty() && fit_ == Fit::kResources && !c.verdict.guarded() &&
             !c.leaving_matter && c.checks->HasTwoParts()) {
    choice = LookAround(c, task);
  } else {
    choice = Sweep(c, task);
  }
  c.hopeless = choice.node.is_none();
  c.hopeless_at = now;
  return choice;
}

void NodeChooser::Trace(ClassState& c, TaskIndex task) {
  if (!session_.attempts().MarkTraced(task)) return;
  Look(c, task);
  std::vector<NodeIndex> feasible;
  for (std::size_t i = 0; i < session_.snapshot().nodes.size(); ++i) {
    if (VerdictOn(c, NodeIndex(i)) != Place::kNone) feasible.push_back(NodeIndex(i));
  }
  std::vector<double> scores(feasible.size(), 0);
  session_.chains().Score(task, feasible, scores);
  TracePlacement(session_, task, feasible, scores);
}

const UnfitHistogram& NodeChooser::Explain(TaskIndex task) {
  ClassState& c = StateOf(task);
  const std::size_t now = session_.state().touched().size();
  if (c.explained && c.explained_at == now) return c.why;
  c.why = {};
  c.why.nodes = static_cast<std::int32_t>(session_.snapshot().nodes.size());
  const ResourceVector& request = session_.snapshot().task(task).request;
  const TaskFacts& facts = session_.snapshot().task(task);
  std::vector<std::size_t> uncounted;
  if (facts.unserved) uncounted = session_.snapshot().Uncounted(facts.record->request);
  Look(c, task);
  for (std::size_t i = 0; i < session_.snapshot().nodes.size(); ++i) {
    const NodeIndex node(i);
    const Predicate* source = nullptr;
    Unfit why = c.checks->Check(node, &source);
    if (c.leaving_matter && source == nullptr) why = c.checks->CheckReserved(node, &source);
    if (source != nullptr || session_.snapshot().node(node).closed) {
      c.why.Add(why, source);
      continue;
    }
    for (const std::size_t r : uncounted)
      c.why.Add({Reason::kInsufficientResource, false, static_cast<std::uint32_t>(r)}, nullptr);
    const ResourceRow room = session_.state().future_idle(node);
    if (request.FitsIn(room) && !request.FitsIn(session_.FutureIdleFor(task, node)))
      c.why.Add({Reason::kKeptAsSlack, true, 0}, nullptr);
    for (std::size_t r = 0; r < session_.snapshot().schema.size(); ++r) {
      if (request[r] <= 0 || request[r] <= room[r]) continue;
      const bool slot = r == ResourceSchema::kPods;
      c.why.Add({slot ? Reason::kTooManyPods : Reason::kInsufficientResource, true,
                 static_cast<std::uint32_t>(r)},
                nullptr);
    }
  }
  c.explained = true;
  c.explained_at = now;
  return c.why;
}

}  // namespace batholith
