#include <boost/json.hpp>

#include "cmd/output.h"
#include "cmd/output_slack.h"
#include "cmd/yaml_text.h"
#include "codec/encode_parts.h"
#include "codec/json_text.h"

namespace batholith {
namespace {

namespace json = boost::json;

json::array Moves(const RunOutcome& run) {
  json::array out;
  for (const CycleBind& b : run.binds) {
    out.push_back({{"pod", b.bind.pod},
                   {"job", b.bind.job},
                   {"queue", b.bind.queue},
                   {"node", b.bind.node},
                   {"cycle", b.cycle},
                   {"action", b.bind.action}});
  }
  return out;
}

json::array Evictions(const RunOutcome& run) {
  json::array out;
  for (const CycleEvict& e : run.evictions) {
    out.push_back({{"pod", e.evict.pod},
                   {"job", e.evict.job},
                   {"queue", e.evict.queue},
                   {"node", e.evict.node},
                   {"cycle", e.cycle},
                   {"action", e.evict.action},
                   {"for", e.evict.for_job},
                   {"reason", e.evict.reason}});
  }
  return out;
}

json::array Jobs(const CycleResult& last) {
  json::array out;
  for (const JobStatus& j : last.jobs) {
    json::object tasks{{"Running", 0}, {"Pending", 0}};
    for (const auto& [status, n] : j.tasks) tasks[status] = n;
    json::array conditions;
    for (const JobCondition& c : j.conditions) {
      conditions.push_back(
          {{"type", c.type}, {"status", c.status}, {"reason", c.reason}, {"message", c.message}});
    }
    out.push_back({{"name", j.key},
                   {"queue", j.queue},
                   {"phase", JobPhaseName(j.phase)},
                   {"minMember", j.min_member},
                   {"tasks", std::move(tasks)},
                   {"conditions", std::move(conditions)}});
  }
  return out;
}

json::array Queues(const CycleResult& last) {
  json::array out;
  for (const QueueStatus& q : last.queues) {
    out.push_back({{"name", q.name},
                   {"state", QueueStateName(q.state)},
                   {"weight", q.weight},
                   {"share", q.share},
                   {"deserved", Quantities(q.deserved)},
                   {"allocated", Quantities(q.allocated)},
                   {"request", Quantities(q.request)}});
  }
  return out;
}

json::array Quotas(const CycleResult& last) {
  json::array out;
  for (const QuotaStatus& q : last.quotas) {
    out.push_back({{"name", q.name},
                   {"group", q.group},
                   {"kind", q.kind},
                   {"min", Quantities(q.min)},
                   {"max", Quantities(q.max)},
                   {"request", Quantities(q.request)},
                   {"used", Quantities(q.used)},
                   {"runtime", Quantities(q.runtime)},
                   {"allocated", Quantities(q.allocated)},
                   {"borrowed", Quantities(q.borrowed)},
                   {"scaledMin", Quantities(q.scaled_min)},
                   {"guaranteed", Quantities(q.guaranteed)},
                   {"guaranteedOverquotas", Quantities(q.guaranteed_overquotas)}});
  }
  return out;
}

json::array Pods(const RunOutcome& run) {
  std::map<std::string, const PodStatus*> waiting;
  for (const PodStatus& p : run.last.pods) waiting[p.key] = &p;
  json::array out;
  for (const PodRecord& pod : run.objects->pods) {
    const auto it = waiting.find(pod.meta.Key());
    const bool waits = it != waiting.end() && pod.node_name.empty();
    out.push_back({{"name", pod.meta.Key()},
                   {"phase", PodPhaseName(pod.phase)},
                   {"node", pod.node_name},
                   {"reason", waits ? it->second->reason : ""},
                   {"message", waits ? it->second->message : ""}});
  }
  return out;
}

}  // namespace

json::object Decisions(const RunOutcome& run) {
  json::array pipelined;
  for (const Pipelined& p : run.last.pipelined) {
    pipelined.push_back({{"pod", p.pod},
                         {"job", p.job},
                         {"node", p.node},
                         {"cycle", run.cycles},
                         {"action", p.action}});
  }
  json::array namespaces;
  for (const NamespaceStatus& n : run.last.namespaces) {
    namespaces.push_back({{"queue", n.queue},
                          {"name", n.name},
                          {"weight", n.weight},
                          {"share", n.share},
                          {"allocated", Quantities(n.allocated)}});
  }
  json::array nodes;
  for (const NodeStatus& n : run.last.nodes) {
    nodes.push_back({{"name", n.name},
                     {"allocatable", Quantities(n.allocatable)},
                     {"used", Quantities(n.used)},
                     {"idle", Quantities(n.idle)}});
  }
  json::object out;
  out["bindings"] = Moves(run);
  out["evictions"] = Evictions(run);
  out["pipelined"] = std::move(pipelined);
  out["jobs"] = Jobs(run.last);
  out["queues"] = Queues(run.last);
  out["namespaces"] = std::move(namespaces);
  out["quotas"] = Quotas(run.last);
  out["placeholders"] = PlaceholdersJson(run.last.slack);
  out["nodeGroups"] = NodeGroupsJson(run.last);
  out["nodes"] = std::move(nodes);
  out["pods"] = Pods(run);
  return out;
}

namespace {

json::object Document(const RunOutcome& run) {
  json::object out{{"cycles", run.cycles}};
  for (auto& [key, value] : Decisions(run)) out[key] = std::move(value);
  return out;
}

}  // namespace

std::string OutputJson(const RunOutcome& run) { return JsonText(Document(run)) + "\n"; }

std::string OutputYaml(const RunOutcome& run) { return YamlText(Document(run)); }

}  // namespace batholith
