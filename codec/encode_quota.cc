#include <boost/json.hpp>

#include "codec/encode.h"
#include "codec/encode_parts.h"

namespace batholith {

namespace json = boost::json;

json::object Encode(const ElasticQuotaRecord& quota) {
  const std::string version = quota.group + "/v1alpha1";
  json::object out = Begin(version, quota.kind, quota.meta);
  json::object spec;
  // An empty list is not an absent one.
  if (quota.min) spec["min"] = Quantities(*quota.min);
  if (quota.max) spec["max"] = Quantities(*quota.max);
  if (quota.IsComposite()) Put(spec, "namespaces", TextList(quota.namespaces));
  Put(out, "spec", std::move(spec));
  json::object status;
  Put(status, "used", Quantities(quota.status_used));
  Put(out, "status", std::move(status));
  return out;
}

json::object Encode(const ElasticQuotaProfileRecord& profile) {
  json::object out = Begin(profile);
  json::object spec{{"quotaName", profile.quota_name},
                    {"nodeSelector", SelectorObject(profile.node_selector)}};
  Put(spec, "quotaLabels", TextMap(profile.quota_labels));
  Put(spec, "resourceRatio", profile.resource_ratio);
  out["spec"] = std::move(spec);
  return out;
}

}  // namespace batholith
