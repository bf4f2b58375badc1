#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "api/quantity.h"
#include "api/resource_schema.h"
#include "cmd/other_pods.h"
#include "cmd/output.h"
#include "cmd/output_slack.h"
#include "cmd/table/hierarchy.h"
#include "cmd/table/pending.h"
#include "cmd/table/tree.h"
#include "cmd/text_table.h"
#include "framework/eviction_watch.h"

namespace batholith {
namespace {

using Rows = TextRows;

// Of a list that a person reads from end to end.
constexpr std::size_t kMostRows = 40;

// The first row is the head.
std::string Aligned(const std::string& title, const Rows& rows) {
  if (rows.size() < 2) return {};
  TableShape shape{"  ", 2, {}};
  return title + "\n" + TextTable(rows, shape) + "\n";
}

// The same, of very many rows the first.
std::string Shortened(const std::string& title, Rows rows, bool all) {
  if (all || rows.size() <= kMostRows + 1) return Aligned(title, rows);
  const std::size_t more = rows.size() - kMostRows - 1;
  rows.resize(kMostRows + 1);
  std::string out = Aligned(title, rows);
  out.pop_back();
  return out + fmt::format("  and {} more (--all)\n\n", more);
}

std::string Bar(double share) {
  const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * 10 + 0.5);
  return std::string(full, '#') + std::string(10 - full, '.') +
         fmt::format(" {:3.0f}%", share * 100);
}

// The parents of the queues that the session tells of.
std::vector<NamedParent> ParentsOf(const RunOutcome& run) {
  std::map<std::string, std::string> parents;
  for (const QueueRecord& queue : run.objects->queues) parents[queue.meta.name] = queue.parent;
  std::vector<NamedParent> out;
  for (const QueueStatus& q : run.last.queues) out.push_back({q.name, parents[q.name]});
  return out;
}

// What each queue holds with those below it, by line.
std::vector<ResourceList> TotalsOf(const std::vector<TreeLine>& lines,
                                   const std::vector<QueueStatus>& queues) {
  std::vector<ResourceList> totals(lines.size());
  for (std::size_t i = lines.size(); i-- > 0;) {
    AddTo(totals[i], queues[lines[i].index].allocated);
    if (lines[i].parent != TreeLine::kTop) AddTo(totals[lines[i].parent], totals[i]);
  }
  return totals;
}

// A tree stands as one, with what each queue and those below it hold.
std::string Queues(const RunOutcome& run, const TableOptions& options) {
  const std::vector<QueueStatus>& queues = run.last.queues;
  const std::vector<NamedParent> named = ParentsOf(run);
  const bool tree = IsTree(named);
  Rows rows{{"NAME", "STATE", "WEIGHT", "DESERVED", "ALLOCATED", "SHARE"}};
  auto& head = rows.front();
  if (tree) head.insert(head.begin() + 1, "PARENT");
  if (tree) head.insert(head.end() - 1, "TOTAL");
  if (options.wide) head.insert(head.end(), {"REQUEST", "CAPABILITY", "JOBS"});
  const std::vector<TreeLine> lines = DrawTree(named);
  const std::vector<ResourceList> totals = TotalsOf(lines, queues);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t at = lines[i].index;
    const QueueStatus& q = queues[at];
    if (q.request.empty() && q.name == "default" && !lines[i].inner) continue;
    auto& row = rows.emplace_back();
    row.push_back(lines[i].branch + q.name);
    if (tree) row.push_back(named[at].parent.empty() ? "-" : named[at].parent);
    row.insert(row.end(), {QueueStateName(q.state), std::to_string(q.weight),
                           ResourceText(q.deserved), ResourceText(q.allocated)});
    if (tree) row.push_back(ResourceText(totals[i]));
    row.push_back(Bar(q.share));
    if (options.wide)
      row.insert(row.end(),
                 {ResourceText(q.request), ResourceText(q.capability), std::to_string(q.jobs)});
  }
  return Shortened("QUEUES", rows, options.all);
}

std::string Quotas(const CycleResult& last, bool all) {
  Rows rows{{"NAME", "MIN", "MAX", "USED", "REQUEST", "RUNTIME", "BORROWED"}};
  const bool any_over = std::ranges::any_of(
      last.quotas, [](const QuotaStatus& q) { return !q.guaranteed_overquotas.empty(); });
  if (any_over) rows.front().emplace_back("GUARANTEED OVER-QUOTA");
  for (const QuotaStatus& q : last.quotas) {
    rows.push_back({q.name, ResourceText(q.min), ResourceText(q.max), ResourceText(q.used),
                    ResourceText(q.request), ResourceText(q.runtime), ResourceText(q.borrowed)});
    if (any_over) rows.back().push_back(ResourceText(q.guaranteed_overquotas));
  }
  return Shortened("QUOTAS", rows, all);
}

std::string Namespaces(const CycleResult& last, bool all) {
  Rows rows{{"QUEUE", "NAMESPACE", "WEIGHT", "SHARE", "ALLOCATED"}};
  for (const NamespaceStatus& n : last.namespaces) {
    rows.push_back({n.queue, n.name, std::to_string(n.weight),
                    fmt::format("{:.1f}%", n.share * 100), ResourceText(n.allocated)});
  }
  return Shortened("NAMESPACES", rows, all);
}

std::string TaskText(const std::map<std::string, std::int64_t>& tasks) {
  std::string pods;
  for (const auto& [status, n] : tasks)
    pods += (pods.empty() ? "" : ", ") + fmt::format("{} {}", n, status);
  return pods.empty() ? "none" : pods;
}

// Very many stand together by queue and phase.
std::string JobCounts(const CycleResult& last) {
  struct Count {
    std::size_t jobs = 0;
    std::map<std::string, std::int64_t> tasks;
  };
  std::map<std::pair<std::string, JobPhase>, Count> counts;
  for (const JobStatus& j : last.jobs) {
    Count& count = counts[{j.queue, j.phase}];
    ++count.jobs;
    for (const auto& [status, n] : j.tasks) count.tasks[status] += n;
  }
  Rows rows{{"QUEUE", "PHASE", "JOBS", "PODS"}};
  for (const auto& [key, count] : counts)
    rows.push_back(
        {key.first, JobPhaseName(key.second), std::to_string(count.jobs), TaskText(count.tasks)});
  std::string out = Aligned("JOBS", rows);
  out.pop_back();
  return out + fmt::format("  {} jobs, one a line with --all\n\n", last.jobs.size());
}

std::string Jobs(const CycleResult& last, const TableOptions& options) {
  if (!options.all && last.jobs.size() > kMostRows) return JobCounts(last);
  Rows rows{{"NAME", "QUEUE", "PHASE", "MIN", "PODS"}};
  if (options.wide) rows.front().insert(rows.front().end(), {"SHARE", "WHY IT WAITS"});
  for (const JobStatus& j : last.jobs) {
    rows.push_back({j.key, j.queue, JobPhaseName(j.phase), std::to_string(j.min_member),
                    TaskText({j.tasks.begin(), j.tasks.end()})});
    if (options.wide)
      rows.back().insert(rows.back().end(), {fmt::format("{:.1f}%", j.share * 100),
                                             j.message.empty() ? "-" : j.message});
  }
  return Aligned("JOBS", rows);
}

std::string Nodes(const RunOutcome& run, bool all) {
  std::map<std::string, std::map<std::string, int>> placed;
  for (const CycleBind& b : run.binds) ++placed[b.bind.node][b.bind.job];
  Rows rows{{"NAME", "USED", "IDLE", "BOUND HERE"}};
  for (const NodeStatus& n : run.last.nodes) {
    std::string jobs;
    for (const auto& [job, count] : placed[n.name])
      jobs += (jobs.empty() ? "" : ", ") + fmt::format("{} x{}", job, count);
    rows.push_back({n.name, ResourceText(n.used), ResourceText(n.idle), jobs.empty() ? "-" : jobs});
  }
  if (!all && rows.size() > kMostRows + 1)
    return fmt::format("NODES\n  {} nodes, one a line with --all\n\n", rows.size() - 1);
  return Aligned("NODES", rows);
}

std::string Evictions(const RunOutcome& run, bool all) {
  Rows rows{{"SESSION", "POD", "NODE", "ACTION", "FOR"}};
  for (const CycleEvict& e : run.evictions) {
    rows.push_back(
        {std::to_string(e.cycle), e.evict.pod, e.evict.node, e.evict.action, e.evict.for_job});
  }
  return Shortened("EVICTIONS", rows, all);
}

std::string GoingRound(const RunOutcome& run) {
  if (run.going_round.empty()) return {};
  std::string out = "EVICTIONS GOING ROUND\n";
  for (const EvictionRound& round : run.going_round) out += "  " + EvictionRoundText(round) + "\n";
  return out + "\n";
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

std::string OutputTable(const RunOutcome& run, const TableOptions& options) {
  const std::vector<OtherPods> others = PodsOfOthers(*run.objects, options.ours);
  const bool others_wait =
      std::ranges::any_of(others, [](const OtherPods& o) { return !o.waiting.empty(); });
  const std::string text = OtherPodsText(others, options.ours);
  return fmt::format("{} session{}: {} bound, {} evicted\n\n", run.cycles,
                     run.cycles == 1 ? "" : "s", run.binds.size(), run.evictions.size()) +
         Queues(run, options) +
         Shortened("HIERARCHY (of plugin drf with enableHierarchy)", HierarchyRows(run),
                   options.all) +
         Namespaces(run.last, options.all) + Quotas(run.last, options.all) +
         Jobs(run.last, options) + Nodes(run, options.all) +
         Aligned("SLACK", PlaceholderRows(run.last.slack)) +
         Aligned("NODE GROUPS", NodeGroupRows(run.last)) + Evictions(run, options.all) +
         GoingRound(run) + PendingText(run, options.all, others_wait) +
         (text.empty() ? "" : "\nPODS OF OTHER SCHEDULERS\n" + text);
}

}  // namespace batholith
