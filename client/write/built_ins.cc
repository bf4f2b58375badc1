#include "client/write/built_ins.h"

#include <string_view>

#include "api/elastic_quota.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr const char* kQueueApi = "scheduling.volcano.sh/v1beta1";
constexpr const char* kQuotaApi = "scheduling.sigs.k8s.io/v1alpha1";
// Never reached: a fifth of what 64 bits hold, so that sums of a few stay within them.
constexpr const char* kNoLimit = "1844674407370955161";

BuiltIn QueueNamed(const std::string& name) {
  return {"Queue",
          name,
          "Queue.scheduling.volcano.sh",
          std::string("/apis/") + kQueueApi + "/queues",
          {{"apiVersion", kQueueApi},
           {"kind", "Queue"},
           {"metadata", json::object{{"name", name}}},
           {"spec", json::object{{"weight", 1}, {"reclaimable", name != "root"}}}}};
}

BuiltIn QuotaNamed(std::string_view name, const std::string& namespace_, json::object labels,
                   bool with_max) {
  json::object metadata{{"name", name}, {"namespace", namespace_}};
  if (!labels.empty()) metadata["labels"] = std::move(labels);
  json::object spec;
  if (with_max) spec["max"] = json::object{{"cpu", kNoLimit}, {"memory", kNoLimit}};
  return {"ElasticQuota",
          std::string(name),
          "ElasticQuota.scheduling.sigs.k8s.io",
          std::string("/apis/") + kQuotaApi + "/namespaces/" + namespace_ + "/elasticquotas",
          {{"apiVersion", kQuotaApi},
           {"kind", "ElasticQuota"},
           {"metadata", std::move(metadata)},
           {"spec", std::move(spec)}}};
}

}  // namespace

std::vector<BuiltIn> BuiltIns(const std::string& default_queue,
                              const std::string& quota_namespace) {
  const std::string prefix(kQuotaKeyPrefix);
  std::vector<BuiltIn> out{QueueNamed("root"), QueueNamed(default_queue)};
  out.push_back(QuotaNamed(
      kRootQuota, quota_namespace,
      {{prefix + "is-parent", "true"}, {prefix + "allow-lent-resource", "false"}}, false));
  out.push_back(QuotaNamed(kSystemQuota, quota_namespace, {}, true));
  out.push_back(QuotaNamed(kDefaultQuota, quota_namespace, {}, true));
  return out;
}

}  // namespace batholith
