#include "codec/kinds.h"
#include "codec/quota_notes.h"

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

bool LabelIs(const Labels& labels, std::string_view key, std::string_view value) {
  const std::string* label = FindQuotaLabel(labels, key);
  return label != nullptr && *label == value;
}

std::string LabelText(const Labels& labels, std::string_view key) {
  const std::string* label = FindQuotaLabel(labels, key);
  return label == nullptr ? std::string() : *label;
}

void ReadLabels(ElasticQuotaRecord& quota, const std::string& name,
                std::vector<std::string>& warnings) {
  const Labels& labels = quota.meta.labels;
  quota.is_parent = LabelIs(labels, "is-parent", "true");
  const SpelledLabel parent = FindSpelledLabel(labels, "parent", "parent-quota-name");
  if (!parent.difference.empty()) warnings.push_back(name + ": " + parent.difference);
  if (parent.value != nullptr && *parent.value != kRootQuota) quota.parent = *parent.value;
  quota.allow_lent = !LabelIs(labels, "allow-lent-resource", "false");
  quota.tree_id = LabelText(labels, "tree-id");
  quota.is_root = LabelIs(labels, "is-root", "true");
  quota.profile = LabelText(labels, "profile");
  quota.ignore_default_tree = LabelIs(labels, "ignore-default-tree", "true");
  quota.allow_force_update = LabelIs(labels, "allow-force-update", "true");
}

void ReadAnnotations(const Field& object, ElasticQuotaRecord& quota, const std::string& name,
                     std::vector<std::string>& warnings) {
  quota.namespaces = JsonNote(object, "namespaces").Texts();
  quota.total_resource = JsonNote(object, "total-resource").Bounds();
  quota.unschedulable_resource = JsonNote(object, "unschedulable-resource").Bounds();
  quota.admission = JsonNote(object, "admission").Bounds();
  quota.child_request = JsonNote(object, "child-request").Bounds();
  quota.guaranteed = JsonNote(object, "guaranteed").Bounds();
  quota.max_strict_keys = JsonNote(object, "max-strict-check-resource-keys").Texts();
  try {
    quota.shared_weight = JsonNote(object, "shared-weight").Bounds();
  } catch (const FieldError& e) {
    // Koordinator shares by max then, and so does whoever moves here from there.
    warnings.push_back(name + ": " + e.what() + ": max is the weight");
  }
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
  ReadLabels(quota, name, warnings);
  ReadAnnotations(object, quota, name, warnings);
  return quota;
}

}  // namespace batholith
