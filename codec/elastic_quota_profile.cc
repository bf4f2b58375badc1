#include "codec/json_annotation.h"
#include "codec/kinds.h"
#include "codec/selector.h"

namespace batholith {

ElasticQuotaProfileRecord ReadElasticQuotaProfile(const Field& object) {
  ElasticQuotaProfileRecord profile;
  profile.meta = ReadMeta(object);
  const Field spec = object["spec"];
  profile.quota_name = spec["quotaName"].Text();
  if (profile.quota_name.empty()) spec["quotaName"].Flaw("is missing");
  const std::optional<LabelSelector> selector = ReadLabelSelector(spec["nodeSelector"]);
  if (!selector) spec["nodeSelector"].Flaw("is missing");
  profile.node_selector = selector.value_or(LabelSelector());
  profile.quota_labels = spec["quotaLabels"].TextMap();
  profile.resource_ratio = spec["resourceRatio"].TextOrNumber();
  const JsonAnnotation keys(object, "resource-keys");
  if (keys.present()) profile.resource_keys = keys.Texts();
  if (const std::string* id = FindQuotaLabel(profile.meta.labels, "tree-id")) profile.tree_id = *id;
  return profile;
}

}  // namespace batholith
