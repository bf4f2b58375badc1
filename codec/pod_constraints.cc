#include <algorithm>
#include <set>

#include "codec/kinds.h"
#include "codec/pod.h"
#include "codec/selector.h"

namespace batholith {
namespace {

// Only pods with the same value of these labels as the pod itself (`op` kIn), or with another one.
// Without a selector there is nothing that the labels could narrow: an API server refuses that.
void AddLabelKeys(const Field& keys, Requirement::Op op, const Labels& labels,
                  std::optional<LabelSelector>& selector) {
  std::set<std::string, std::less<>> known;
  for (const Requirement& r : selector ? selector->requirements : std::vector<Requirement>()) {
    const std::string* value = FindValue(labels, r.key);
    if (r.op == op && value != nullptr && r.values == std::vector{*value}) known.insert(r.key);
  }
  for (const std::string& key : keys.Texts()) {
    if (!selector) {
      keys.Flaw("must be absent where there is no labelSelector");
      return;
    }
    const std::string* value = FindValue(labels, key);
    if (value == nullptr) continue;
    // The API server has written it already where the pod comes from a cluster.
    if (known.insert(key).second) selector->requirements.push_back({key, op, {*value}});
  }
}

PodAffinityTerm ReadAffinityTerm(const Field& term, const Labels& labels) {
  PodAffinityTerm out;
  out.selector = ReadLabelSelector(term["labelSelector"]);
  AddLabelKeys(term["matchLabelKeys"], Requirement::Op::kIn, labels, out.selector);
  AddLabelKeys(term["mismatchLabelKeys"], Requirement::Op::kNotIn, labels, out.selector);
  out.namespaces = term["namespaces"].Texts();
  out.namespace_selector = ReadLabelSelector(term["namespaceSelector"]);
  out.topology_key = term["topologyKey"].Text();
  if (out.topology_key.empty()) term["topologyKey"].Flaw("is missing");
  return out;
}

void ReadPodAffinity(const Field& affinity, const Labels& labels,
                     std::vector<PodAffinityTerm>& required,
                     std::vector<PodAffinityTerm>& preferred) {
  const auto read = [&](const Field& item, const Field& term, std::vector<PodAffinityTerm>& out) {
    const std::size_t flaws = item.flaw_count();
    PodAffinityTerm parsed = ReadAffinityTerm(term, labels);
    if (&out == &preferred)
      parsed.weight = static_cast<std::int32_t>(item["weight"].Int(1, 1, 100));
    if (item.flaw_count() == flaws) out.push_back(std::move(parsed));
  };
  for (const Field& t : affinity["requiredDuringSchedulingIgnoredDuringExecution"].Items())
    read(t, t, required);
  for (const Field& t : affinity["preferredDuringSchedulingIgnoredDuringExecution"].Items())
    read(t, t["podAffinityTerm"], preferred);
}

void ReadNodeAffinity(const Field& affinity, PodConstraints& out) {
  const Field required = affinity["requiredDuringSchedulingIgnoredDuringExecution"];
  out.has_required_node_affinity = required.present();
  for (const Field& t : required["nodeSelectorTerms"].Items())
    out.required_node_terms.push_back(ReadNodeTerm(t));
  if (required.present() && out.required_node_terms.empty()) {
    required["nodeSelectorTerms"].Flaw("must have at least one term");
    out.required_node_terms.emplace_back();  // matches no node
  }
  for (const Field& t : affinity["preferredDuringSchedulingIgnoredDuringExecution"].Items()) {
    out.preferred_node_terms.push_back(
        {static_cast<std::int32_t>(t["weight"].Int(1, 1, 100)), ReadNodeTerm(t["preference"])});
  }
}

constexpr Choices<bool, 2> kHard{{{"DoNotSchedule", true}, {"ScheduleAnyway", false}}};
constexpr Choices<bool, 2> kHonor{{{"Honor", true}, {"Ignore", false}}};

void ReadSpread(const Field& spec, const Labels& labels, PodConstraints& out) {
  for (const Field& t : spec["topologySpreadConstraints"].Items()) {
    const std::size_t flaws = t.flaw_count();
    TopologySpread s;
    s.max_skew = static_cast<std::int32_t>(t["maxSkew"].Int(1, 1, INT32_MAX));
    s.topology_key = t["topologyKey"].Text();
    if (s.topology_key.empty()) t["topologyKey"].Flaw("is missing");
    s.hard = t["whenUnsatisfiable"].OneOf(kHard, true);
    s.selector = ReadLabelSelector(t["labelSelector"]);
    AddLabelKeys(t["matchLabelKeys"], Requirement::Op::kIn, labels, s.selector);
    if (t["minDomains"].present() && !s.hard)
      t["minDomains"].Flaw("must be absent where whenUnsatisfiable is ScheduleAnyway");
    s.min_domains = static_cast<std::int32_t>(t["minDomains"].Int(1, 1, INT32_MAX));
    s.honor_node_affinity = t["nodeAffinityPolicy"].OneOf(kHonor, true);
    s.honor_node_taints = t["nodeTaintsPolicy"].OneOf(kHonor, false);
    if (t.flaw_count() == flaws) out.topology_spread.push_back(std::move(s));
  }
}

constexpr Choices<bool, 2> kExists{{{"Exists", true}, {"Equal", false}}};

void ReadTolerations(const Field& list, PodConstraints& out) {
  for (const Field& t : list.Items()) {
    const std::size_t flaws = t.flaw_count();
    Toleration toleration;
    toleration.key = t["key"].Text();
    toleration.exists = t["operator"].OneOf(kExists, false);
    toleration.value = t["value"].Text();
    if (!t["effect"].Text().empty()) toleration.effect = t["effect"].OneOf(kTaintEffects);
    if (toleration.exists && !toleration.value.empty())
      t["value"].Flaw("must be empty where operator is Exists");
    if (!toleration.exists && toleration.key.empty())
      t["operator"].Flaw("must be Exists where there is no key");
    if (t["tolerationSeconds"].present() && toleration.effect != TaintEffect::kNoExecute)
      t["effect"].Flaw("must be NoExecute where there are tolerationSeconds");
    t["tolerationSeconds"].Int(0, INT64_MIN, INT64_MAX);
    // A toleration that is not understood tolerates nothing.
    if (t.flaw_count() == flaws) out.tolerations.push_back(std::move(toleration));
  }
}

constexpr Choices<std::string_view, 3> kProtocols{
    {{"TCP", "TCP"}, {"UDP", "UDP"}, {"SCTP", "SCTP"}}};

// Another port is another constraint, so nothing is cut off.
std::int32_t ReadPort(const Field& port, std::int32_t fallback) {
  constexpr std::int64_t kHighest = 65535;
  const std::int64_t number = port.Int(fallback, INT64_MIN, INT64_MAX);
  if (number >= 0 && number <= kHighest) return static_cast<std::int32_t>(number);
  port.Flaw(std::to_string(number) + " is out of range 0 to " + std::to_string(kHighest));
  return fallback;
}

// On the host's network a container's ports are the host's.
void ReadPorts(const Field& container, bool host_network, PodConstraints& out) {
  for (const Field& p : container["ports"].Items()) {
    const std::size_t flaws = p.flaw_count();
    const std::int32_t own = host_network ? ReadPort(p["containerPort"], 0) : 0;
    const std::int32_t port = ReadPort(p["hostPort"], own);
    if (port == 0) continue;
    std::string ip = p["hostIP"].Text();
    HostPort read{ip.empty() ? "0.0.0.0" : std::move(ip),
                  std::string(p["protocol"].OneOf(kProtocols, "TCP")), port};
    if (p.flaw_count() == flaws) out.host_ports.push_back(std::move(read));
  }
}

constexpr Choices<bool, 3> kRestarts{{{"Always", true}, {"OnFailure", false}, {"Never", false}}};

void ReadContainers(const Field& spec, PodConstraints& out) {
  const bool host_network = spec["hostNetwork"].Bool(false);
  for (const Field& c : spec["containers"].Items()) {
    out.images.push_back(c["image"].Text());
    ReadPorts(c, host_network, out);
  }
  for (const Field& c : spec["initContainers"].Items()) {
    c["restartPolicy"].OneOf(kRestarts, false);  // whatever it is, it is told
    if (IsSidecar(c)) ReadPorts(c, host_network, out);
  }
}

}  // namespace

PodConstraints ReadConstraints(const Field& spec, const Labels& labels) {
  PodConstraints out;
  out.node_selector = spec["nodeSelector"].TextMap();
  const Field affinity = spec["affinity"];
  ReadNodeAffinity(affinity["nodeAffinity"], out);
  ReadPodAffinity(affinity["podAffinity"], labels, out.required_affinity, out.preferred_affinity);
  ReadPodAffinity(affinity["podAntiAffinity"], labels, out.required_anti_affinity,
                  out.preferred_anti_affinity);
  ReadSpread(spec, labels, out);
  ReadTolerations(spec["tolerations"], out);
  ReadContainers(spec, out);
  out.signature = SignatureOf(out);
  return out;
}

}  // namespace batholith
