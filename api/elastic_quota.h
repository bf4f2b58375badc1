#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/objects.h"

// The objects that elastic quotas are written as. Three systems name theirs alike; the API group
// tells them apart.
namespace batholith {

inline constexpr std::string_view kSchedulerPluginsGroup = "scheduling.x-k8s.io";
inline constexpr std::string_view kSigsGroup = "scheduling.sigs.k8s.io";
inline constexpr std::string_view kNosGroup = "nos.nebuly.com";
inline constexpr std::string_view kOldNosGroup = "n8s.nebuly.ai";
inline constexpr std::string_view kQuotaProfileGroup = "quota.koordinator.sh";

// Begins each label and annotation of Koordinator's quotas.
inline constexpr std::string_view kQuotaKeyPrefix = "quota.scheduling.koordinator.sh/";
inline constexpr std::string_view kParentLabel = "parent";
inline constexpr std::string_view kOldParentLabel = "parent-quota-name";
inline constexpr std::string_view kPodQuotaLabel = "name";
inline constexpr std::string_view kOldPodQuotaLabel = "quota-name";

inline constexpr std::string_view kRootQuota = "koordinator-root-quota";
inline constexpr std::string_view kSystemQuota = "koordinator-system-quota";
inline constexpr std::string_view kDefaultQuota = "koordinator-default-quota";

// Begins our own annotations of quotas: policies, and since when a quota is over its runtime, in
// nanoseconds since the epoch.
inline constexpr std::string_view kQuotaPolicyPrefix = "quota.batholith.dev/";
inline constexpr std::string_view kOverSinceAnnotation = "quota.batholith.dev/over-since";

// Which system's rules an object follows.
enum class QuotaDialect : std::uint8_t { kSchedulerPlugins, kNos, kKoordinator };

// How important a pod is to quotas: by priority, which is 0 where it is absent, as the API server
// would have set it; then the one that started earlier.
inline std::int32_t QuotaPriorityOf(const PodRecord& pod) { return pod.priority.value_or(0); }
inline TimeNs QuotaStartOf(const PodRecord& pod) {
  return pod.started_at != 0 ? pod.started_at : pod.meta.creation;
}

// An ElasticQuota or a CompositeElasticQuota. Amounts in base units, those beyond 64 bits cut off
// at the ends; absent is not zero. Amounts may be negative: what a quota may say is for the
// validation to judge.
struct ElasticQuotaRecord {
  ObjectMeta meta;
  std::string group;
  std::string kind = "ElasticQuota";  // or CompositeElasticQuota
  QuotaDialect dialect = QuotaDialect::kSchedulerPlugins;
  std::optional<ResourceList> min;
  std::optional<ResourceList> max;
  // A composite's spec.namespaces, or Koordinator's annotation `namespaces`.
  std::vector<std::string> namespaces;
  ResourceList status_used;

  // From here on Koordinator only: its labels,
  bool is_parent = false;
  std::string parent;  // empty: the root, whose name is never kept here
  bool allow_lent = true;
  std::string tree_id;  // empty: the default tree
  bool is_root = false;
  std::string profile;
  bool ignore_default_tree = false;
  bool allow_force_update = false;
  // and its annotations.
  std::optional<ResourceList> shared_weight;  // absent: as max
  std::optional<ResourceList> total_resource;
  std::optional<ResourceList> unschedulable_resource;
  std::optional<ResourceList> admission;
  std::optional<ResourceList> child_request;
  std::optional<ResourceList> guaranteed;
  std::vector<std::string> max_strict_keys;

  bool IsComposite() const { return kind == "CompositeElasticQuota"; }
  bool operator==(const ElasticQuotaRecord&) const = default;
  // Unique over all quotas: "ElasticQuota.scheduling.x-k8s.io/namespace/name".
  std::string Identity() const { return kind + "." + group + "/" + meta.Key(); }
};

// The label's value, or nullptr. `key` is without the prefix.
const std::string* FindQuotaLabel(const Labels& labels, std::string_view key);

// A label that has an older spelling. Where both stand the current one counts.
struct SpelledLabel {
  const std::string* value = nullptr;  // nullptr: neither stands
  const std::string* other = nullptr;  // what the older one says where it says something else
};
SpelledLabel FindSpelledLabel(const Labels& labels, std::string_view current,
                              std::string_view older);

// The fields of a quota of Koordinator that its labels tell.
void ReadQuotaLabels(ElasticQuotaRecord& quota);

// Makes the root quota of a tree out of the nodes that it selects.
struct ElasticQuotaProfileRecord {
  ObjectMeta meta;
  std::string quota_name;
  LabelSelector node_selector;
  Labels quota_labels;                                      // put on the quota
  std::string resource_ratio;                               // as written; empty: 1
  std::vector<std::string> resource_keys{"cpu", "memory"};  // what goes into min and max
  std::string tree_id;                                      // empty: made from the profile's key
  bool operator==(const ElasticQuotaProfileRecord&) const = default;
};

}  // namespace batholith
