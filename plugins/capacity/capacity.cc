#include "plugins/capacity/capacity.h"

#include <algorithm>
#include <vector>

#include "framework/describe_plugin.h"
#include "plugins/capacity/account.h"
#include "plugins/capacity/options.h"
#include "plugins/common/promises.h"
#include "plugins/common/queue_tree.h"
#include "plugins/common/running_sums.h"

namespace batholith {
namespace {

using Node = QueueTree::Node;
using Fault = QueueTree::Fault;

QueueTree TreeOf(const PluginContext& context) {
  const std::vector<QueueFacts>& queues = context.snapshot.queues;
  if (!context.points.Has(Point::kHierarchy)) return QueueTree::Flat(queues.size());
  std::vector<QueueTree::Named> named;
  for (const QueueFacts& q : queues) named.push_back({q.record->meta.name, q.record->parent});
  return QueueTree::Of(named);
}

class Capacity final : public Plugin,
                       public QueueOrder,
                       public VictimQueueOrder,
                       public QueueAdmission,
                       public ShortfallSource,
                       public QueueShare,
                       public Reclaimable,
                       public JobEnqueueable,
                       public JobGuaranteed,
                       public JobAdmitted,
                       public AllocationObserver {
 public:
  Capacity(const PluginContext& context, const CapacityOptions& options)
      : snapshot_(context.snapshot),
        state_(context.state),
        tree_(TreeOf(context)),
        level_(options.ancestor_reclaim_level),
        takes_back_(context.asked.Has(Point::kReclaimable)),
        accounts_(tree_.size()) {
    for (std::size_t q = 0; q < snapshot_.queues.size(); ++q) {
      const QueueFacts& facts = snapshot_.queues[q];
      accounts_[q].capability = facts.capability;
      accounts_[q].guarantee = facts.guarantee;
      accounts_[q].deserved = facts.deserved;
      for (const JobIndex job : facts.jobs) accounts_[q].sums += SumsOf(context, job);
    }
    if (tree_.root() == QueueTree::kNone) {
      SetFlatLimits(LimitedTo(context.Shared()));
    } else {
      SetTreeLimits();
    }
    const auto top_down = tree_.top_down();
    for (std::size_t i = top_down.size(); i-- > 0;) {
      const Node above = tree_.parent(top_down[i]);
      if (above != QueueTree::kNone) accounts_[above].sums += accounts_[top_down[i]].sums;
    }
    for (Account& a : accounts_) UpdateShare(a);
  }

  // Siblings are told apart to the end, so that the order of a tree's leaves is transitive.
  std::weak_ordering CompareQueues(QueueIndex a, QueueIndex b) const override {
    const std::int32_t pa = snapshot_.queue(a).record->priority;
    const std::int32_t pb = snapshot_.queue(b).record->priority;
    if (pa != pb) return pb <=> pa;
    const bool takes_a = TakesJobs(a.value());
    if (takes_a != TakesJobs(b.value()))
      return takes_a ? std::weak_ordering::less : std::weak_ordering::greater;
    if (!takes_a || a == b) return std::weak_ordering::equivalent;
    const auto [left, right] = tree_.Siblings(a.value(), b.value());
    const Account& l = accounts_[left];
    const Account& r = accounts_[right];
    if (l.share != r.share) return l.share <=> r.share;
    if (l.deserves_nothing != r.deserves_nothing) return l.deserves_nothing <=> r.deserves_nothing;
    if (tree_.root() == QueueTree::kNone) return std::weak_ordering::equivalent;
    return left <=> right;
  }

  // Nearer relatives of the reclaimer first: what is lent inside a department comes back first.
  std::weak_ordering CompareVictimQueues(QueueIndex a, QueueIndex b,
                                         QueueIndex for_queue) const override {
    return tree_.CommonDepth(b.value(), for_queue.value()) <=>
           tree_.CommonDepth(a.value(), for_queue.value());
  }

  QueueVerdict Admits(QueueIndex queue, TaskIndex task) const override {
    if (QueueVerdict verdict = ServesJobs(queue); !verdict.ok()) return verdict;
    const ResourceVector& request = snapshot_.task(task).request;
    for (Node n = queue.value(); n != QueueTree::kNone; n = tree_.parent(n)) {
      const Account& a = accounts_[n];
      const auto r = FirstBeyond(a.sums.allocated, request, a.real_capability);
      if (!r) continue;
      return {.why = {Reason::kQueueOverCapability, true, static_cast<std::uint32_t>(*r)},
              .queue = QueueIndex(n),
              .held = a.sums.allocated[*r],
              .asked = request[*r],
              .limit = a.real_capability[*r]};
    }
    return {};
  }

  bool AddShortfalls(QueueIndex queue, TaskIndex task, std::vector<Shortfall>& out) const override {
    if (!ServesJobs(queue).ok()) {
      out.push_back({.source = this, .amount = Shortfall::kForGood});
      return true;
    }
    for (Node n = queue.value(); n != QueueTree::kNone; n = tree_.parent(n)) {
      AddBeyond(*this, n, accounts_[n].sums.allocated, snapshot_.task(task).request,
                accounts_[n].real_capability, out);
    }
    return true;
  }
  std::int64_t Relief(const Shortfall& shortfall, TaskIndex leaving) const override {
    const TaskFacts& facts = snapshot_.task(leaving);
    Node n = snapshot_.job(facts.job).queue.value();
    while (n != QueueTree::kNone && n != shortfall.place) n = tree_.parent(n);
    return n == QueueTree::kNone ? 0 : facts.request[shortfall.dimension];
  }

  // Within its capability, and within what it deserves in at least one resource; an ancestor's
  // deserved amount will do, up to the level of the conf.
  bool MayReclaim(QueueIndex queue, TaskIndex task) const override {
    return MayTakeBack(queue, snapshot_.task(task).request, /*promised=*/false);
  }

  std::optional<QueueFigures> Figures(QueueIndex queue) const override {
    const Account& a = accounts_[queue.value()];
    return QueueFigures{a.deserved, ShareOf(DominantShare(a.sums.allocated, a.deserved))};
  }

  VictimRole ReclaimRole() const override { return VictimRole::kCountingGuard; }

  Victims ReclaimVictims(TaskIndex reclaimer,
                         std::span<const TaskIndex> candidates) const override {
    const Node own = snapshot_.job(snapshot_.task(reclaimer).job).queue.value();
    const ResourceVector& wanted = snapshot_.task(reclaimer).request;
    RunningSums<Node> left;
    std::vector<TaskIndex> victims;
    for (const TaskIndex t : candidates) {
      const Node q = snapshot_.job(snapshot_.task(t).job).queue.value();
      const ResourceVector& victim = snapshot_.task(t).request;
      // What a quota takes from the reclaimer's own queue is no matter between queues.
      if (q != own && !MayLose(q, victim, own, wanted, left)) continue;
      for (Node n = q; n != QueueTree::kNone; n = tree_.parent(n)) Held(left, n) -= victim;
      victims.push_back(t);
    }
    return victims;
  }

  EnqueueVote EnqueueJob(JobIndex job) const override {
    return VoteOn(job, &Account::real_capability);
  }
  // What others hold of the cluster is given back; what the queues' objects limit still holds.
  EnqueueVote EnqueueGuaranteed(JobIndex job) const override {
    return VoteOn(job, &Account::capability);
  }

  // Within its guarantee, or where its tasks could take back what it deserves.
  bool IsGuaranteed(JobIndex job) const override {
    const JobFacts& facts = snapshot_.job(job);
    if (facts.queue.is_none()) return false;
    const Account& a = accounts_[facts.queue.value()];
    return StaysWithin(a.sums, *facts.min_resources, a.guarantee) ||
           (takes_back_ && MayTakeBack(facts.queue, *facts.min_resources, /*promised=*/true));
  }

  void OnJobAdmitted(JobIndex job) override {
    if (!snapshot_.job(job).min_resources) return;
    const ResourceVector promised = PromisedTo(snapshot_, job);
    ForAccounts(job, [&](Account& a) { a.sums.inqueue += promised; });
  }
  void OnHeldBack(JobIndex job, HeldBack by) override {
    if (by != HeldBack::kByQuota) return;
    const ResourceVector promised = StillToCome(snapshot_, state_, job);
    ForAccounts(job, [&](Account& a) { a.sums.inqueue -= promised; });
  }

  void OnAllocate(TaskIndex task, NodeIndex) override { Count(task, true); }
  void OnDeallocate(TaskIndex task, NodeIndex) override { Count(task, false); }

 private:
  // Of the job's queue, if it has one, and of those above it.
  template <typename Change>
  void ForAccounts(JobIndex job, Change change) {
    const QueueIndex queue = snapshot_.job(job).queue;
    if (queue.is_none()) return;
    for (Node n = queue.value(); n != QueueTree::kNone; n = tree_.parent(n)) change(accounts_[n]);
  }

  EnqueueVote VoteOn(JobIndex job, ResourceLimits Account::* limits) const {
    const JobFacts& facts = snapshot_.job(job);
    if (facts.queue.is_none()) return {Vote::kReject, {Reason::kQueueMissing, false, 0}, 0};
    if (const QueueVerdict verdict = ServesJobs(facts.queue); !verdict.ok())
      return {Vote::kReject, verdict.why, 0, verdict.queue};
    if (!facts.min_resources) return {Vote::kPermit, {}, 0};
    for (Node n = facts.queue.value(); n != QueueTree::kNone; n = tree_.parent(n)) {
      const Account& a = accounts_[n];
      EnqueueVote vote = VoteOnAdmission(a.sums, *facts.min_resources, a.*limits);
      vote.queue = QueueIndex(n);
      if (vote.vote == Vote::kReject) return vote;
    }
    return {Vote::kPermit, {}, 0};
  }

  void SetFlatLimits(const ResourceLimits& total) {
    ResourceVector guarantees;
    for (const Account& a : accounts_) guarantees += a.guarantee;
    for (Account& a : accounts_) {
      a.real_capability = RealCapability(total, guarantees, a.guarantee, a.capability);
      for (std::size_t r = 0; r < ResourceVector::kMaxDimensions; ++r)
        a.deserved[r] = std::min(a.deserved[r], a.real_capability[r]);
      a.deserved = ResourceVector::Max(a.deserved, a.guarantee);
    }
  }

  // What the root writes limits the whole tree; it deserves and guarantees what its children do.
  void SetTreeLimits() {
    std::vector<ResourceVector> guarantees(accounts_.size());  // sum over the children
    Account& root = accounts_[tree_.root()];
    root.deserved = {};
    for (const Node n : tree_.top_down()) {
      if (n != tree_.root()) guarantees[tree_.parent(n)] += accounts_[n].guarantee;
    }
    root.guarantee = guarantees[tree_.root()];
    root.real_capability = root.capability;
    for (const Node n : tree_.top_down()) {
      if (n == tree_.root()) continue;
      Account& a = accounts_[n];
      const Node above = tree_.parent(n);
      for (std::size_t r = 0; r < ResourceVector::kMaxDimensions; ++r) {
        if (a.capability[r] == ResourceLimits::kUnlimited)
          a.capability[r] = accounts_[above].capability[r];
      }
      a.real_capability = RealCapability(accounts_[above].real_capability, guarantees[above],
                                         a.guarantee, a.capability);
      a.deserved = ResourceVector::Max(a.deserved, a.guarantee);
      if (above == tree_.root()) root.deserved += a.deserved;
    }
  }

  bool TakesJobs(Node n) const { return tree_.leaf(n) && tree_.fault(n) == Fault::kNone; }

  // Open, and in its place in the tree.
  QueueVerdict ServesJobs(QueueIndex queue) const {
    if (snapshot_.queue(queue).record->state != QueueState::kOpen)
      return {.why = {Reason::kQueueClosed, false, 0}};
    const Node n = queue.value();
    const Fault fault = tree_.fault(n);
    if (fault != Fault::kNone) {
      const Reason reason =
          fault == Fault::kCycle ? Reason::kQueueOnCycle : Reason::kQueueParentMissing;
      return {.why = {reason, false, 0}, .queue = QueueIndex(tree_.culprit(n))};
    }
    if (!tree_.leaf(n)) return {.why = {Reason::kQueueNotLeaf, false, 0}};
    return {};
  }

  // `promised`: what admitted jobs are still to get counts as held.
  bool MayTakeBack(QueueIndex queue, const ResourceVector& request, bool promised) const {
    if (!ServesJobs(queue).ok()) return false;
    const auto held = [&](const Account& a) {
      return promised ? a.sums.allocated + a.sums.inqueue : a.sums.allocated;
    };
    const Account& own = accounts_[queue.value()];
    if (FirstBeyond(held(own), request, own.real_capability)) return false;
    if (StaysWithinDeserved(held(own), request, own.deserved)) return true;
    Node n = queue.value();
    for (std::size_t i = 0; i < level_; ++i) {
      n = tree_.parent(n);
      if (n == QueueTree::kNone || n == tree_.root()) return false;
      if (StaysWithinDeserved(held(accounts_[n]), request, accounts_[n].deserved)) return true;
    }
    return false;
  }

  ResourceVector& Held(RunningSums<Node>& left, Node n) const {
    return left.Of(n, accounts_[n].sums.allocated);
  }

  bool MayLose(Node queue, const ResourceVector& victim, Node reclaimer,
               const ResourceVector& wanted, RunningSums<Node>& left) const {
    if (tree_.fault(queue) != Fault::kNone || !Meet(victim, wanted)) return false;
    const Account& a = accounts_[queue];
    const ResourceVector held = Held(left, queue);
    if (!KeepsGuarantee(a, held, victim)) return false;
    if (Meet(victim, a.deserved)) {
      if (!IsOver(a, held, victim, wanted)) return false;
      if (!WinsClaim(accounts_[reclaimer], wanted, a, held, victim)) return false;
    } else if (!Meet(wanted, accounts_[reclaimer].deserved) && Near(queue, reclaimer)) {
      return false;
    }
    Node n = queue;
    for (std::size_t i = 0; i < level_; ++i) {
      n = tree_.parent(n);
      if (n == QueueTree::kNone || n == tree_.root() || IsAbove(n, reclaimer)) break;
      const Account& above = accounts_[n];
      if (Meet(victim, above.deserved) && !IsOver(above, Held(left, n), victim, wanted))
        return false;
    }
    return true;
  }

  bool IsAbove(Node n, Node below) const { return tree_.CommonDepth(n, below) == tree_.depth(n); }

  // Whether a queue other than the root, at most `level_` above either, stands above both.
  bool Near(Node a, Node b) const {
    const std::size_t common = tree_.CommonDepth(a, b);
    return common > 0 && std::max(tree_.depth(a), tree_.depth(b)) - common <= level_;
  }

  void Count(TaskIndex task, bool add) {
    const JobIndex job = snapshot_.task(task).job;
    if (job.is_none() || snapshot_.job(job).queue.is_none()) return;
    const ResourceVector& request = snapshot_.task(task).request;
    for (Node n = snapshot_.job(job).queue.value(); n != QueueTree::kNone; n = tree_.parent(n)) {
      ResourceVector& allocated = accounts_[n].sums.allocated;
      add ? allocated += request : allocated -= request;
      // As in Volcano, inner queues are ranked by what they held when the session opened: so one
      // branch is served on, until it has nothing left to ask for, before the next.
      if (tree_.leaf(n)) UpdateShare(accounts_[n]);
    }
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  QueueTree tree_;
  std::size_t level_;
  bool takes_back_;  // action reclaim runs
  std::vector<Account> accounts_;
};

}  // namespace

PluginDescriptor CapacityPlugin() {
  return DescribePlugin<Capacity, ReadCapacityOptions>({
      .name = "capacity",
      .summary = "gives queues, flat or in a tree, what they deserve",
      .arguments = CapacityArguments(),
      .points = {Point::kHierarchy},
      .ranks = {Point::kReclaimable},
  });
}

}  // namespace batholith
