#include "api/elastic_quota.h"

namespace batholith {
namespace {

bool LabelIs(const Labels& labels, std::string_view key, std::string_view value) {
  const std::string* label = FindQuotaLabel(labels, key);
  return label != nullptr && *label == value;
}

std::string LabelText(const Labels& labels, std::string_view key) {
  const std::string* label = FindQuotaLabel(labels, key);
  return label == nullptr ? std::string() : *label;
}

}  // namespace

const std::string* FindQuotaLabel(const Labels& labels, std::string_view key) {
  if (labels.empty()) return nullptr;
  const auto it = labels.find(std::string(kQuotaKeyPrefix) + std::string(key));
  return it == labels.end() ? nullptr : &it->second;
}

SpelledLabel FindSpelledLabel(const Labels& labels, std::string_view current,
                              std::string_view older) {
  const std::string* now = FindQuotaLabel(labels, current);
  const std::string* before = FindQuotaLabel(labels, older);
  if (now == nullptr) return {before, nullptr};
  return {now, before != nullptr && *before != *now ? before : nullptr};
}

void ReadQuotaLabels(ElasticQuotaRecord& quota) {
  const Labels& labels = quota.meta.labels;
  const std::string* parent = FindSpelledLabel(labels, kParentLabel, kOldParentLabel).value;
  quota.parent = parent == nullptr || *parent == kRootQuota ? std::string() : *parent;
  quota.is_parent = LabelIs(labels, "is-parent", "true");
  quota.allow_lent = !LabelIs(labels, "allow-lent-resource", "false");
  quota.tree_id = LabelText(labels, "tree-id");
  quota.is_root = LabelIs(labels, "is-root", "true");
  quota.profile = LabelText(labels, "profile");
  quota.ignore_default_tree = LabelIs(labels, "ignore-default-tree", "true");
  quota.allow_force_update = LabelIs(labels, "allow-force-update", "true");
}

}  // namespace batholith
