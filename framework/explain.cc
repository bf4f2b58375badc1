#include "framework/explain.h"

#include <algorithm>
#include <vector>

#include "framework/report.h"

namespace batholith {
namespace {

std::string DimensionNames(const Snapshot& s, std::uint32_t dims, const char* word) {
  std::string out;
  for (std::size_t r = 0; r < s.schema.size(); ++r) {
    if (((dims >> r) & 1U) == 0) continue;
    out += (out.empty() ? "" : ", ") + std::string(word) + " " + s.schema.name(r);
  }
  return out;
}

std::string QueueName(const Snapshot& s, JobIndex job) {
  const JobFacts& facts = s.job(job);
  return facts.queue.is_none() ? facts.record->queue : s.queue(facts.queue).record->meta.name;
}

Explanation NotAdmitted(const Session& session, JobIndex job) {
  const Snapshot& s = session.snapshot();
  const auto it = session.enqueue_refusal().find(job);
  if (it == session.enqueue_refusal().end())
    return {"NotEnqueued", "the group waits to be enqueued"};
  const EnqueueVote& vote = it->second;
  switch (vote.why.reason) {
    case Reason::kQueueClosed:
      return {"QueueClosed", "queue " + QueueName(s, job) + " is not open"};
    case Reason::kClusterOverused:
      return {"NotEnqueued",
              "resource in cluster is overused: " + DimensionNames(s, vote.short_dims, "overused")};
    case Reason::kNamespaceQuota:
      return {"NotEnqueued",
              "resource quota of namespace " + s.job(job).record->meta.namespace_ +
                  " insufficient: " + DimensionNames(s, vote.short_dims, "insufficient")};
    default:
      return {"NotEnqueued", "queue resource quota insufficient: " +
                                 DimensionNames(s, vote.short_dims, "insufficient")};
  }
}

std::string QueueRefusal(const Session& session, JobIndex job, const Unfit& why) {
  const Snapshot& s = session.snapshot();
  const std::string queue = "queue " + QueueName(s, job);
  if (why.reason == Reason::kQueueClosed) return queue + " is not open";
  if (why.reason == Reason::kQueueOverused) return queue + " has all that it deserves";
  for (const TaskIndex t : s.job(job).tasks) {
    if (session.state().status(t) != TaskStatus::kPending) continue;
    if (std::string text = session.RefusalText(t); !text.empty()) return text;
    break;
  }
  if (why.reason == Reason::kQuotaOverLimit)
    return "the elastic quota had no room when it was tried";
  return queue + " is at its limit: insufficient " + s.schema.name(why.detail);
}

// How many pods the gang still lacks, as text; empty when it has its minimum.
std::string GangShortage(const Session& session, JobIndex job) {
  const JobFacts& facts = session.snapshot().job(job);
  const JobCounters& counters = session.state().job(job);
  const auto attempt = session.attempted().find(job);
  const std::int32_t placed = attempt == session.attempted().end() ? 0 : attempt->second;
  const std::int32_t have =
      counters.Ready() + (counters.Waiting() > 0 ? counters.Waiting() : placed);
  if (session.JobReady(job) || facts.min_available <= 0) return {};
  if (have >= facts.min_available)
    return "gang not complete (" + std::to_string(facts.min_available) + " needed)";
  return "gang short by " + std::to_string(facts.min_available - have) + " of " +
         std::to_string(facts.min_available);
}

const UnfitHistogram* AnyUnfit(const Session& session, JobIndex job) {
  for (const TaskIndex t : session.snapshot().job(job).tasks) {
    if (session.state().status(t) != TaskStatus::kPending) continue;
    if (const auto it = session.unfit().find(t); it != session.unfit().end()) return &it->second;
  }
  return nullptr;
}

}  // namespace

Explanation ExplainJob(const Session& session, JobIndex job) {
  const Snapshot& s = session.snapshot();
  const JobFacts& facts = s.job(job);
  if (facts.queue.is_none())
    return {"QueueMissing", "queue " + QueueName(s, job) + " does not exist"};
  if (session.phase(job) == JobPhase::kPending) return NotAdmitted(session, job);
  if (const Unfit why = session.ValidateJob(job); !why.ok()) {
    return {"NotEnoughTasks", ReasonText(why.reason, std::to_string(why.detail)) +
                                  ", min: " + std::to_string(facts.min_available)};
  }
  const std::string shortage = GangShortage(session, job);
  std::string blocks;
  if (const auto it = session.queue_refusal().find(job); it != session.queue_refusal().end()) {
    blocks = QueueRefusal(session, job, it->second);
  } else if (const UnfitHistogram* unfit = AnyUnfit(session, job)) {
    blocks = UnfitText(s, *unfit);
  }
  if (shortage.empty() && blocks.empty()) return {};
  const std::string glue = shortage.empty() || blocks.empty() ? "" : ": ";
  return {"Unschedulable", shortage + glue + blocks};
}

Explanation ExplainTask(const Session& session, TaskIndex task, const Explanation& job) {
  const Snapshot& s = session.snapshot();
  const TaskFacts& facts = s.task(task);
  if (facts.gated) {
    std::string gates;
    for (const std::string& gate : facts.record->scheduling_gates)
      gates += (gates.empty() ? "" : ", ") + gate;
    return {"SchedulingGated", "waits for scheduling gates: " + gates};
  }
  if (session.state().status(task) == TaskStatus::kPipelined) {
    return {"Unschedulable", "can be assigned to " +
                                 s.node(session.state().node(task)).record->meta.name +
                                 " once resource is released and the gang is complete"};
  }
  if (const auto it = session.unfit().find(task);
      it != session.unfit().end() && session.JobReady(facts.job)) {
    return {"Unschedulable", UnfitText(s, it->second)};
  }
  if (!job.message.empty()) return job;
  return {"Unschedulable", "not tried in this session"};
}

}  // namespace batholith
