#include "framework/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <set>

#include "api/shortage_text.h"
#include "framework/report.h"
#include "framework/topology_text.h"

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

std::string Joined(const std::string& first, const char* glue, const std::string& second) {
  return first + (first.empty() || second.empty() ? "" : glue) + second;
}

std::string QueueName(const Snapshot& s, JobIndex job) {
  const JobFacts& facts = s.job(job);
  return facts.queue.is_none() ? facts.wanted_queue() : s.queue(facts.queue).record->meta.name;
}

std::string Named(const Snapshot& s, QueueIndex queue) {
  return "queue " + s.queue(queue).record->meta.name;
}

// "…: insufficient cpu (8 held + 2 asked > 9)"
std::string LimitText(const Snapshot& s, const std::string& what, const QueueVerdict& verdict) {
  const std::string& name = s.schema.name(verdict.why.detail);
  return what + ": insufficient " + name + " (" +
         ShortageText(name, verdict.held, verdict.asked, verdict.limit).text() + ")";
}

// What is short and in which queue, with the amounts of the first of it where they are told:
// "insufficient cpu (8 held + 2 asked > 9)". Of several the amounts name their own.
std::string ShortText(const Snapshot& s, const EnqueueVote& vote) {
  std::string out = DimensionNames(s, vote.short_dims, "insufficient");
  if (!vote.queue.is_none()) out += " in " + Named(s, vote.queue);
  if (vote.asked <= 0 || vote.short_dims == 0) return out;
  const std::string& name =
      s.schema.name(static_cast<std::size_t>(std::countr_zero(vote.short_dims)));
  out += std::has_single_bit(vote.short_dims) ? " (" : " (" + name + ": ";
  out += ShortageText(name, vote.held, vote.asked, vote.limit).text();
  return out + (vote.limit_from.empty() ? ")" : ", " + vote.limit_from + ")");
}

// Why the job's queue, or one above it, does not serve it. Reason QueueInvalid: nothing but a
// change of the queues helps.
Explanation QueueRefusal(const Session& session, JobIndex job, const QueueVerdict& verdict) {
  const Snapshot& s = session.snapshot();
  const QueueIndex own = s.job(job).queue;
  if (verdict.source != nullptr) {
    if (std::string text = verdict.source->RefusalText(verdict); !text.empty())
      return {"Unschedulable", std::move(text)};
  }
  const QueueIndex whose = verdict.queue.is_none() ? own : verdict.queue;
  const std::string queue =
      Named(s, whose) + (whose == own ? "" : " (above " + Named(s, own) + ")");
  switch (verdict.why.reason) {
    case Reason::kQueueClosed:
      return {"Unschedulable", queue + " is not open"};
    case Reason::kQueueOverused:
      if (verdict.asked <= 0) return {"Unschedulable", queue + " has all that it deserves"};
      return {"Unschedulable", LimitText(s, queue + " has all that it deserves", verdict)};
    case Reason::kQueueOverCapability:
      return {"Unschedulable", LimitText(s, queue + " is at its capability", verdict)};
    case Reason::kBehindInQueue:
      return {"Unschedulable", "waits behind " + s.job(JobIndex(verdict.why.detail)).key + ": " +
                                   queue + " is served in order (dequeueStrategy fifo)"};
    case Reason::kQueueNotLeaf:
      return {"QueueInvalid", queue + " has child queues: only queues without children take jobs"};
    case Reason::kQueueParentMissing:
      return {"QueueInvalid",
              queue + " has a parent that does not exist: " + s.queue(whose).record->parent};
    case Reason::kQueueOnCycle:
      return {"QueueInvalid", queue + " is on a cycle of parents"};
    default:
      return {"Unschedulable", LimitText(s, queue + " is at its limit", verdict)};
  }
}

// A minimum of what no node has: the same for every node.
std::string UnservedMinimum(const Snapshot& s, JobIndex job) {
  UnfitHistogram histogram;
  histogram.nodes = static_cast<std::int32_t>(s.nodes.size());
  for (const std::size_t r : s.job(job).unserved_minimum) {
    histogram.Add({Reason::kInsufficientResource, false, static_cast<std::uint32_t>(r)}, nullptr,
                  histogram.nodes);
  }
  return "minResources of the group: " + UnfitText(s, histogram);
}

Explanation NotAdmitted(const Session& session, JobIndex job) {
  const Snapshot& s = session.snapshot();
  const EnqueueVote* refused = session.attempts().EnqueueRefusalOf(job);
  if (refused == nullptr) return {"NotEnqueued", "the group waits to be enqueued"};
  const EnqueueVote& vote = *refused;
  switch (vote.why.reason) {
    case Reason::kQueueClosed:
      return {"QueueClosed", "queue " + QueueName(s, job) + " is not open"};
    case Reason::kClusterOverused:
      return {"NotEnqueued",
              "the cluster has no room for the group's minResources: " + ShortText(s, vote)};
    case Reason::kNamespaceQuota:
      return {"NotEnqueued", "resource quota of namespace " + s.job(job).record->meta.namespace_ +
                                 " insufficient: " + vote.short_names};
    case Reason::kInsufficientResource:
      return {"NotEnqueued", UnservedMinimum(s, job)};
    case Reason::kQuotaOverLimit:
      return {"NotEnqueued", "max of the elastic quota insufficient: " + ShortText(s, vote)};
    case Reason::kQueueQuota:
      return {"NotEnqueued", "queue resource quota insufficient: " + ShortText(s, vote)};
    default:
      break;
  }
  Explanation refusal = QueueRefusal(session, job, {.why = vote.why, .queue = vote.queue});
  if (refusal.reason == "Unschedulable") refusal.reason = "NotEnqueued";
  return refusal;
}

// How many pods the gang still lacks, as text; empty when it has its minimum, and for a single pod,
// of which it says nothing.
std::string GangShortage(const Session& session, JobIndex job) {
  const JobFacts& facts = session.snapshot().job(job);
  const JobCounters& counters = session.state().job(job);
  const std::int32_t have =
      counters.Ready() +
      (counters.Waiting() > 0 ? counters.Waiting() : session.attempts().GivenBack(job));
  if (session.chains().JobReady(job) || facts.min_available <= 1) return {};
  if (have >= facts.min_available)
    return "gang not complete (" + std::to_string(facts.min_available) + " needed)";
  return "gang short by " + std::to_string(facts.min_available - have) + " of " +
         std::to_string(facts.min_available);
}

// The gates that keep pods of the gang back, where it cannot have its minimum without them.
std::string GatesOfGang(const Session& session, JobIndex job) {
  const Snapshot& s = session.snapshot();
  std::int32_t open = session.state().job(job).Ready() + session.state().job(job).Waiting();
  std::int32_t gated = 0;
  std::set<std::string> gates;
  for (const TaskIndex t : s.job(job).tasks) {
    if (session.state().status(t) != TaskStatus::kPending) continue;
    if (!s.task(t).gated) {
      ++open;
      continue;
    }
    ++gated;
    gates.insert(s.task(t).record->scheduling_gates.begin(),
                 s.task(t).record->scheduling_gates.end());
  }
  if (gated == 0 || open >= s.job(job).min_available) return {};
  return fmt::format("{} pod{} for scheduling gates: {}", gated, gated == 1 ? " waits" : "s wait",
                     fmt::join(gates, ", "));
}

// What the pod or its group needs of its places, and this build does not do.
std::string UnmetText(const Snapshot& s, const TaskFacts& task) {
  const auto text_of = [&](const PlacementNeeds& needs) {
    for (const auto& [need, what] : needs) {
      if (task.unmet.Has(need))
        return fmt::format(
            "{0}: this build does not do {1} yet (`ignore: [{1}]` in the conf places "
            "such pods without it)",
            what, kWordsOf<PlacementNeed>[static_cast<std::size_t>(need)]);
    }
    return std::string();
  };
  std::string text = text_of(task.record->needs);
  return text.empty() && !task.job.is_none() ? text_of(s.job(task.job).record->needs) : text;
}

// What holds the pod back because it could not be read: itself, its group, its queue or one above.
std::string UnreadText(const Snapshot& s, const TaskFacts& facts) {
  if (!facts.record->meta.flaw.empty()) return facts.record->meta.flaw;
  if (facts.job.is_none()) return {};
  const JobFacts& job = s.job(facts.job);
  if (!job.record->meta.flaw.empty())
    return "its PodGroup " + job.record->meta.name + " cannot be read: " + job.record->meta.flaw;
  const QueueRecord* queue = job.queue.is_none() ? nullptr : s.queue(job.queue).flawed;
  if (queue == nullptr) return {};
  return "queue " + queue->meta.name + " cannot be read: " + queue->meta.flaw;
}

// Why the pod is held, whatever the cluster has; an empty message: it is not.
Explanation HoldOf(const Snapshot& s, TaskIndex task) {
  const TaskFacts& facts = s.task(task);
  if (!facts.gated) return {};
  if (std::string text = UnreadText(s, facts); !text.empty())
    return {"Unreadable", std::move(text)};
  if (!facts.job.is_none() && !s.job(facts.job).held.empty())
    return {"GroupHeld", s.job(facts.job).held};
  if (std::string text = UnmetText(s, facts); !text.empty())
    return {"Unsupported", std::move(text)};
  return {};
}

// The first pod that is held, where the gang cannot have its minimum without such pods.
Explanation HoldOfGang(const Session& session, JobIndex job) {
  const Snapshot& s = session.snapshot();
  std::int32_t open = session.state().job(job).Ready() + session.state().job(job).Waiting();
  Explanation first;
  for (const TaskIndex t : s.job(job).tasks) {
    if (session.state().status(t) != TaskStatus::kPending) continue;
    const Explanation hold = HoldOf(s, t);
    if (hold.message.empty()) {
      ++open;
    } else if (first.message.empty()) {
      first = {hold.reason,
               "pod " + s.task(t).record->meta.name + " cannot be placed: " + hold.message};
    }
  }
  return open >= s.job(job).min_available ? Explanation() : first;
}

// What spares the victims, where it is queues: the first of them by name.
std::string QueuesThatKeep(const Snapshot& s, const std::vector<QueueIndex>& queues) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  for (const QueueIndex queue : queues) {
    if (names.size() < kNamed) names.push_back(s.queue(queue).record->meta.name);
  }
  const std::size_t more = queues.size() - names.size();
  return fmt::format("queue{} {}{} ha{} reclaimable: false", queues.size() == 1 ? "" : "s",
                     fmt::join(names, ", "), more == 0 ? "" : fmt::format(" and {} more", more),
                     queues.size() == 1 ? "s" : "ve");
}

// Why nobody is evicted for the job, where somebody could be but for what is named.
std::string WhoSparesVictims(const Session& session, JobIndex job) {
  const Spared* spared = session.attempts().SparedFrom(job);
  if (spared == nullptr || session.state().job(job).Waiting() > 0) return {};
  // Where the queue gives it no more, that is what has to be told.
  if (spared->has_minimum && session.attempts().QueueRefusalOf(job) != nullptr) return {};
  std::string what;
  if (spared->has_minimum) {
    what = fmt::format("its minimum ({}) has its place, and room is made for no more",
                       session.snapshot().job(job).min_available);
  } else if (!spared->queues.empty()) {
    what = QueuesThatKeep(session.snapshot(), spared->queues);
  } else {
    const bool one = spared->plugins.size() == 1;
    what = fmt::format("plugin{} {} spare{} the pods that would fall first", one ? "" : "s",
                       fmt::join(spared->plugins, ", "), one ? "s" : "");
  }
  return spared->action + " evicts nobody for it: " + what;
}

const UnfitHistogram* AnyUnfit(const Session& session, JobIndex job) {
  for (const TaskIndex t : session.snapshot().job(job).tasks) {
    if (session.state().status(t) != TaskStatus::kPending) continue;
    if (const UnfitHistogram* unfit = session.attempts().UnfitOf(t)) return unfit;
  }
  return nullptr;
}

}  // namespace

Explanation ExplainJob(const Session& session, JobIndex job) {
  const Snapshot& s = session.snapshot();
  const JobFacts& facts = s.job(job);
  if (facts.queue.is_none())
    return {"QueueMissing", "queue " + QueueName(s, job) + " does not exist"};
  if (session.state().phase(job) == JobPhase::kPending) return NotAdmitted(session, job);
  if (Explanation hold = HoldOfGang(session, job); !hold.message.empty()) return hold;
  const std::string gates = GatesOfGang(session, job);
  if (const Unfit why = session.chains().ValidateJob(job); !why.ok()) {
    const std::string missing =
        fmt::format("{}, min: {}", ReasonText(why.reason, fmt::format("valid: {}", why.detail)),
                    facts.min_available);
    return {"NotEnoughTasks", Joined(gates, "; ", missing)};
  }
  if (!gates.empty()) return {"SchedulingGated", gates};
  const std::string shortage = GangShortage(session, job);
  std::string message;
  if (const QueueVerdict* verdict = session.attempts().QueueRefusalOf(job)) {
    Explanation refusal = QueueRefusal(session, job, *verdict);
    if (refusal.reason != "Unschedulable") return refusal;
    message = Joined(refusal.message, "; ", shortage);
  } else {
    const UnfitHistogram* unfit = AnyUnfit(session, job);
    message = Joined(shortage, ": ", unfit == nullptr ? std::string() : UnfitText(s, *unfit));
  }
  message = Joined(TopologyText(session, job), "; ", message);
  message = Joined(message, "; ", WhoSparesVictims(session, job));
  if (message.empty()) return {};
  return {"Unschedulable", std::move(message)};
}

Explanation ExplainTask(const Session& session, TaskIndex task, const Explanation& job) {
  const Snapshot& s = session.snapshot();
  const TaskFacts& facts = s.task(task);
  if (Explanation hold = HoldOf(s, task); !hold.message.empty()) return hold;
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
  const UnfitHistogram* unfit = session.attempts().UnfitOf(task);
  if (unfit != nullptr && session.chains().JobReady(facts.job))
    return {"Unschedulable",
            Joined(UnfitText(s, *unfit), "; ", WhoSparesVictims(session, facts.job))};
  if (!job.message.empty()) return job;
  return {"Unschedulable", "not tried in this session"};
}

}  // namespace batholith
