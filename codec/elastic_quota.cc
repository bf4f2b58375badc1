#include "codec/json_annotation.h"
#include "codec/kinds.h"

namespace batholith {
namespace {

QuotaDialect DialectOf(const std::string& group) {
  if (group == kSchedulerPluginsGroup) return QuotaDialect::kSchedulerPlugins;
  return group == kSigsGroup ? QuotaDialect::kKoordinator : QuotaDialect::kNos;
}

std::optional<ResourceList> ReadBounds(const Field& list) {
  if (!list.present()) return std::nullopt;
  return list.Bounds();
}

void ReadAnnotations(const Field& object, ElasticQuotaRecord& quota, const std::string& name,
                     std::vector<std::string>& warnings) {
  quota.namespaces = JsonAnnotation(object, "namespaces").Texts();
  quota.total_resource = JsonAnnotation(object, "total-resource").Bounds();
  quota.unschedulable_resource = JsonAnnotation(object, "unschedulable-resource").Bounds();
  quota.admission = JsonAnnotation(object, "admission").Bounds();
  quota.child_request = JsonAnnotation(object, "child-request").Bounds();
  quota.guaranteed = JsonAnnotation(object, "guaranteed").Bounds();
  quota.max_strict_keys = JsonAnnotation(object, "max-strict-check-resource-keys").Texts();
  // Koordinator shares by max where it cannot read the weight, and so does whoever moves here from
  // there.
  Flaws flaws;
  const Field told(object.value(), object.path(), &flaws);
  auto weight = JsonAnnotation(told, "shared-weight").Bounds();
  if (flaws.count() == 0) quota.shared_weight = std::move(weight);
  if (flaws.count() != 0) warnings.push_back(name + ": " + flaws.first() + ": max is the weight");
}

}  // namespace

ElasticQuotaRecord ReadElasticQuota(const Field& object, const std::string& group,
                                    std::vector<std::string>& warnings) {
  ElasticQuotaRecord quota;
  quota.meta = ReadMeta(object);
  quota.group = group;
  quota.kind = object["kind"].Text(quota.kind);
  quota.dialect = DialectOf(group);
  const Field spec = object["spec"];
  quota.min = ReadBounds(spec["min"]);
  quota.max = ReadBounds(spec["max"]);
  quota.status_used = object["status"]["used"].Bounds();
  if (quota.IsComposite()) quota.namespaces = spec["namespaces"].Texts();
  if (quota.dialect != QuotaDialect::kKoordinator) return quota;
  const std::string name = quota.kind + " " + Printable(quota.meta.Key());
  ReadQuotaLabels(quota);
  const std::string difference = SpellingsDiffer(quota.meta.labels, kParentLabel, kOldParentLabel);
  if (!difference.empty()) warnings.push_back(name + ": " + difference);
  ReadAnnotations(object, quota, name, warnings);
  return quota;
}

}  // namespace batholith
