#include "framework/node_chooser.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace batholith {
namespace {

// A ranking pays when several tasks share it; all rankings together stay within this many entries
// (24 bytes each).
constexpr std::uint32_t kMinTasksForRanking = 3;
constexpr std::size_t kMaxRankedEntries = 40'000'000;

}  // namespace

// Feasibility and score of every node for one class, and a winner tree over them.
struct NodeChooser::Ranking {
  std::vector<std::int8_t> verdict;
  std::vector<double> score;
  // tree[1] is the root; leaves start at `leaves`
  std::vector<std::uint32_t> tree{UINT32_MAX, UINT32_MAX};
  std::size_t leaves = 1;
  std::size_t cursor = 0;  // into the session's log of touched nodes
  bool built = false;

  bool Beats(std::uint32_t a, std::uint32_t b) const {  // ties to the lower index
    if (verdict[a] != verdict[b]) return verdict[a] > verdict[b];
    if (score[a] != score[b]) return score[a] > score[b];
    return a < b;
  }
  std::uint32_t Winner(std::uint32_t a, std::uint32_t b) const {
    if (a >= verdict.size()) return b;
    if (b >= verdict.size()) return a;
    return Beats(a, b) ? a : b;
  }
  void BuildTree() {
    leaves = std::bit_ceil(std::max<std::size_t>(verdict.size(), 1));
    tree.assign(2 * leaves, UINT32_MAX);
    for (std::size_t i = 0; i < verdict.size(); ++i)
      tree[leaves + i] = static_cast<std::uint32_t>(i);
    for (std::size_t i = leaves - 1; i >= 1; --i) tree[i] = Winner(tree[2 * i], tree[2 * i + 1]);
  }
  void Update(std::size_t node) {
    for (std::size_t i = (leaves + node) / 2; i >= 1; i /= 2)
      tree[i] = Winner(tree[2 * i], tree[2 * i + 1]);
  }
};

struct NodeChooser::ClassState {
  bool cluster = false;
  bool guarded = false;            // what placeholders hold is no room for it
  std::vector<std::size_t> asked;  // resources that the class asks for
  NodeChecks* checks = nullptr;    // set, and refreshed, when it is asked for a node
  bool leaving_matter = false;     // for its checks, beside the room that they take
  std::unique_ptr<Ranking> ranking;
  bool hopeless = false;  // fits nowhere as of hopeless_at
  std::size_t hopeless_at = 0;
  UnfitHistogram why;
  bool explained = false;
  std::size_t explained_at = 0;
};

NodeChooser::NodeChooser(Session& session, Fit fit)
    : session_(session), fit_(fit), classes_(session.classes().size()) {
  pending_of_class_.assign(session.classes().size(), 0);
  for (std::size_t t = 0; t < session.snapshot().tasks.size(); ++t) {
    if (session.state().status(TaskIndex(t)) == TaskStatus::kPending) {
      ++pending_of_class_[session.classes().Of(TaskIndex(t)).value()];
    }
  }
}

NodeChooser::~NodeChooser() = default;

NodeChooser::ClassState& NodeChooser::StateOf(TaskIndex task) {
  const std::size_t c = session_.classes().Of(task).value();
  if (classes_[c] == nullptr) {
    classes_[c] = std::make_unique<ClassState>();
    classes_[c]->cluster = session_.chains().DependenceOf(task) == Dependence::kCluster;
    classes_[c]->guarded = !session_.slack_guard().MayUse(task);
    for (std::size_t r = 0; r < session_.snapshot().schema.size(); ++r) {
      if (session_.snapshot().task(task).request[r] > 0) classes_[c]->asked.push_back(r);
    }
    const std::size_t nodes = session_.snapshot().nodes.size();
    if (!classes_[c]->cluster && pending_of_class_[c] >= kMinTasksForRanking &&
        ranked_entries_ + nodes <= kMaxRankedEntries) {
      classes_[c]->ranking = std::make_unique<Ranking>();
      ranked_entries_ += nodes;
    }
  }
  return *classes_[c];
}

int NodeChooser::Verdict(const ClassState& c, TaskIndex task, NodeIndex node) const {
  const ResourceVector& request = session_.snapshot().task(task).request;
  const SessionState& state = session_.state();
  const ResourceVector* held = c.guarded ? &session_.slack_guard().Held(node) : nullptr;
  const auto room_in = [&](const ResourceVector& room, std::size_t r) {
    return held == nullptr ? room[r] : ResourceVector::SubSaturating(room[r], (*held)[r]);
  };
  if (fit_ == Fit::kSlotOnly) {
    constexpr std::size_t kPods = ResourceSchema::kPods;
    if (room_in(state.idle(node), kPods) < request[kPods]) return 0;
    return c.checks->Check(node).ok() ? 2 : 0;
  }
  // Only these lie on the way: a whole vector of a node is several cache lines.
  const auto fits = [&](const ResourceVector& room) {
    return std::ranges::all_of(c.asked,
                               [&](std::size_t r) { return request[r] <= room_in(room, r); });
  };
  if (!fits(state.future_idle(node))) return 0;
  if (fit_ == Fit::kFuture) return c.checks->CheckReserved(node).ok() ? 2 : 0;
  if (fits(state.idle(node))) {
    if (c.checks->Check(node).ok()) return 2;
    if (!c.leaving_matter) return 0;
  }
  return c.checks->CheckReserved(node).ok() ? 1 : 0;
}

void NodeChooser::Look(ClassState& c, TaskIndex task) {
  c.checks = &session_.checks().Of(task);
  c.leaving_matter = c.checks->LeavingMatter();
}

void NodeChooser::Refresh(const ClassState& c, TaskIndex task) {
  Ranking& r = *c.ranking;
  const std::span<const NodeIndex> touched = session_.state().touched();
  const std::size_t n = session_.snapshot().nodes.size();
  nodes_.clear();
  const bool all = !r.built || touched.size() - r.cursor > n;
  if (all) {
    for (std::size_t i = 0; i < n; ++i) nodes_.push_back(NodeIndex(i));
    r.verdict.assign(n, 0);
    r.score.assign(n, 0);
  } else {
    ++refresh_;
    seen_in_.resize(n);
    for (const NodeIndex node : touched.subspan(r.cursor)) {
      if (std::exchange(seen_in_[node.value()], refresh_) != refresh_) nodes_.push_back(node);
    }
  }
  r.cursor = touched.size();
  if (nodes_.empty()) return;
  session_.workers().ForRanges(nodes_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      r.verdict[nodes_[i].value()] = static_cast<std::int8_t>(Verdict(c, task, nodes_[i]));
  });
  scores_.assign(nodes_.size(), 0);
  session_.chains().Score(task, nodes_, scores_);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    r.score[nodes_[i].value()] = r.verdict[nodes_[i].value()] == 0 ? 0 : scores_[i];
  }
  r.built = true;
  // An update costs its path to the root.
  if (all || nodes_.size() * static_cast<std::size_t>(std::bit_width(n)) > n) {
    r.BuildTree();
  } else {
    for (const NodeIndex node : nodes_) r.Update(node.value());
  }
}

NodeChoice NodeChooser::Sweep(const ClassState& c, TaskIndex task) {
  const std::size_t n = session_.snapshot().nodes.size();
  std::vector<NodeIndex> idle;
  std::vector<NodeIndex> future;
  verdicts_.resize(n);
  session_.workers().ForRanges(n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      verdicts_[i] = static_cast<std::int8_t>(Verdict(c, task, NodeIndex(i)));
  });
  for (std::size_t i = 0; i < n; ++i) {
    if (verdicts_[i] == 2) idle.push_back(NodeIndex(i));
    if (verdicts_[i] == 1) future.push_back(NodeIndex(i));
  }
  const std::vector<NodeIndex>& group = idle.empty() ? future : idle;
  if (group.empty()) return {};
  scores_.assign(group.size(), 0);
  session_.chains().Score(task, group, scores_);
  const auto best = std::ranges::max_element(scores_);  // the first of equals, so the lowest index
  return {group[static_cast<std::size_t>(best - scores_.begin())], !idle.empty()};
}

NodeChoice NodeChooser::Nominated(const ClassState& c, TaskIndex task) const {
  const NodeIndex node = session_.snapshot().task(task).nominated;
  if (node.is_none() || fit_ != Fit::kResources) return {};
  const int verdict = Verdict(c, task, node);
  return verdict > 0 ? NodeChoice{node, verdict == 2} : NodeChoice{};
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
  if (c.ranking != nullptr) {
    Refresh(c, task);
    const std::uint32_t winner = c.ranking->tree[1];
    if (winner != UINT32_MAX && c.ranking->verdict[winner] > 0) {
      choice = {NodeIndex(winner), c.ranking->verdict[winner] == 2};
    }
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
  PlacementTrace trace;
  trace.pod = session_.snapshot().task(task).record->meta.Key();
  std::vector<NodeIndex> feasible;
  for (std::size_t i = 0; i < session_.snapshot().nodes.size(); ++i) {
    if (Verdict(c, task, NodeIndex(i)) > 0) feasible.push_back(NodeIndex(i));
  }
  std::vector<double> scores(feasible.size(), 0);
  session_.chains().Score(task, feasible, scores);
  for (std::size_t i = 0; i < feasible.size(); ++i) {
    const std::string& name = session_.snapshot().node(feasible[i]).record->meta.name;
    trace.feasible.push_back(name);
    trace.scores[name] = scores[i];
  }
  session_.result().traces.push_back(std::move(trace));
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
    if (source != nullptr || why.reason == Reason::kNodeClosed) {
      c.why.Add(why, source);
      continue;
    }
    for (const std::size_t r : uncounted)
      c.why.Add({Reason::kInsufficientResource, false, static_cast<std::uint32_t>(r)}, nullptr);
    const ResourceVector& room = session_.state().future_idle(node);
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
