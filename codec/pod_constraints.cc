#include <boost/json.hpp>

#include "codec/pod.h"

namespace batholith {
namespace {

TaintEffect ReadEffect(const Field& field) {
  const std::string text = field.Text();
  if (text == "NoSchedule") return TaintEffect::kNoSchedule;
  if (text == "PreferNoSchedule") return TaintEffect::kPreferNoSchedule;
  if (text == "NoExecute") return TaintEffect::kNoExecute;
  field.Fail("\"" + text + "\" is no taint effect");
}

NodeSelectorTerm ReadNodeTerm(const Field& term) {
  return {ReadRequirements(term["matchExpressions"]), ReadRequirements(term["matchFields"])};
}

PodAffinityTerm ReadAffinityTerm(const Field& term) {
  PodAffinityTerm out;
  out.selector = ReadLabelSelector(term["labelSelector"]);
  out.namespaces = term["namespaces"].Texts();
  out.namespace_selector = ReadLabelSelector(term["namespaceSelector"]);
  out.topology_key = term["topologyKey"].Text();
  if (out.topology_key.empty()) term["topologyKey"].Fail("is missing");
  return out;
}

void ReadPodAffinity(const Field& affinity, std::vector<PodAffinityTerm>& required,
                     std::vector<PodAffinityTerm>& preferred) {
  for (const Field& t : affinity["requiredDuringSchedulingIgnoredDuringExecution"].Items()) {
    required.push_back(ReadAffinityTerm(t));
  }
  for (const Field& t : affinity["preferredDuringSchedulingIgnoredDuringExecution"].Items()) {
    preferred.push_back(ReadAffinityTerm(t["podAffinityTerm"]));
    preferred.back().weight = static_cast<std::int32_t>(t["weight"].Int(1, 1, 100));
  }
}

void ReadNodeAffinity(const Field& affinity, PodConstraints& out) {
  const Field required = affinity["requiredDuringSchedulingIgnoredDuringExecution"];
  out.has_required_node_affinity = required.present();
  for (const Field& t : required["nodeSelectorTerms"].Items())
    out.required_node_terms.push_back(ReadNodeTerm(t));
  for (const Field& t : affinity["preferredDuringSchedulingIgnoredDuringExecution"].Items()) {
    out.preferred_node_terms.push_back(
        {static_cast<std::int32_t>(t["weight"].Int(1, 1, 100)), ReadNodeTerm(t["preference"])});
  }
}

void ReadSpread(const Field& spec, PodConstraints& out) {
  for (const Field& t : spec["topologySpreadConstraints"].Items()) {
    TopologySpread s;
    s.max_skew = static_cast<std::int32_t>(t["maxSkew"].Int(1, 1, INT32_MAX));
    s.topology_key = t["topologyKey"].Text();
    s.hard = t["whenUnsatisfiable"].Text("DoNotSchedule") != "ScheduleAnyway";
    s.selector = ReadLabelSelector(t["labelSelector"]);
    s.min_domains = static_cast<std::int32_t>(t["minDomains"].Int(1, 1, INT32_MAX));
    s.honor_node_affinity = t["nodeAffinityPolicy"].Text("Honor") == "Honor";
    s.honor_node_taints = t["nodeTaintsPolicy"].Text("Ignore") == "Honor";
    out.topology_spread.push_back(std::move(s));
  }
}

void ReadPorts(const Field& containers, PodConstraints& out) {
  for (const Field& c : containers.Items()) {
    out.images.push_back(c["image"].Text());
    for (const Field& p : c["ports"].Items()) {
      const auto port = static_cast<std::int32_t>(p["hostPort"].Int(0, 0, 65535));
      if (port == 0) continue;
      std::string ip = p["hostIP"].Text();
      out.host_ports.push_back(
          {ip.empty() ? "0.0.0.0" : std::move(ip), p["protocol"].Text("TCP"), port});
    }
  }
}

}  // namespace

PodConstraints ReadConstraints(const Field& spec) {
  PodConstraints out;
  out.node_selector = spec["nodeSelector"].TextMap();
  const Field affinity = spec["affinity"];
  ReadNodeAffinity(affinity["nodeAffinity"], out);
  ReadPodAffinity(affinity["podAffinity"], out.required_affinity, out.preferred_affinity);
  ReadPodAffinity(affinity["podAntiAffinity"], out.required_anti_affinity,
                  out.preferred_anti_affinity);
  ReadSpread(spec, out);
  for (const Field& t : spec["tolerations"].Items()) {
    Toleration toleration;
    toleration.key = t["key"].Text();
    const std::string op = t["operator"].Text("Equal");
    if (op != "Equal" && op != "Exists")
      t["operator"].Fail("\"" + op + "\" is no operator (Equal, Exists)");
    toleration.exists = op == "Exists";
    toleration.value = t["value"].Text();
    if (!t["effect"].Text().empty()) toleration.effect = ReadEffect(t["effect"]);
    out.tolerations.push_back(std::move(toleration));
  }
  ReadPorts(spec["containers"], out);
  // Canonical enough: equal texts mean equal constraints; the parts stand in a fixed order.
  for (const char* part :
       {"nodeSelector", "affinity", "topologySpreadConstraints", "tolerations"}) {
    const Field field = spec[part];
    out.signature += '\x1d';
    if (field.present()) out.signature += boost::json::serialize(*field.value());
  }
  for (const std::string& image : out.images) out.signature += '\x1d' + image;
  for (const HostPort& p : out.host_ports)
    out.signature += '\x1e' + p.ip + p.protocol + std::to_string(p.port);
  return out;
}

}  // namespace batholith
