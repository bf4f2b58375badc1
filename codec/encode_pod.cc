#include <boost/json.hpp>

#include "api/effect.h"
#include "api/time_text.h"
#include "codec/encode.h"
#include "codec/encode_parts.h"
#include "codec/pod_device_claims.h"
#include "codec/pod_volumes.h"

namespace batholith {
namespace {

namespace json = boost::json;

json::object NodeAffinity(const PodConstraints& c) {
  json::object out;
  if (c.has_required_node_affinity) {
    json::array terms;
    for (const NodeSelectorTerm& term : c.required_node_terms)
      terms.push_back(NodeTermObject(term));
    out[kRequired] = json::object{{"nodeSelectorTerms", std::move(terms)}};
  }
  json::array preferred;
  for (const PreferredNodeTerm& t : c.preferred_node_terms) {
    preferred.push_back({{"weight", t.weight}, {"preference", NodeTermObject(t.term)}});
  }
  Put(out, kPreferred, std::move(preferred));
  return out;
}

json::object AffinityTerm(const PodAffinityTerm& term) {
  json::object out;
  if (term.selector) out["labelSelector"] = SelectorObject(*term.selector);
  Put(out, "namespaces", TextList(term.namespaces));
  if (term.namespace_selector) out["namespaceSelector"] = SelectorObject(*term.namespace_selector);
  out["topologyKey"] = term.topology_key;
  return out;
}

json::object PodAffinity(const std::vector<PodAffinityTerm>& required,
                         const std::vector<PodAffinityTerm>& preferred) {
  json::array hard;
  for (const PodAffinityTerm& term : required) hard.push_back(AffinityTerm(term));
  json::array soft;
  for (const PodAffinityTerm& term : preferred) {
    soft.push_back({{"weight", term.weight}, {"podAffinityTerm", AffinityTerm(term)}});
  }
  json::object out;
  Put(out, kRequired, std::move(hard));
  Put(out, kPreferred, std::move(soft));
  return out;
}

json::array Spread(const std::vector<TopologySpread>& constraints) {
  const auto policy = [](bool honor) { return honor ? "Honor" : "Ignore"; };
  json::array out;
  for (const TopologySpread& s : constraints) {
    json::object item{{"maxSkew", s.max_skew},
                      {"topologyKey", s.topology_key},
                      {"whenUnsatisfiable", s.hard ? "DoNotSchedule" : "ScheduleAnyway"},
                      {"nodeAffinityPolicy", policy(s.honor_node_affinity)},
                      {"nodeTaintsPolicy", policy(s.honor_node_taints)}};
    if (s.hard) item["minDomains"] = s.min_domains;
    if (s.selector) item["labelSelector"] = SelectorObject(*s.selector);
    out.push_back(std::move(item));
  }
  return out;
}

json::array Tolerations(const std::vector<Toleration>& tolerations) {
  json::array out;
  for (const Toleration& t : tolerations) {
    json::object item;
    Put(item, "key", t.key);
    item["operator"] = t.exists ? "Exists" : "Equal";
    Put(item, "value", t.value);
    if (t.effect) item["effect"] = TaintEffectName(*t.effect);
    out.push_back(std::move(item));
  }
  return out;
}

void PutConstraints(const PodConstraints& c, json::object& spec) {
  Put(spec, "nodeSelector", TextMap(c.node_selector));
  json::object affinity;
  Put(affinity, "nodeAffinity", NodeAffinity(c));
  Put(affinity, "podAffinity", PodAffinity(c.required_affinity, c.preferred_affinity));
  Put(affinity, "podAntiAffinity",
      PodAffinity(c.required_anti_affinity, c.preferred_anti_affinity));
  Put(spec, "affinity", std::move(affinity));
  Put(spec, "topologySpreadConstraints", Spread(c.topology_spread));
  Put(spec, "tolerations", Tolerations(c.tolerations));
}

// One container for each image; the first one asks for everything and has all ports. A pod without
// containers asks as a sidecar, which has no image in the record.
void PutContainers(const PodRecord& pod, json::object& spec) {
  json::array ports;
  for (const HostPort& p : pod.constraints->host_ports) {
    ports.push_back({{"containerPort", p.port},
                     {"hostPort", p.port},
                     {"hostIP", p.ip},
                     {"protocol", p.protocol}});
  }
  json::object all;
  if (!pod.request.empty()) all["resources"] = json::object{{"requests", Quantities(pod.request)}};
  Put(all, "ports", std::move(ports));
  json::array containers;
  for (const std::string& image : pod.constraints->images) {
    json::object container{{"name", "c" + std::to_string(containers.size())}};
    Put(container, "image", image);
    if (containers.empty()) container.insert(all.begin(), all.end());
    containers.push_back(std::move(container));
  }
  if (containers.empty() && !all.empty()) {
    json::object sidecar{{"name", "s"}, {"restartPolicy", "Always"}};
    sidecar.insert(all.begin(), all.end());
    spec["initContainers"] = json::array{std::move(sidecar)};
  }
  Put(spec, "containers", std::move(containers));
}

json::object Spec(const PodRecord& pod) {
  json::object spec{{"schedulerName", pod.scheduler_name}};
  Put(spec, "nodeName", pod.node_name);
  if (pod.priority) spec["priority"] = *pod.priority;
  Put(spec, "priorityClassName", pod.priority_class);
  spec["preemptionPolicy"] = pod.preemption_never ? "Never" : "PreemptLowerPriority";
  if (pod.deadline_s >= 0) spec["activeDeadlineSeconds"] = pod.deadline_s;
  if (pod.grace_period_s >= 0) spec["terminationGracePeriodSeconds"] = pod.grace_period_s;
  json::array gates;
  for (const std::string& gate : pod.scheduling_gates)
    gates.push_back(json::object{{"name", gate}});
  Put(spec, "schedulingGates", std::move(gates));
  Put(spec, "volumes", PodVolumeList(pod));
  PutConstraints(*pod.constraints, spec);
  PutContainers(pod, spec);
  return spec;
}

}  // namespace

json::object Encode(const PodRecord& pod) {
  json::object out = Begin(pod);
  if (pod.meta.deleting)
    out["metadata"].as_object()["deletionTimestamp"] = FormatTime(pod.deletion);
  json::object spec = Spec(pod);
  json::object status{{"phase", PodPhaseName(pod.phase)}};
  Put(status, "nominatedNodeName", pod.nominated_node);
  if (pod.scheduled_at != 0) {
    json::object scheduled{{"type", "PodScheduled"},
                           {"status", "True"},
                           {"lastTransitionTime", FormatTime(pod.scheduled_at)}};
    status["conditions"] = json::array{std::move(scheduled)};
  }
  if (pod.started_at != 0) status["startTime"] = FormatTime(pod.started_at);
  PutPodDeviceClaims(pod.device_claims, spec, status);
  out["spec"] = std::move(spec);
  out["status"] = std::move(status);
  if (!pod.group.empty()) DerivedPart(out)["group"] = pod.group;
  if (!pod.task_role.empty()) DerivedPart(out)["taskRole"] = pod.task_role;
  if (pod.unnamed_cpu != 0) DerivedPart(out)["unnamedCpu"] = pod.unnamed_cpu;
  if (pod.unnamed_memory != 0) DerivedPart(out)["unnamedMemory"] = pod.unnamed_memory;
  if (pod.request_unread) DerivedPart(out)["requestUnread"] = true;
  if (!pod.needs.empty()) DerivedPart(out)["needs"] = NeedsObject(pod.needs);
  return out;
}

void RestoreDerived(const Field& object, PodRecord& pod) {
  const Field derived = object["batholith"];
  pod.group = derived["group"].Text();
  pod.task_role = derived["taskRole"].Text();
  pod.unnamed_cpu = derived["unnamedCpu"].Int(0, INT64_MIN, INT64_MAX);
  pod.unnamed_memory = derived["unnamedMemory"].Int(0, INT64_MIN, INT64_MAX);
  pod.request_unread = derived["requestUnread"].Bool(false);
  pod.needs = ReadNeeds(derived["needs"]);
}

}  // namespace batholith
