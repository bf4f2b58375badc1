#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "api/printable.h"
#include "api/quantity.h"
#include "cmd/output.h"
#include "cmd/output_slack.h"
#include "cmd/text_table.h"
#include "framework/eviction_watch.h"

namespace batholith {
namespace {

using Rows = TextRows;

// The first row is the head.
std::string Aligned(const std::string& title, const Rows& rows) {
  if (rows.size() < 2) return {};
  TableShape shape{"  ", 2, {}};
  return title + "\n" + TextTable(rows, shape) + "\n";
}

std::string Bar(double share) {
  const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * 10 + 0.5);
  return std::string(full, '#') + std::string(10 - full, '.') +
         fmt::format(" {:3.0f}%", share * 100);
}

std::string Queues(const CycleResult& last) {
  Rows rows{{"NAME", "STATE", "WEIGHT", "DESERVED", "ALLOCATED", "SHARE"}};
  for (const QueueStatus& q : last.queues) {
    if (q.request.empty() && q.name == "default") continue;
    rows.push_back({q.name, QueueStateName(q.state), std::to_string(q.weight),
                    ResourceText(q.deserved), ResourceText(q.allocated), Bar(q.share)});
  }
  return Aligned("QUEUES", rows);
}

std::string Quotas(const CycleResult& last) {
  Rows rows{{"NAME", "MIN", "MAX", "USED", "REQUEST", "RUNTIME", "BORROWED"}};
  for (const QuotaStatus& q : last.quotas) {
    rows.push_back({q.name, ResourceText(q.min), ResourceText(q.max), ResourceText(q.used),
                    ResourceText(q.request), ResourceText(q.runtime), ResourceText(q.borrowed)});
  }
  return Aligned("QUOTAS", rows);
}

std::string Namespaces(const CycleResult& last) {
  Rows rows{{"QUEUE", "NAMESPACE", "WEIGHT", "SHARE", "ALLOCATED"}};
  for (const NamespaceStatus& n : last.namespaces) {
    rows.push_back({n.queue, n.name, std::to_string(n.weight),
                    fmt::format("{:.1f}%", n.share * 100), ResourceText(n.allocated)});
  }
  return Aligned("NAMESPACES", rows);
}

std::string Jobs(const CycleResult& last) {
  Rows rows{{"NAME", "QUEUE", "PHASE", "MIN", "PODS"}};
  for (const JobStatus& j : last.jobs) {
    std::string pods;
    for (const auto& [status, n] : j.tasks)
      pods += (pods.empty() ? "" : ", ") + fmt::format("{} {}", n, status);
    rows.push_back({j.key, j.queue, JobPhaseName(j.phase), std::to_string(j.min_member),
                    pods.empty() ? "none" : pods});
  }
  return Aligned("JOBS", rows);
}

std::string Nodes(const RunOutcome& run) {
  std::map<std::string, std::map<std::string, int>> placed;
  for (const CycleBind& b : run.binds) ++placed[b.bind.node][b.bind.job];
  Rows rows{{"NAME", "USED", "IDLE", "BOUND HERE"}};
  for (const NodeStatus& n : run.last.nodes) {
    std::string jobs;
    for (const auto& [job, count] : placed[n.name])
      jobs += (jobs.empty() ? "" : ", ") + fmt::format("{} x{}", job, count);
    rows.push_back({n.name, ResourceText(n.used), ResourceText(n.idle), jobs.empty() ? "-" : jobs});
  }
  if (rows.size() > 41) return fmt::format("NODES\n  {} nodes (see -o json)\n\n", rows.size() - 1);
  return Aligned("NODES", rows);
}

std::string Evictions(const RunOutcome& run) {
  Rows rows{{"CYCLE", "POD", "NODE", "ACTION", "FOR"}};
  for (const CycleEvict& e : run.evictions) {
    rows.push_back(
        {std::to_string(e.cycle), e.evict.pod, e.evict.node, e.evict.action, e.evict.for_job});
  }
  return Aligned("EVICTIONS", rows);
}

std::string GoingRound(const RunOutcome& run) {
  if (run.going_round.empty()) return {};
  std::string out = "EVICTIONS GOING ROUND\n";
  for (const EvictionRound& round : run.going_round) out += "  " + EvictionRoundText(round) + "\n";
  return out + "\n";
}

struct PendingLine {
  std::string job;
  std::string message;
  int pods = 0;
};

// Pods that wait for somebody else, a line for each scheduler's name.
std::string PodsOfOthers(const RunOutcome& run) {
  std::set<std::string> ours;
  for (const PodStatus& p : run.last.pods) ours.insert(p.key);
  std::map<std::string, int> waiting;
  for (const PodRecord& pod : run.objects->pods) {
    if (pod.node_name.empty() && pod.phase == PodPhase::kPending && !ours.contains(pod.meta.Key()))
      ++waiting[pod.scheduler_name];
  }
  std::string out;
  for (const auto& [name, pods] : waiting)
    out += fmt::format("  {} pod{} of scheduler {}: not placed here (see --scheduler-name)\n", pods,
                       pods == 1 ? "" : "s", OneLine(name));
  return out;
}

// One line for each job and message, in the order of the pods.
std::string Pending(const RunOutcome& run) {
  std::map<std::string, std::string> job_of;
  for (const PodRecord& pod : run.objects->pods) {
    if (pod.node_name.empty()) job_of[pod.meta.Key()] = pod.meta.namespace_ + "/" + pod.group;
  }
  std::vector<PendingLine> lines;
  std::map<std::pair<std::string, std::string>, std::size_t> places;  // by job and message
  std::set<std::string> told;
  for (const PodStatus& p : run.last.pods) {
    const auto job = job_of.find(p.key);
    if (job == job_of.end()) continue;
    const auto [it, added] = places.try_emplace({job->second, p.message}, lines.size());
    if (added) lines.push_back({job->second, p.message, 0});
    ++lines[it->second].pods;
    told.insert(job->second);
  }
  for (const JobStatus& j : run.last.jobs) {
    if (!told.contains(j.key) && !j.message.empty()) lines.push_back({j.key, j.message, 0});
  }
  const std::string others = PodsOfOthers(run);
  if (lines.empty() && others.empty() && run.objects->pods.empty())
    return "PENDING\n  nothing: there are no pods\n";
  if (lines.empty() && others.empty()) return "PENDING\n  nothing: every pod has its place\n";
  std::string out = "PENDING\n" + others;
  for (const PendingLine& line : lines) {
    const std::string pods =
        line.pods == 0 ? "" : fmt::format(" ({} pod{})", line.pods, line.pods == 1 ? "" : "s");
    out += "  " + OneLine(line.job + pods + ": " + line.message) + "\n";
  }
  return out;
}

}  // namespace

std::string ResourceText(const ResourceList& list) {
  std::string out;
  for (const auto& [name, amount] : list) {
    if (name == "pods" || amount == 0) continue;
    const std::size_t slash = name.rfind('/');
    out += (out.empty() ? "" : " ") + name.substr(slash == std::string::npos ? 0 : slash + 1) +
           "=" + FormatQuantity(amount, name);
  }
  return out.empty() ? "-" : out;
}

std::string OutputTable(const RunOutcome& run) {
  return fmt::format("{} session{}: {} bound, {} evicted\n\n", run.cycles,
                     run.cycles == 1 ? "" : "s", run.binds.size(), run.evictions.size()) +
         Queues(run.last) + Namespaces(run.last) + Quotas(run.last) + Jobs(run.last) + Nodes(run) +
         Aligned("SLACK", PlaceholderRows(run.last.slack)) +
         Aligned("NODE GROUPS", NodeGroupRows(run.last)) + Evictions(run) + GoingRound(run) +
         Pending(run);
}

}  // namespace batholith
