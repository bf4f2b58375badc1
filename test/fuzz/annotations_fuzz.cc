// Texts of annotations and labels that sessions read: the first byte says which key, the rest is
// the value. It stands on every object of a small cluster.
#include <boost/json.hpp>
#include <string>
#include <vector>

#include "api/utf8.h"
#include "codec/yaml.h"
#include "scheduler/compile_conf.h"
#include "test/fuzz/fuzz.h"
#include "test/fuzz/odd_values.h"
#include "test/fuzz/sessions.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr std::string_view kCluster = R"(
{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}}}
---
{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q}, spec: {weight: 1}}
---
{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g, namespace: a}, spec: {minMember: 1, queue: q}}
---
apiVersion: v1
kind: Pod
metadata: {name: waits, namespace: a, annotations: {scheduling.k8s.io/group-name: g}}
spec: {schedulerName: volcano, containers: [{name: c, resources: {requests: {cpu: 1}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: runs, namespace: a}
spec: {schedulerName: volcano, nodeName: n, containers: [{name: c, resources: {requests: {cpu: 1}}}]}
status: {phase: Running, startTime: "2025-12-31T00:00:00Z"}
---
{apiVersion: scheduling.sigs.k8s.io/v1alpha1, kind: ElasticQuota, metadata: {name: k, namespace: a}, spec: {min: {cpu: 1}, max: {cpu: 4}}}
---
{apiVersion: nos.nebuly.com/v1alpha1, kind: ElasticQuota, metadata: {name: s, namespace: b}, spec: {min: {cpu: 1}}}
---
{apiVersion: quota.koordinator.sh/v1alpha1, kind: ElasticQuotaProfile, metadata: {name: p, namespace: a}, spec: {quotaName: k, nodeSelector: {}}}
---
{apiVersion: cluster.x-k8s.io/v1beta1, kind: MachineDeployment, metadata: {name: d, namespace: a}, spec: {replicas: 1}}
---
{apiVersion: cluster.x-k8s.io/v1beta1, kind: Machine, metadata: {name: m, namespace: a}, status: {nodeRef: {name: n}}}
---
{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: j, namespace: b}, spec: {tasks: [{replicas: 2, name: w, template: {spec: {containers: [{name: c}]}}}]}}
)";

constexpr std::string_view kConf = R"(
actions: "enqueue, allocate, backfill, preempt, reclaim, revoke, shuffle, slack, autoscale"
tiers:
- plugins:
  - {name: priority}
  - {name: gang}
  - {name: sla}
  - {name: tdm, arguments: {tdm.revocable-zone.a: "00:00-23:59"}}
  - {name: elasticquota, arguments: {monitorAllQuotas: true, MultiQuotaTree: true}}
- plugins:
  - {name: drf, enableHierarchy: true}
  - {name: predicates}
  - {name: nodeorder}
  - {name: nodegroup, arguments: {strict: false}}
  - {name: cdp}
  - {name: resource-strategy-fit}
configurations:
- {name: slack, arguments: {rate: 10%}}
- {name: autoscale, arguments: {mode: apply, clusterAPI: {enabled: true}}}
)";

// No reader lets another text pass.
bool IsUtf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = SequenceLength(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

void Annotate(json::value& object, std::string_view key, std::string_view value) {
  json::object& meta = object.as_object().at("metadata").as_object();
  for (const char* field : {"annotations", "labels"}) {
    json::value& notes = meta[field];
    if (!notes.is_object()) notes.emplace_object();
    notes.get_object()[key] = value;
  }
}

}  // namespace
}  // namespace batholith

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace batholith;
  static const auto cluster = ParseDocuments(kCluster, "cluster");
  static const auto conf = CompileConf(kConf, "conf");
  if (!conf) fputs(conf.error().message.c_str(), stderr);
  CHECK(cluster && conf);
  const std::string_view text = fuzz::TextOf(data, size);
  const auto keys = fuzz::KnownAnnotations();
  if (text.empty() || text[0] < '0' || !IsUtf8(text)) return fuzz::kForget;
  const auto key = static_cast<std::size_t>(text[0] - '0');
  if (key >= keys.size()) return fuzz::kForget;
  auto manifests = *cluster;
  for (auto& manifest : manifests) Annotate(manifest, keys[key], text.substr(1));
  fuzz::RunAndCheck(manifests, conf->pipeline, /*gangs=*/false, /*recreate=*/true);
  return fuzz::kKeep;
}
