#include "framework/chains.h"

#include <algorithm>

#include "api/check.h"
#include "framework/combine.h"
#include "framework/node_rows.h"

namespace batholith {
namespace {

QueueVerdict Signed(QueueVerdict verdict, const QueueAdmission& source, TaskIndex task) {
  if (verdict.ok()) return verdict;
  verdict.source = &source;
  verdict.task = task;
  return verdict;
}

}  // namespace

template <typename PointClass>
void Chains::AddTo(Chain<PointClass>& chain, Plugin* plugin, const Pipeline::PluginEntry& entry,
                   std::optional<Point> point) {
  if (point && !entry.points.Has(*point)) return;
  if (auto* p = dynamic_cast<PointClass*>(plugin))
    chain.push_back({entry.tier, p, entry.descriptor->name});
}

Chains::Chains(const Snapshot& snapshot, const SessionState& state, const Pipeline& pipeline,
               const SlackGuard& slack_guard, const Workers& workers)
    : snapshot_(snapshot), workers_(workers) {
  PointSet asked;
  for (const Pipeline::ActionEntry& action : pipeline.actions) asked |= action.descriptor->asks;
  for (const Pipeline::PluginEntry& entry : pipeline.plugins) {
    plugins_.push_back(entry.descriptor->make(
        {snapshot, state, entry.points, state.phases(), &slack_guard, asked}, entry.options.get()));
    Add(plugins_.back().get(), entry);
  }
}

void Chains::Add(Plugin* plugin, const Pipeline::PluginEntry& entry) {
  OrderStep step;
  if (entry.points.Has(Point::kJobOrder)) step.job = dynamic_cast<JobOrder*>(plugin);
  if (entry.points.Has(Point::kNamespaceOrder))
    step.namespace_ = dynamic_cast<NamespaceOrder*>(plugin);
  if (step.job != nullptr || step.namespace_ != nullptr) job_order_.push_back(step);
  AddTo(queue_order_, plugin, entry, Point::kQueueOrder);
  AddTo(task_order_, plugin, entry, Point::kTaskOrder);
  AddTo(job_valid_, plugin, entry);
  AddTo(job_enqueueable_, plugin, entry, Point::kJobEnqueued);
  AddTo(job_guaranteed_, plugin, entry);
  const bool votes = dynamic_cast<JobEnqueueable*>(plugin) != nullptr;
  AddTo(job_admitted_, plugin, entry, votes ? std::optional(Point::kJobEnqueued) : std::nullopt);
  AddTo(job_ready_, plugin, entry, Point::kJobReady);
  AddTo(job_pipelined_, plugin, entry, Point::kJobPipelined);
  AddTo(job_starving_, plugin, entry, Point::kJobStarving);
  AddTo(predicates_, plugin, entry, Point::kPredicate);
  const auto* order = dynamic_cast<const NodeOrder*>(plugin);
  if (order != nullptr && order->ScoresTasks())
    AddTo(node_order_, plugin, entry, Point::kNodeOrder);
  AddTo(node_fill_, plugin, entry);
  AddTo(preemptable_, plugin, entry, Point::kPreemptable);
  AddTo(reclaimable_, plugin, entry, Point::kReclaimable);
  AddTo(overused_, plugin, entry, Point::kOverused);
  AddTo(allocatable_, plugin, entry, Point::kAllocatable);
  AddTo(preemptive_, plugin, entry, Point::kPreemptive);
  AddTo(queue_share_, plugin, entry);
  AddTo(victim_queue_order_, plugin, entry);
  AddTo(victim_tasks_, plugin, entry, Point::kVictim);
  AddTo(observers_, plugin, entry);
  AddTo(signatures_, plugin, entry);
  if (entry.points.Has(Point::kHyperNodeGradient)) {
    if (auto* topology = dynamic_cast<TopologyOwner*>(plugin)) topology_ = topology;
  }
  if (auto* quotas = dynamic_cast<QuotaOwner*>(plugin)) {
    CHECK(quotas_ == nullptr);  // a conf names a plugin once, and no two plugins own quotas
    quotas_ = quotas;
  }
}

std::weak_ordering Chains::CompareQueues(QueueIndex a, QueueIndex b) const {
  const std::weak_ordering order =
      FirstDecisive(queue_order_, [&](const QueueOrder& p) { return p.CompareQueues(a, b); });
  return order != 0 ? order : a <=> b;
}

std::weak_ordering Chains::CompareJobs(JobIndex a, JobIndex b) const {
  const std::weak_ordering order = RankJobs(a, b);
  return order != 0 ? order : a <=> b;
}

std::weak_ordering Chains::RankJobs(JobIndex a, JobIndex b) const {
  const JobFacts& ja = snapshot_.job(a);
  const JobFacts& jb = snapshot_.job(b);
  const bool two_namespaces =
      ja.namespace_ != jb.namespace_ && ja.queue == jb.queue && !ja.queue.is_none();
  for (const OrderStep& step : job_order_) {
    if (two_namespaces && step.namespace_ != nullptr) {
      const std::weak_ordering order =
          step.namespace_->CompareNamespaces(ja.queue, ja.namespace_, jb.namespace_);
      if (order != 0) return order;
    }
    if (step.job != nullptr) {
      const std::weak_ordering order = step.job->CompareJobs(a, b);
      if (order != 0) return order;
    }
  }
  return std::weak_ordering::equivalent;
}

std::weak_ordering Chains::CompareTasks(TaskIndex a, TaskIndex b) const {
  const std::weak_ordering order =
      FirstDecisive(task_order_, [&](const TaskOrder& p) { return p.CompareTasks(a, b); });
  if (order != 0) return order;
  // Names without a number come first, so that the order has no cycles.
  const std::int64_t na = snapshot_.task(a).name_number;
  const std::int64_t nb = snapshot_.task(b).name_number;
  return na != nb ? na <=> nb : a <=> b;
}

bool Chains::VictimFallsBefore(TaskIndex a, TaskIndex b, TaskIndex preemptor) const {
  const JobIndex ja = snapshot_.task(a).job;
  const JobIndex jb = snapshot_.task(b).job;
  if (ja == jb) return CompareTasks(a, b) > 0;
  const QueueIndex qa = snapshot_.job(ja).queue;
  const QueueIndex qb = snapshot_.job(jb).queue;
  if (qa == qb || qa.is_none() || qb.is_none()) {
    // Equal jobs give their pods as if they were one: the age of a job says nothing.
    const std::weak_ordering order = RankJobs(ja, jb);
    return order != 0 ? order > 0 : CompareTasks(a, b) > 0;
  }
  const QueueIndex for_queue = snapshot_.job(snapshot_.task(preemptor).job).queue;
  const std::weak_ordering order = FirstDecisive(
      victim_queue_order_,
      [&](const VictimQueueOrder& p) { return p.CompareVictimQueues(qa, qb, for_queue); });
  return order != 0 ? order < 0 : CompareQueues(qa, qb) > 0;
}

Unfit Chains::ValidateJob(JobIndex job) const {
  return FirstRefusal(job_valid_, [&](const JobValid& p) { return p.ValidateJob(job); });
}

// Where nobody votes, a bare pod tells more of the nodes than the group that was made for it.
EnqueueVote Chains::EnqueueJob(JobIndex job) const {
  const JobFacts& facts = snapshot_.job(job);
  const bool votes = !job_enqueueable_.empty() || !facts.record->made_for_pod;
  if (votes && !facts.unserved_minimum.empty())
    return {.vote = Vote::kReject, .why = InsufficientUncounted(facts.unserved_minimum.front())};
  EnqueueVote outcome{.vote = Vote::kPermit};
  FirstTierThatVotes(job_enqueueable_, [&](const JobEnqueueable& p) {
    EnqueueVote vote = p.EnqueueJob(job);
    if (vote.vote == Vote::kReject && facts.min_resources && IsGuaranteed(job))
      vote = p.EnqueueGuaranteed(job);
    if (vote.vote == Vote::kReject) outcome = vote;
    return vote.vote;
  });
  return outcome;
}

bool Chains::IsGuaranteed(JobIndex job) const {
  return AnyAgrees(job_guaranteed_, [&](const JobGuaranteed& p) { return p.IsGuaranteed(job); });
}

void Chains::OnAdmission(bool open) {
  for (const auto& [tier, plugin, name] : job_admitted_) plugin->OnAdmission(open);
}

void Chains::OnJobAdmitted(JobIndex job) {
  for (const auto& [tier, plugin, name] : job_admitted_) plugin->OnJobAdmitted(job);
}

void Chains::TellIfHeldBack(JobIndex job) {
  if (!snapshot_.job(job).min_resources) return;
  HeldBack by = HeldBack::kNot;
  for (const auto& [tier, plugin, name] : job_admitted_) by = std::max(by, plugin->HoldsBack(job));
  for (const auto& [tier, plugin, name] : job_admitted_) {
    if (by != HeldBack::kNot) {
      plugin->OnHeldBack(job, by);
    } else {
      plugin->OnPromised(job);
    }
  }
}

bool Chains::JobReady(JobIndex job) const {
  return AllAgree(job_ready_, [&](const batholith::JobReady& p) { return p.IsJobReady(job); });
}

bool Chains::JobWhole(JobIndex job) const {
  return AllAgree(job_ready_, [&](const batholith::JobReady& p) { return p.IsJobWhole(job); });
}

bool Chains::JobPipelined(JobIndex job) const {
  return FirstTierThatVotes(
      job_pipelined_, [&](const batholith::JobPipelined& p) { return p.IsJobPipelined(job); });
}

bool Chains::JobStarving(JobIndex job) const {
  return FirstTierAgrees(job_starving_,
                         [&](const batholith::JobStarving& p) { return p.IsJobStarving(job); });
}

bool Chains::Overused(QueueIndex queue) const {
  return AnyAgrees(overused_, [&](const QueueAdmission& p) { return p.Overused(queue); });
}

QueueVerdict Chains::Admits(QueueIndex queue, TaskIndex task) const {
  return FirstRefusal(allocatable_, [&](const QueueAdmission& p) {
    return Signed(p.Admits(queue, task), p, task);
  });
}

QueueVerdict Chains::AdmitsSoon(QueueIndex queue, TaskIndex task) const {
  return FirstRefusal(allocatable_, [&](const QueueAdmission& p) {
    return Signed(p.AdmitsSoon(queue, task), p, task);
  });
}

bool Chains::AddShortfalls(QueueIndex queue, TaskIndex task, std::vector<Shortfall>& out) const {
  return std::ranges::all_of(allocatable_, [&](const Link<QueueAdmission>& link) {
    const auto* source = dynamic_cast<const ShortfallSource*>(link.plugin);
    return source != nullptr && source->AddShortfalls(queue, task, out);
  });
}

std::int64_t Chains::WeightIn(const QueueVerdict& refusal, TaskIndex task) const {
  std::optional<std::int64_t> weight;
  if (refusal.source != nullptr) weight = refusal.source->WeightIn(refusal, task);
  return weight ? *weight : snapshot_.task(task).request[refusal.why.detail];
}

bool Chains::MayReclaim(QueueIndex queue, TaskIndex task) const {
  return AllAgree(preemptive_, [&](const QueueAdmission& p) { return p.MayReclaim(queue, task); });
}

std::optional<QueueFigures> Chains::Figures(QueueIndex queue) const {
  for (const auto& [tier, plugin, name] : queue_share_) {
    if (auto figures = plugin->Figures(queue)) return figures;
  }
  return std::nullopt;
}

NodeChecks Chains::ChecksFor(TaskIndex task) const { return {snapshot_, predicates_, task}; }

Dependence Chains::DependenceOf(TaskIndex task) const {
  for (const auto& [tier, plugin, name] : predicates_) {
    if (plugin->PredicateDependence(task) == Dependence::kCluster) return Dependence::kCluster;
  }
  return ScoresAround(task) ? Dependence::kCluster : Dependence::kNode;
}

bool Chains::ScoresAround(TaskIndex task) const {
  return std::ranges::any_of(node_order_, [&](const Link<NodeOrder>& link) {
    return link.plugin->ScoreDependence(task) == Dependence::kCluster;
  });
}

std::optional<FillStyle> Chains::PreferredFill() const {
  if (node_fill_.empty()) return std::nullopt;
  const auto packs = [](const NodeFill& p) { return p.PreferredFill() == FillStyle::kPack; };
  return AnyAgrees(node_fill_, packs) ? FillStyle::kPack : FillStyle::kSpread;
}

void Chains::ScoreBy(const NodeOrder& plugin, TaskIndex task, std::span<const NodeIndex> nodes,
                     std::span<double> scores) const {
  workers_.ForRanges(nodes.size(), [&](std::size_t begin, std::size_t end) {
    plugin.Score(task, nodes.subspan(begin, end - begin), scores.subspan(begin, end - begin));
  });
}

// In soft mode any node of the own shard goes before all others, whatever plugins say.
void Chains::ScoreShard(std::span<const NodeIndex> nodes, std::span<double> scores) const {
  constexpr double kBehindAll = 4e12;  // above what weights can give, and exact to a thousandth
  if (!snapshot_.soft_shard) return;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (snapshot_.node(nodes[i]).off_shard) scores[i] -= kBehindAll;
  }
}

void Chains::Score(TaskIndex task, std::span<const NodeIndex> nodes, std::span<double> scores) {
  for (const auto& [tier, plugin, name] : node_order_) {
    ScoreBy(*plugin, task, nodes, scores);
    plugin->ScoreTogether(task, nodes, scores);
  }
  ScoreShard(nodes, scores);
}

bool Chains::ScoresRows(TaskIndex task) const {
  return std::ranges::all_of(
      node_order_, [&](const Link<NodeOrder>& link) { return link.plugin->ScoresRows(task); });
}

void Chains::ScoreRows(TaskIndex task, const NodeRows& rows, std::span<double> scores) {
  for (const auto& [tier, plugin, name] : node_order_) {
    plugin->ScoreRows(task, rows, scores);
    plugin->ScoreTogether(task, rows.nodes(), scores);
  }
  ScoreShard(rows.nodes(), scores);
}

// Up to the first plugin that scores nodes together: sums of doubles depend on their order.
void Chains::ScoreAlone(TaskIndex task, std::span<const NodeIndex> nodes,
                        std::span<double> scores) {
  ScoreShard(nodes, scores);
  for (const auto& [tier, plugin, name] : node_order_) {
    ScoreBy(*plugin, task, nodes, scores);
    if (plugin->ScoreDependence(task) == Dependence::kCluster) return;
    plugin->ScoreTogether(task, nodes, scores);
  }
}

void Chains::ScoreRest(TaskIndex task, std::span<const NodeIndex> nodes, std::span<double> scores) {
  bool rest = false;
  for (const auto& [tier, plugin, name] : node_order_) {
    const bool first = !rest && plugin->ScoreDependence(task) == Dependence::kCluster;
    if (rest) ScoreBy(*plugin, task, nodes, scores);
    rest = rest || first;
    if (rest) plugin->ScoreTogether(task, nodes, scores);
  }
}

bool Chains::signs() const {
  return std::ranges::any_of(signatures_,
                             [](const Link<TaskSignature>& link) { return link.plugin->Signs(); });
}

void Chains::Sign(TaskIndex task, std::string& out) const {
  for (const auto& [tier, plugin, name] : signatures_) {
    out += '\x1f';
    plugin->Sign(task, out);
  }
}

std::vector<VolumeChoice> Chains::VolumesOf(TaskIndex task) const {
  std::vector<VolumeChoice> out;
  for (const Link<AllocationObserver>& link : observers_) link.plugin->AddVolumes(task, out);
  return out;
}

std::vector<DeviceChoice> Chains::DevicesOf(TaskIndex task) const {
  std::vector<DeviceChoice> out;
  for (const Link<AllocationObserver>& link : observers_) link.plugin->AddDevices(task, out);
  return out;
}

void Chains::OnMoved(TaskIndex task, NodeIndex node, bool holds) {
  for (const auto& [tier, observer, name] : observers_) {
    if (holds) {
      observer->OnAllocate(task, node);
    } else {
      observer->OnDeallocate(task, node);
    }
  }
}

}  // namespace batholith
