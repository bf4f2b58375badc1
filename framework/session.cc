#include "framework/session.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "api/check.h"
#include "conf/arg_specs.h"
#include "framework/combine.h"

namespace batholith {
namespace {

// Nobody's leaving helps: no node has any of it.
Unfit InsufficientUncounted(std::size_t resource) {
  return {Reason::kInsufficientResource, false, static_cast<std::uint32_t>(resource)};
}

// Whom the conf lets use the room of placeholders.
SlackConsumers ConsumersOf(const Pipeline& pipeline) {
  for (const Pipeline::ActionEntry& action : pipeline.actions) {
    if (action.descriptor->name != "slack") continue;
    const Result<SlackArguments> parsed = ParseSlackArguments(action.arguments);
    CHECK(parsed.has_value());  // the conf was refused otherwise
    return parsed->consumers;
  }
  return {};
}

}  // namespace

void UnfitHistogram::Add(const Unfit& unfit, const Predicate* source, std::int32_t count) {
  for (Entry& e : entries) {
    if (e.unfit == unfit && e.source == source) {
      e.count += count;
      return;
    }
  }
  entries.push_back({unfit, source, count});
}

template <typename PointClass>
void Session::Collect(Chain<PointClass>& chain, Plugin* plugin, const Pipeline::PluginEntry& entry,
                      std::optional<Point> point) {
  if (point && !entry.conf.points.Has(*point)) return;
  if (auto* p = dynamic_cast<PointClass*>(plugin)) chain.push_back({entry.tier, p});
}

Session::Session(const Snapshot& snapshot, const Pipeline& pipeline, const CycleOptions& options)
    : snapshot_(snapshot),
      pipeline_(pipeline),
      options_(options),
      workers_(options.threads),
      state_(snapshot),
      slack_guard_(snapshot, ConsumersOf(pipeline), options.slack_before),
      traced_(snapshot.tasks.size()) {
  result_.notices = snapshot.notices;
  phases_.reserve(snapshot.jobs.size());
  for (const JobFacts& job : snapshot.jobs) {
    phases_.push_back(job.record->phase == JobPhase::kNone ? JobPhase::kPending
                                                           : job.record->phase);
  }
  arguments_.reserve(pipeline.plugins.size());
  for (const Pipeline::PluginEntry& entry : pipeline.plugins) {
    arguments_.emplace_back(entry.conf.arguments, ArgSpecsOf(entry.conf.name));
    plugins_.push_back(entry.descriptor->make(
        {snapshot_, state_, entry.conf, arguments_.back(), phases_, &slack_guard_}));
    Plugin* p = plugins_.back().get();
    OrderStep step;
    if (entry.conf.points.Has(Point::kJobOrder)) step.job = dynamic_cast<JobOrder*>(p);
    if (entry.conf.points.Has(Point::kNamespaceOrder))
      step.name_space = dynamic_cast<NamespaceOrder*>(p);
    if (step.job != nullptr || step.name_space != nullptr) job_order_.push_back(step);
    Collect(queue_order_, p, entry, Point::kQueueOrder);
    Collect(task_order_, p, entry, Point::kTaskOrder);
    Collect(job_valid_, p, entry, std::nullopt);
    Collect(job_enqueueable_, p, entry, Point::kJobEnqueued);
    Collect(job_admitted_, p, entry, Point::kJobEnqueued);
    Collect(job_ready_, p, entry, Point::kJobReady);
    Collect(job_pipelined_, p, entry, Point::kJobPipelined);
    Collect(job_starving_, p, entry, Point::kJobStarving);
    Collect(predicates_, p, entry, Point::kPredicate);
    Collect(node_order_, p, entry, Point::kNodeOrder);
    Collect(preemptable_, p, entry, Point::kPreemptable);
    Collect(reclaimable_, p, entry, Point::kReclaimable);
    Collect(overused_, p, entry, Point::kOverused);
    Collect(allocatable_, p, entry, Point::kAllocatable);
    Collect(preemptive_, p, entry, Point::kPreemptive);
    Collect(queue_share_, p, entry, std::nullopt);
    Collect(quota_victims_, p, entry, std::nullopt);
    Collect(quota_report_, p, entry, std::nullopt);
    Collect(revocation_, p, entry, std::nullopt);
    Collect(victim_queue_order_, p, entry, std::nullopt);
    Collect(victim_tasks_, p, entry, Point::kVictim);
    Collect(observers_, p, entry, std::nullopt);
    Collect(signatures_, p, entry, std::nullopt);
  }
  BuildClasses();
}

void Session::BuildClasses() {
  classes_.reserve(snapshot_.tasks.size());
  if (signatures_.empty() && !slack_guard_.on()) {
    for (const TaskFacts& task : snapshot_.tasks) classes_.push_back(task.base_class);
    class_count_ = snapshot_.base_classes;
    return;
  }
  std::unordered_map<std::string, ClassIndex> known;  // looked up only, never walked
  std::string key;
  for (std::size_t t = 0; t < snapshot_.tasks.size(); ++t) {
    key = std::to_string(snapshot_.tasks[t].base_class.value());
    for (const auto& [tier, plugin] : signatures_) {
      key += '\x1f';
      plugin->Sign(TaskIndex(t), key);
    }
    if (slack_guard_.on()) key += slack_guard_.MayUse(TaskIndex(t)) ? "\x1f+" : "\x1f-";
    classes_.push_back(known.try_emplace(key, ClassIndex(known.size())).first->second);
  }
  class_count_ = known.size();
}

std::weak_ordering Session::CompareQueues(QueueIndex a, QueueIndex b) const {
  const std::weak_ordering order =
      FirstDecisive(queue_order_, [&](const QueueOrder& p) { return p.CompareQueues(a, b); });
  return order != 0 ? order : a <=> b;
}

std::weak_ordering Session::CompareJobs(JobIndex a, JobIndex b) const {
  const JobFacts& ja = snapshot_.job(a);
  const JobFacts& jb = snapshot_.job(b);
  const bool two_namespaces =
      ja.namespace_ != jb.namespace_ && ja.queue == jb.queue && !ja.queue.is_none();
  for (const OrderStep& step : job_order_) {
    if (two_namespaces && step.name_space != nullptr) {
      const std::weak_ordering order =
          step.name_space->CompareNamespaces(ja.queue, ja.namespace_, jb.namespace_);
      if (order != 0) return order;
    }
    if (step.job != nullptr) {
      const std::weak_ordering order = step.job->CompareJobs(a, b);
      if (order != 0) return order;
    }
  }
  return a <=> b;
}

std::weak_ordering Session::CompareTasks(TaskIndex a, TaskIndex b) const {
  const std::weak_ordering order =
      FirstDecisive(task_order_, [&](const TaskOrder& p) { return p.CompareTasks(a, b); });
  if (order != 0) return order;
  const std::int64_t na = snapshot_.task(a).name_number;
  const std::int64_t nb = snapshot_.task(b).name_number;
  if (na >= 0 && nb >= 0 && na != nb) return na <=> nb;
  return a <=> b;
}

bool Session::VictimFallsBefore(TaskIndex a, TaskIndex b, TaskIndex asker) const {
  const JobIndex ja = snapshot_.task(a).job;
  const JobIndex jb = snapshot_.task(b).job;
  if (ja == jb) return CompareTasks(a, b) > 0;
  const QueueIndex qa = snapshot_.job(ja).queue;
  const QueueIndex qb = snapshot_.job(jb).queue;
  if (qa == qb || qa.is_none() || qb.is_none()) return CompareJobs(ja, jb) > 0;
  const QueueIndex for_queue = snapshot_.job(snapshot_.task(asker).job).queue;
  const std::weak_ordering order = FirstDecisive(
      victim_queue_order_,
      [&](const VictimQueueOrder& p) { return p.CompareVictimQueues(qa, qb, for_queue); });
  return order != 0 ? order < 0 : CompareQueues(qa, qb) > 0;
}

Unfit Session::ValidateJob(JobIndex job) const {
  return FirstRefusal(job_valid_, [&](const JobValid& p) { return p.ValidateJob(job); });
}

// Where nobody votes, a bare pod tells more of the nodes than the group that was made for it.
bool Session::EnqueueJob(JobIndex job) {
  EnqueueVote refusal;
  const JobFacts& facts = snapshot_.job(job);
  const bool votes = !job_enqueueable_.empty() || !facts.record->made_for_pod;
  if (votes && !facts.unserved_minimum.empty()) {
    refusal = {.vote = Vote::kReject, .why = InsufficientUncounted(facts.unserved_minimum.front())};
    RecordEnqueueRefusal(job, refusal);
    return false;
  }
  const bool yes = FirstTierThatVotes(job_enqueueable_, [&](const JobEnqueueable& p) {
    const EnqueueVote vote = p.EnqueueJob(job);
    if (vote.vote == Vote::kReject) refusal = vote;
    return vote.vote;
  });
  if (!yes) {
    RecordEnqueueRefusal(job, refusal);
    return false;
  }
  AdmitWithoutVote(job);
  return true;
}

void Session::AdmitWithoutVote(JobIndex job) {
  for (const auto& [tier, plugin] : job_admitted_) plugin->OnJobAdmitted(job);
}

bool Session::JobReady(JobIndex job) const {
  return AllAgree(job_ready_, [&](const batholith::JobReady& p) { return p.IsJobReady(job); });
}

bool Session::JobPipelined(JobIndex job) const {
  return FirstTierThatVotes(
      job_pipelined_, [&](const batholith::JobPipelined& p) { return p.IsJobPipelined(job); });
}

bool Session::JobStarving(JobIndex job) const {
  return FirstTierAgrees(job_starving_,
                         [&](const batholith::JobStarving& p) { return p.IsJobStarving(job); });
}

bool Session::Overused(QueueIndex queue) const {
  return AnyAgrees(overused_, [&](const QueueAdmission& p) { return p.Overused(queue); });
}

QueueVerdict Session::Admits(QueueIndex queue, TaskIndex task) const {
  return FirstRefusal(allocatable_, [&](const QueueAdmission& p) { return p.Admits(queue, task); });
}

QueueVerdict Session::AdmitsSoon(QueueIndex queue, TaskIndex task) const {
  return FirstRefusal(allocatable_,
                      [&](const QueueAdmission& p) { return p.AdmitsSoon(queue, task); });
}

std::string Session::RefusalText(TaskIndex task) const {
  const QueueIndex queue = snapshot_.job(snapshot_.task(task).job).queue;
  for (const auto& [tier, plugin] : allocatable_) {
    if (!plugin->Admits(queue, task).ok()) return plugin->RefusalText(task);
  }
  // A gang that failed gave back what it had, so each of its tasks would be admitted again.
  for (const auto& [tier, plugin] : allocatable_) {
    if (std::string text = plugin->RefusalText(task); !text.empty()) return text;
  }
  return {};
}

void Session::ReportQuotas() {
  for (const auto& [tier, plugin] : quota_report_)
    plugin->ReportQuotas(options_.quota_pods, result_);
}

bool Session::MayReclaim(QueueIndex queue, TaskIndex task) const {
  return AllAgree(preemptive_, [&](const QueueAdmission& p) { return p.MayReclaim(queue, task); });
}

std::optional<QueueFigures> Session::Figures(QueueIndex queue) const {
  for (const auto& [tier, plugin] : queue_share_) {
    if (auto figures = plugin->Figures(queue)) return figures;
  }
  return std::nullopt;
}

void Session::PreparePredicates(TaskIndex task) const {
  for (const auto& [tier, plugin] : predicates_) plugin->Prepare(task);
}

Unfit Session::CheckNode(TaskIndex task, NodeIndex node, const Predicate** source) const {
  if (snapshot().node(node).closed) return {Reason::kNodeClosed, false, 0};
  for (const auto& [tier, plugin] : predicates_) {
    const Unfit why = plugin->CheckNode(task, node);
    if (!why.ok()) {
      if (source != nullptr) *source = plugin;
      return why;
    }
  }
  return Served(task);
}

Unfit Session::Served(TaskIndex task) const {
  const TaskFacts& facts = snapshot_.task(task);
  if (!facts.unserved) return {};
  return InsufficientUncounted(snapshot_.Uncounted(facts.record->request).front());
}

Unfit Session::CheckNodeUnspread(TaskIndex task, NodeIndex node) const {
  if (snapshot().node(node).closed) return {Reason::kNodeClosed, false, 0};
  for (const auto& [tier, plugin] : predicates_) {
    const Unfit why = plugin->CheckNode(task, node);
    if (!why.ok() && why.reason != Reason::kTopologySpread) return why;
  }
  return Served(task);
}

std::vector<HardSpread> Session::HardSpreadOf(TaskIndex task) const {
  std::vector<HardSpread> out;
  for (const auto& [tier, plugin] : predicates_) plugin->AddHardSpread(task, out);
  return out;
}

Dependence Session::DependenceOf(TaskIndex task) const {
  for (const auto& [tier, plugin] : predicates_) {
    if (plugin->PredicateDependence(task) == Dependence::kCluster) return Dependence::kCluster;
  }
  for (const auto& [tier, plugin] : node_order_) {
    if (plugin->ScoreDependence(task) == Dependence::kCluster) return Dependence::kCluster;
  }
  return Dependence::kNode;
}

void Session::Score(TaskIndex task, std::span<const NodeIndex> nodes,
                    std::span<double> scores) const {
  for (const auto& [tier, plugin] : node_order_) {
    workers_.ForRanges(nodes.size(), [&](std::size_t begin, std::size_t end) {
      plugin->Score(task, nodes.subspan(begin, end - begin), scores.subspan(begin, end - begin));
    });
    plugin->ScoreTogether(task, nodes, scores);
  }
}

bool Session::Traced(TaskIndex task) {
  if (!options_.trace || traced_[task.value()]) return false;
  traced_[task.value()] = true;
  return true;
}

void Session::Apply(TaskIndex task, TaskStatus status, NodeIndex node) {
  const TaskStatus before = state_.status(task);
  const NodeIndex old_node = state_.node(task);
  state_.Move(task, status, node);
  const bool held = HoldsAllocation(before) || before == TaskStatus::kPipelined;
  const bool holds = HoldsAllocation(status) || status == TaskStatus::kPipelined;
  if (held == holds) return;
  for (const auto& [tier, observer] : observers_) {
    if (holds) {
      observer->OnAllocate(task, node);
    } else {
      observer->OnDeallocate(task, old_node);
    }
  }
}

}  // namespace batholith
