#include "test/fuzz/odd_values.h"

#include <boost/json.hpp>

namespace batholith::fuzz {
namespace {

namespace json = boost::json;

constexpr std::string_view kAnnotationKeys[] = {
    "volcano.sh/preemptable",
    "volcano.sh/revocable-zone",
    "volcano.sh/task-priority",
    "volcano.sh/cooldown-time",
    "volcano.sh/hierarchy",
    "volcano.sh/hierarchy-weights",
    "volcano.sh/jdb-max-unavailable",
    "volcano.sh/jdb-min-available",
    "volcano.sh/nodegroup-name",
    "volcano.sh/nodegroup-resource-limits",
    "volcano.sh/resource-strategy-scoring-type",
    "volcano.sh/resource-strategy-weight",
    "volcano.sh/sla-waiting-time",
    "volcano.sh/task-spec",
    "volcano.sh/closed-by-parent",
    "scheduling.k8s.io/group-name",
    "scheduling.volcano.sh/group-min-member",
    "scheduling.volcano.sh/queue-name",
    "quota.batholith.dev/over-since",
    "quota.batholith.dev/limit",
    "quota.scheduling.koordinator.sh/name",
    "quota.scheduling.koordinator.sh/parent",
    "quota.scheduling.koordinator.sh/is-parent",
    "quota.scheduling.koordinator.sh/is-root",
    "quota.scheduling.koordinator.sh/tree-id",
    "quota.scheduling.koordinator.sh/allow-lent-resource",
    "quota.scheduling.koordinator.sh/preemptible",
    "quota.scheduling.koordinator.sh/namespaces",
    "quota.scheduling.koordinator.sh/shared-weight",
    "quota.scheduling.koordinator.sh/total-resource",
    "quota.scheduling.koordinator.sh/unschedulable-resource",
    "quota.scheduling.koordinator.sh/admission",
    "quota.scheduling.koordinator.sh/child-request",
    "quota.scheduling.koordinator.sh/guaranteed",
    "quota.scheduling.koordinator.sh/resource-keys",
    "quota.scheduling.koordinator.sh/max-strict-check-resource-keys",
    "nos.nebuly.com/capacity",
    "slack.batholith.dev/mirror",
    "slack.batholith.dev/exclude",
    "slack.batholith.dev/restartable",
    "slack.batholith.dev/to-be-deleted",
    "cluster-autoscaler.kubernetes.io/safe-to-evict",
    "cluster-autoscaler.kubernetes.io/scale-down-disabled",
    "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size",
    "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size",
    "cluster.x-k8s.io/delete-machine",
    "capacity.cluster-autoscaler.kubernetes.io/cpu",
    "capacity.cluster-autoscaler.kubernetes.io/memory",
    "capacity.cluster-autoscaler.kubernetes.io/labels",
    "capacity.cluster-autoscaler.kubernetes.io/taints",
    "batholith.dev/node-group",
};

constexpr std::string_view kAnnotationValues[] = {"true",
                                                  "false",
                                                  "",
                                                  "1",
                                                  "-1",
                                                  "5",
                                                  "1h",
                                                  "50%",
                                                  "0.5",
                                                  "a/b/c",
                                                  "root/a",
                                                  "1/2/3",
                                                  "[\"a\"]",
                                                  "{\"cpu\":1}",
                                                  "{\"cpu\":\"9e18\",\"memory\":-1}",
                                                  "99999999999999999999",
                                                  "a=b,c=d:NoSchedule",
                                                  "q1",
                                                  "o1",
                                                  "default",
                                                  "worker",
                                                  "10%",
                                                  "{\"cpu\":{}}",
                                                  "-9223372036854775808",
                                                  "9223372036854775807",
                                                  "2562047h47m16.9s",
                                                  "nan",
                                                  "a,b",
                                                  "waterFill",
                                                  "g1"};

constexpr std::string_view kResources[] = {"cpu",
                                           "memory",
                                           "nvidia.com/gpu",
                                           "pods",
                                           "ephemeral-storage",
                                           "hugepages-2Mi",
                                           "requests.cpu",
                                           "limits.memory",
                                           "count/pods",
                                           "nvidia.com/gpu-10gb",
                                           "volcano.sh/namespace.weight"};

constexpr std::string_view kQuantities[] = {"1",
                                            "2",
                                            "0",
                                            "4",
                                            "500m",
                                            "1Gi",
                                            "8",
                                            "16Gi",
                                            "100",
                                            "0.0001",
                                            "1n",
                                            "1e3",
                                            "9223372036854775807",
                                            "9223372036854775",
                                            "8Ei",
                                            "9e18",
                                            "-1",
                                            "1e30",
                                            "",
                                            "110"};

constexpr std::string_view kTimes[] = {"2025-12-31T23:00:00Z", "2026-01-01T00:00:00Z",
                                       "1970-01-01T00:00:00Z", "1700-01-01T00:00:00Z",
                                       "2250-12-31T23:59:59Z", "2026-01-01T00:00:05.5+01:00"};

constexpr std::string_view kLabels[] = {"app", "kubernetes.io/hostname",
                                        "topology.kubernetes.io/zone", "disk", ""};
constexpr std::string_view kWords[] = {"a", "b", "n0", "n1", "zone-a", "1", "-5", ""};

constexpr std::string_view kOperators[] = {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"};

}  // namespace

std::span<const std::string_view> KnownAnnotations() { return kAnnotationKeys; }

std::int64_t OddValues::Integer(std::int64_t sensible) {
  static constexpr std::int64_t kOdd[] = {
      0, 1, 2, 3, 100, -1, 1'000'000'000, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
  return bytes_.Sometimes(3) ? bytes_.Pick(kOdd) : sensible;
}

std::string_view OddValues::Quantity() { return bytes_.Pick(kQuantities); }
std::string_view OddValues::Time() { return bytes_.Pick(kTimes); }
std::string_view OddValues::Label() { return bytes_.Pick(kLabels); }
std::string_view OddValues::Word() { return bytes_.Pick(kWords); }

json::object OddValues::Labels() {
  json::object out;
  for (std::size_t n = bytes_.Below(3) + 1; n > 0; --n)
    out[bytes_.Sometimes(3) ? bytes_.Pick(kAnnotationKeys) : Label()] = Word();
  return out;
}

json::object OddValues::Notes() {
  json::object out;
  for (std::size_t n = bytes_.Below(3) + 1; n > 0; --n)
    out[bytes_.Pick(kAnnotationKeys)] = bytes_.Pick(kAnnotationValues);
  return out;
}

json::object OddValues::Resources() {
  json::object out;
  AddResources(out);
  return out;
}

void OddValues::AddResources(json::object& to) {
  for (std::size_t n = bytes_.Below(3) + 1; n > 0; --n) to[bytes_.Pick(kResources)] = Quantity();
  if (!bytes_.Sometimes(16)) return;
  for (std::size_t n = bytes_.Below(48); n > 0; --n)
    to["example.com/r" + std::to_string(n)] = Quantity();
}

json::object OddValues::Selector() {
  json::object out;
  if (bytes_.Sometimes(2)) out["matchLabels"] = json::object{{Label(), Word()}};
  if (!bytes_.Sometimes(3)) return out;
  const std::string_view op = bytes_.Pick(kOperators);
  json::object requirement{{"key", Label()}, {"operator", op}};
  if (!op.ends_with("xists") && op != "DoesNotExist") requirement["values"] = json::array{Word()};
  out["matchExpressions"] = json::array{std::move(requirement)};
  return out;
}

json::object OddValues::NodeTerm() {
  return {{"matchExpressions", json::array{{{"key", Label()},
                                            {"operator", bytes_.Pick(kOperators)},
                                            {"values", json::array{Word()}}}}}};
}

json::object OddValues::PodTerm() {
  json::object term{{"labelSelector", Selector()}, {"topologyKey", Label()}};
  if (bytes_.Sometimes(4)) term["namespaceSelector"] = Selector();
  return term;
}

json::object OddValues::Affinity() {
  json::object out;
  if (bytes_.Sometimes(2)) {
    out["nodeAffinity"] = {{"requiredDuringSchedulingIgnoredDuringExecution",
                            {{"nodeSelectorTerms", json::array{NodeTerm()}}}},
                           {"preferredDuringSchedulingIgnoredDuringExecution",
                            json::array{{{"weight", Integer(1)}, {"preference", NodeTerm()}}}}};
  }
  for (const char* side : {"podAffinity", "podAntiAffinity"}) {
    if (!bytes_.Sometimes(2)) continue;
    json::object terms;
    if (bytes_.Sometimes(2))
      terms["requiredDuringSchedulingIgnoredDuringExecution"] = json::array{PodTerm()};
    if (bytes_.Sometimes(2)) {
      terms["preferredDuringSchedulingIgnoredDuringExecution"] =
          json::array{{{"weight", Integer(1)}, {"podAffinityTerm", PodTerm()}}};
    }
    out[side] = std::move(terms);
  }
  return out;
}

}  // namespace batholith::fuzz
