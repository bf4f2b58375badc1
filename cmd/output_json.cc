#include <algorithm>
#include <boost/json.hpp>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cmd/other_pods.h"
#include "cmd/output.h"
#include "cmd/output_slack.h"
#include "codec/encode_parts.h"
#include "codec/pod_device_claims.h"

namespace batholith {
namespace {

namespace json = boost::json;

json::object Move(const CycleBind& b) {
  json::object out{{"pod", b.bind.pod},   {"job", b.bind.job}, {"queue", b.bind.queue},
                   {"node", b.bind.node}, {"cycle", b.cycle},  {"action", b.bind.action}};
  json::array devices;
  for (const DeviceChoice& choice : b.bind.devices) {
    json::object device{{"claim", choice.claim}};
    if (choice.allocation) device["allocation"] = AllocationObject(*choice.allocation);
    devices.push_back(std::move(device));
  }
  Put(out, "devices", std::move(devices));
  json::array volumes;
  for (const VolumeChoice& choice : b.bind.volumes) {
    json::object volume{{"claim", choice.claim}};
    Put(volume, "volume", choice.volume);
    volumes.push_back(std::move(volume));
  }
  Put(out, "volumes", std::move(volumes));
  return out;
}

json::object Eviction(const CycleEvict& e) {
  return {{"pod", e.evict.pod},     {"job", e.evict.job},      {"queue", e.evict.queue},
          {"node", e.evict.node},   {"cycle", e.cycle},        {"action", e.evict.action},
          {"for", e.evict.for_job}, {"reason", e.evict.reason}};
}

json::object Job(const JobStatus& j) {
  json::object tasks{{"Running", 0}, {"Pending", 0}};
  for (const auto& [status, n] : j.tasks) tasks[status] = n;
  json::array conditions;
  for (const JobCondition& c : j.conditions) {
    conditions.push_back(
        {{"type", c.type}, {"status", c.status}, {"reason", c.reason}, {"message", c.message}});
  }
  return {{"name", j.key},
          {"queue", j.queue},
          {"phase", JobPhaseName(j.phase)},
          {"minMember", j.min_member},
          {"tasks", std::move(tasks)},
          {"conditions", std::move(conditions)}};
}

json::object Queue(const QueueStatus& q) {
  return {{"name", q.name},
          {"state", QueueStateName(q.state)},
          {"weight", q.weight},
          {"share", q.share},
          {"deserved", Quantities(q.deserved)},
          {"allocated", Quantities(q.allocated)},
          {"request", Quantities(q.request)}};
}

json::object Namespace(const NamespaceStatus& n) {
  return {{"queue", n.queue},
          {"name", n.name},
          {"weight", n.weight},
          {"share", n.share},
          {"allocated", Quantities(n.allocated)}};
}

json::object Quota(const QuotaStatus& q) {
  return {{"name", q.name},
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
          {"guaranteedOverquotas", Quantities(q.guaranteed_overquotas)}};
}

json::object Node(const NodeStatus& n) {
  return {{"name", n.name},
          {"allocatable", Quantities(n.allocatable)},
          {"used", Quantities(n.used)},
          {"idle", Quantities(n.idle)}};
}

using Waiting = std::unordered_map<std::string_view, const PodStatus*>;  // looked up only

json::object Pod(const PodRecord& pod, const Waiting& waiting) {
  const std::string key = pod.meta.Key();
  const auto it = waiting.find(key);
  const bool waits = it != waiting.end() && pod.node_name.empty();
  return {{"name", key},
          {"phase", PodPhaseName(pod.phase)},
          {"node", pod.node_name},
          {"reason", waits ? it->second->reason : ""},
          {"message", waits ? it->second->message : ""}};
}

// A list whose elements are made of those of `from`, which outlives it.
template <typename From, typename Make>
DecisionField FieldOf(const char* name, const std::vector<From>& from, Make make) {
  return {name, from.size(), [&from, make](std::size_t i) -> json::value { return make(from[i]); }};
}

}  // namespace

std::vector<DecisionField> DecisionFields(const RunOutcome& run) {
  const auto pipelined = [cycle = run.cycles](const Pipelined& p) -> json::object {
    return {
        {"pod", p.pod}, {"job", p.job}, {"node", p.node}, {"cycle", cycle}, {"action", p.action}};
  };
  const auto waiting = std::make_shared<Waiting>();
  for (const PodStatus& p : run.last.pods) waiting->insert_or_assign(p.key, &p);
  // By name: the records stand in the order of the input.
  const auto pods = std::make_shared<std::vector<std::pair<std::string, const PodRecord*>>>();
  for (const PodRecord& pod : run.objects->pods) pods->emplace_back(pod.meta.Key(), &pod);
  std::ranges::sort(*pods);
  const CycleResult& last = run.last;
  return {FieldOf("bindings", run.binds, Move),
          FieldOf("evictions", run.evictions, Eviction),
          FieldOf("pipelined", last.pipelined, pipelined),
          FieldOf("jobs", last.jobs, Job),
          FieldOf("queues", last.queues, Queue),
          FieldOf("namespaces", last.namespaces, Namespace),
          FieldOf("quotas", last.quotas, Quota),
          {"placeholders", {}, [&last](std::size_t) { return PlaceholdersJson(last.slack); }},
          {"nodeGroups", {}, [&last](std::size_t) { return NodeGroupsJson(last); }},
          FieldOf("nodes", last.nodes, Node),
          {"pods", pods->size(),
           [waiting, pods](std::size_t i) { return Pod(*(*pods)[i].second, *waiting); }}};
}

json::object Decisions(const RunOutcome& run) {
  json::object out;
  for (const DecisionField& field : DecisionFields(run)) {
    if (!field.count) {
      out[field.name] = field.value(0);
      continue;
    }
    json::array list;
    for (std::size_t i = 0; i < *field.count; ++i) list.push_back(field.value(i));
    out[field.name] = std::move(list);
  }
  return out;
}

namespace {

json::array GoingRound(const RunOutcome& run) {
  json::array out;
  for (const EvictionRound& r : run.going_round) {
    out.push_back({{"group", r.group},
                   {"for", r.for_job},
                   {"action", r.action},
                   {"rounds", r.rounds},
                   {"back", r.back}});
  }
  return out;
}

json::array Others(const RunOutcome& run, const std::vector<std::string>& ours) {
  json::array out;
  for (const OtherPods& others : PodsOfOthers(*run.objects, ours)) {
    out.push_back({{"schedulerName", others.scheduler},
                   {"pods", others.pods},
                   {"waiting", json::array(others.waiting.begin(), others.waiting.end())}});
  }
  return out;
}

}  // namespace

json::object OutputDocument(const RunOutcome& run, const std::vector<std::string>& ours) {
  json::object out{{"cycles", run.cycles}};
  for (auto& [key, value] : Decisions(run)) out[key] = std::move(value);
  out["evictionRounds"] = GoingRound(run);
  out["otherSchedulers"] = Others(run, ours);
  return out;
}

}  // namespace batholith
