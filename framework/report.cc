#include "framework/report.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "api/allocated_hyper_node.h"
#include "framework/disruption_report.h"
#include "framework/explain.h"

namespace batholith {
namespace {

ResourceList ToList(const ResourceSchema& schema, const ResourceVector& v) {
  ResourceList out;
  for (std::size_t r = 0; r < schema.size(); ++r) {
    if (v[r] != 0) out[schema.name(r)] = v[r];
  }
  return out;
}

// As the cluster will see it once the effects are there.
TaskStatus Outward(TaskStatus s) {
  if (s == TaskStatus::kBinding) return TaskStatus::kBound;
  if (s == TaskStatus::kPipelined || s == TaskStatus::kAllocated) return TaskStatus::kPending;
  return s;
}

// Pods that have, or had, a node; of those that leave, who is on it still.
std::int32_t Scheduled(const Session& session, JobIndex job) {
  const JobCounters& c = session.state().job(job);
  const std::int32_t staying = c.Of(TaskStatus::kRunning) + c.Of(TaskStatus::kBound) +
                               c.Of(TaskStatus::kFailed) + c.Of(TaskStatus::kSucceeded);
  if (c.Of(TaskStatus::kReleasing) == 0) return staying;
  const auto leaving = std::ranges::count_if(session.snapshot().job(job).tasks, [&](TaskIndex t) {
    return session.state().status(t) == TaskStatus::kReleasing &&
           !session.state().node(t).is_none();
  });
  return staying + static_cast<std::int32_t>(leaving);
}

// What was bound in this session does not count yet. Differs from Volcano: a group
// of which nothing was ever scheduled is never Completed (docs/parity.md).
JobPhase NextPhase(const Session& session, JobIndex job, bool gang_short) {
  const JobCounters& c = session.state().job(job);
  const std::int32_t scheduled = Scheduled(session, job);
  if (c.Of(TaskStatus::kRunning) > 0 && gang_short) return JobPhase::kUnknown;
  if (scheduled > 0 && scheduled >= session.snapshot().job(job).min_available) {
    const bool finished = c.Of(TaskStatus::kFailed) + c.Of(TaskStatus::kSucceeded) == scheduled;
    return finished ? JobPhase::kCompleted : JobPhase::kRunning;
  }
  return session.state().phase(job) == JobPhase::kInqueue ? JobPhase::kInqueue : JobPhase::kPending;
}

// Whether the gang lacks members: some wait, or too few stay. While pods are leaving, those that
// failed and those that leave count still, as for the phase.
bool GangShort(const Session& session, JobIndex job) {
  const JobFacts& facts = session.snapshot().job(job);
  if (facts.tasks.empty() || session.chains().JobReady(job)) return false;
  const JobCounters& c = session.state().job(job);
  if (c.Of(TaskStatus::kPending) > 0 || c.Waiting() > 0) return true;
  const std::int32_t have = c.Of(TaskStatus::kReleasing) > 0 ? Scheduled(session, job) : c.Ready();
  return have < facts.min_available;
}

// Whether the minimum has places. Pods that ask for nothing and wait have none, although a gang may
// start with them.
bool HasPlaces(const Session& session, JobIndex job) {
  const std::int32_t have = std::max(session.state().job(job).Ready(), Scheduled(session, job));
  return have >= std::max(session.snapshot().job(job).min_available, 1);
}

const JobCondition& AllScheduled() {
  static const JobCondition kCondition{"Scheduled", "True",
                                       "tasks in gang are ready to be scheduled", ""};
  return kCondition;
}

// What keeps the gang from its places, in one line; before its pods come that is about the group.
std::string GangText(const Session& session, JobIndex job, const Explanation& why) {
  const JobFacts& facts = session.snapshot().job(job);
  if (facts.tasks.empty()) return why.message;
  const std::int32_t unready = std::max(
      facts.min_available - session.state().job(job).Ready() - session.attempts().GivenBack(job),
      0);
  // Of a gang that lacks members those count as well: Volcano writes 3/2 there.
  const std::size_t total =
      std::max(facts.tasks.size(), static_cast<std::size_t>(std::max(facts.min_available, 0)));
  return std::to_string(unready) + "/" + std::to_string(total) + " tasks in gang unschedulable" +
         (why.message.empty() ? "" : ": " + why.message);
}

// Which of Scheduled and Unschedulable is True, where it is made in `own`; nullptr: neither. Of an
// admitted group without pods neither is said: its controller is making them.
const JobCondition* ConditionOf(const Session& session, JobIndex job, bool gang_short,
                                const Explanation& why, JobCondition& own) {
  const JobFacts& facts = session.snapshot().job(job);
  if (facts.tasks.empty() && why.message.empty()) return nullptr;
  if (!gang_short && HasPlaces(session, job)) return &AllScheduled();
  std::string reason =
      why.reason.empty() || why.reason == "Unschedulable" ? "NotEnoughResources" : why.reason;
  own = {"Unschedulable", "True", std::move(reason), GangText(session, job, why)};
  return &own;
}

bool IsOurs(const JobCondition& c) { return c.type == "Scheduled" || c.type == "Unschedulable"; }

// One consistent set: the two are never both True; conditions of other types stay, and come first.
// Where the record says the same already, it is the record's.
Shared<std::vector<JobCondition>> Conditions(const PodGroupRecord& record,
                                             const JobCondition* now) {
  const std::vector<JobCondition>& before = record.conditions;
  const auto ours = std::ranges::find_if(before, IsOurs);
  const bool is_said = now != nullptr
                           ? ours != before.end() && ours + 1 == before.end() && *ours == *now
                           : ours == before.end();
  if (is_said) return record.conditions;
  std::vector<JobCondition> out;
  std::ranges::remove_copy_if(before, std::back_inserter(out), IsOurs);
  if (now != nullptr) out.push_back(*now);
  return out;
}

double DominantShare(const Snapshot& snapshot, const ResourceVector& allocated) {
  double share = 0;
  for (std::size_t r = 0; r < snapshot.schema.size(); ++r) {
    if (snapshot.total[r] > 0)
      share = std::max(share,
                       static_cast<double>(allocated[r]) / static_cast<double>(snapshot.total[r]));
  }
  return share;
}

bool AsksForHyperNode(const JobFacts& job) {
  const auto asks = [](const std::optional<NetworkTopology>& topology) {
    return topology && topology->of_hyper_nodes();
  };
  return asks(job.record->network_topology) ||
         std::ranges::any_of(job.record->sub_group_policies,
                             [&](const SubGroupPolicy& p) { return asks(p.network_topology); });
}

// The closest HyperNode around all pods of the job that have a node. Of domains that are made of
// labels nothing is told: they have no object.
std::optional<std::string> HyperNodeAround(const Session& session, JobIndex job) {
  const TopologyOwner* topology = session.chains().topology();
  const Snapshot& s = session.snapshot();
  if (topology == nullptr || s.objects->hyper_nodes.empty() || !AsksForHyperNode(s.job(job)))
    return std::nullopt;
  const DomainTree& tree = topology->tree();
  DomainIndex around;
  for (const TaskIndex t : s.job(job).tasks) {
    const NodeIndex node = session.state().node(t);
    if (node.is_none() || !HoldsAllocation(session.state().status(t))) continue;
    around = around.is_none() ? tree.LeafOf(node) : tree.Common(around, node);
  }
  return around.is_none() ? std::string() : tree[around].name;
}

// Of a job that stands for several groups, one status for each of them.
void ReportParts(Session& session, JobIndex job, const JobStatus& whole) {
  const Snapshot& s = session.snapshot();
  const JobFacts& facts = s.job(job);
  if (facts.record->starts_with.empty()) return;
  std::vector<JobStatus> parts(facts.sub_jobs.size());
  std::vector<std::int32_t> placed(parts.size());
  for (const TaskIndex t : facts.tasks) {
    const TaskStatus status = session.state().status(t);
    ++parts[s.task(t).sub_job].tasks[TaskStatusName(Outward(status))];
    if (CountsAsReady(status)) ++placed[s.task(t).sub_job];
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    JobStatus& part = parts[i];
    part.key = facts.sub_jobs[i].name;
    part.queue = whole.queue;
    part.phase = whole.phase;
    part.min_member = facts.sub_jobs[i].min_available;
    if (placed[i] >= part.min_member) {
      part.conditions = std::vector{AllScheduled()};
    } else {
      part.message = whole.message;
      for (const JobCondition& c : whole.conditions) {
        if (c.type == "Unschedulable") part.conditions.Edit().push_back(c);
      }
    }
    session.result().jobs.push_back(std::move(part));
  }
}

// As a rule a job has as many tasks of each status as the one before, so that both share them.
class SharedCounts {
 public:
  const Shared<std::map<std::string, std::int32_t>>& Of(const JobCounters& counters) {
    if (counters.by_status == of_) return counts_;
    of_ = counters.by_status;
    std::map<std::string, std::int32_t> counts;
    for (std::size_t i = 0; i < of_.size(); ++i) {
      if (of_[i] > 0) counts[TaskStatusName(Outward(static_cast<TaskStatus>(i)))] += of_[i];
    }
    counts_ = std::move(counts);
    return counts_;
  }

 private:
  decltype(JobCounters::by_status) of_{};
  Shared<std::map<std::string, std::int32_t>> counts_;
};

void ReportJobs(Session& session, std::vector<Explanation>& explanations) {
  const Snapshot& s = session.snapshot();
  SharedCounts counts;
  session.result().jobs.reserve(s.jobs.size());
  for (std::size_t j = 0; j < s.jobs.size(); ++j) {
    const JobIndex job(j);
    const JobFacts& facts = s.jobs[j];
    const JobCounters& c = session.state().job(job);
    const bool waits = c.Of(TaskStatus::kPending) + c.Waiting() > 0 ||
                       session.state().phase(job) == JobPhase::kPending;
    if (waits) explanations[j] = ExplainJob(session, job);
    JobStatus status;
    status.key = facts.key;
    status.queue =
        facts.queue.is_none() ? facts.wanted_queue() : s.queue(facts.queue).record->meta.name;
    const bool gang_short = GangShort(session, job);
    status.phase = NextPhase(session, job, gang_short);
    status.min_member = facts.min_available;
    status.tasks = counts.Of(c);
    JobCondition own;
    status.conditions =
        Conditions(*facts.record, ConditionOf(session, job, gang_short, explanations[j], own));
    status.message = explanations[j].message;
    status.share = DominantShare(s, session.state().job_allocated(job));
    status.hyper_node = HyperNodeAround(session, job);
    const JobPhase before =
        facts.record->phase == JobPhase::kNone ? JobPhase::kPending : facts.record->phase;
    // Of a group whose pods start each alone no phase is kept.
    const bool alone =
        facts.record->api == GroupApi::kKubernetes && facts.key != facts.record->Identity();
    if (status.phase != before && !alone) session.result().had_effect = true;
    status.changed = !facts.record->starts_with.empty() || status.phase != facts.record->phase ||
                     status.conditions != facts.record->conditions ||
                     !HasHyperNode(status.hyper_node, *facts.record);
    ReportParts(session, job, status);
    session.result().jobs.push_back(std::move(status));
  }
}

void ReportQueues(Session& session) {
  const Snapshot& s = session.snapshot();
  for (std::size_t q = 0; q < s.queues.size(); ++q) {
    const QueueFacts& facts = s.queues[q];
    QueueStatus status;
    status.name = facts.record->meta.name;
    status.state = facts.record->state;
    status.weight = facts.record->weight;
    status.capability = facts.record->capability;
    status.overused = session.chains().Overused(QueueIndex(q));
    status.jobs = static_cast<std::int32_t>(facts.jobs.size());
    ResourceVector request = session.state().queue_allocated(QueueIndex(q));
    status.allocated = ToList(s.schema, request);
    ResourceVector inqueue;
    for (const JobIndex job : facts.jobs) {
      if (session.state().phase(job) == JobPhase::kInqueue && s.job(job).min_resources)
        inqueue += *s.job(job).min_resources;
      const JobCounters& counters = session.state().job(job);
      if (counters.Of(TaskStatus::kPending) + counters.Waiting() == 0) continue;
      for (const TaskIndex t : s.job(job).tasks) {
        if (!HoldsAllocation(session.state().status(t)) &&
            s.task(t).status == TaskStatus::kPending) {
          request += s.task(t).request;
        }
      }
    }
    status.request = ToList(s.schema, request);
    status.inqueue = ToList(s.schema, inqueue);
    status.deserved = ToList(s.schema, facts.deserved);
    if (const auto figures = session.chains().Figures(QueueIndex(q))) {
      status.deserved = ToList(s.schema, figures->deserved);
      status.share = figures->share;
    }
    session.result().queues.push_back(std::move(status));
  }
}

void ReportNodes(Session& session) {
  const Snapshot& s = session.snapshot();
  for (std::size_t n = 0; n < s.nodes.size(); ++n) {
    const NodeIndex node(n);
    session.result().nodes.push_back({s.nodes[n].record->meta.name,
                                      ToList(s.schema, s.nodes[n].allocatable),
                                      ToList(s.schema, session.state().used(node)),
                                      ToList(s.schema, session.state().idle(node))});
  }
}

void ReportNamespaces(Session& session) {
  const Snapshot& s = session.snapshot();
  std::map<std::pair<QueueIndex, NamespaceIndex>, ResourceVector> used;
  auto last = used.end();  // as a rule the next job is of the same
  for (std::size_t j = 0; j < s.jobs.size(); ++j) {
    if (s.jobs[j].queue.is_none()) continue;
    const std::pair of(s.jobs[j].queue, s.jobs[j].namespace_);
    if (last == used.end() || last->first != of) last = used.try_emplace(of).first;
    last->second += session.state().job_allocated(JobIndex(j));
  }
  for (const auto& [key, allocated] : used) {
    const NamespaceFacts& namespace_ = s.namespaces[key.second.value()];
    session.result().namespaces.push_back({s.queue(key.first).record->meta.name, namespace_.name,
                                           namespace_.weight, DominantShare(s, allocated),
                                           ToList(s.schema, allocated)});
  }
}

void ReportPods(Session& session, const std::vector<Explanation>& explanations) {
  const Snapshot& s = session.snapshot();
  for (std::size_t t = 0; t < s.tasks.size(); ++t) {
    const TaskStatus status = session.state().status(TaskIndex(t));
    const TaskFacts& facts = s.tasks[t];
    if (status != TaskStatus::kPending && status != TaskStatus::kPipelined &&
        status != TaskStatus::kAllocated)
      continue;
    if (facts.job.is_none()) {
      if (facts.foreign || facts.record->group.empty()) continue;
      session.result().pods.push_back({facts.record->meta.Key(), "GroupMissing",
                                       "pod group " + facts.record->group + " does not exist"});
      continue;
    }
    Explanation why = ExplainTask(session, TaskIndex(t), explanations[facts.job.value()]);
    session.result().pods.push_back(
        {facts.record->meta.Key(), std::move(why.reason), std::move(why.message)});
  }
}

}  // namespace

std::string UnfitText(const Snapshot& snapshot, const UnfitHistogram& histogram) {
  std::vector<std::pair<std::int32_t, std::string>> parts;
  for (const UnfitHistogram::Entry& e : histogram.entries) {
    std::string detail;
    if (e.source != nullptr) detail = e.source->DetailText(e.unfit);
    if (e.source == nullptr) detail = snapshot.ResourceName(e.unfit.detail);
    parts.emplace_back(e.count, ReasonText(e.unfit.reason, detail));
  }
  std::ranges::sort(parts, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::string out = "0/" + std::to_string(histogram.nodes) + " nodes are available";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out += (i == 0 ? ": " : ", ") + std::to_string(parts[i].first) + " " + parts[i].second;
  }
  return out;
}

void Report(Session& session) {
  const Snapshot& s = session.snapshot();
  std::vector<Explanation> explanations(s.jobs.size());
  ReportJobs(session, explanations);
  ReportDisruption(session);
  ReportQueues(session);
  ReportNamespaces(session);
  if (session.options().nodes) ReportNodes(session);
  ReportPods(session, explanations);
  if (s.shard) session.result().shards.push_back(*s.shard);
  if (const TopologyOwner* topology = session.chains().topology())
    topology->ReportDomains(session.result());
  if (const QuotaOwner* quotas = session.chains().quotas())
    quotas->ReportQuotas(session.options().quota_pods, session.result());
}

}  // namespace batholith
