#include "quota/profile.h"

#include <algorithm>
#include <map>

#include "api/label_match.h"
#include "api/quantity.h"
#include "api/value_text.h"
#include "api/wide.h"

namespace batholith {
namespace {

constexpr std::int64_t kUnit = 1'000'000'000;
constexpr std::int64_t kNoLimit = INT64_MAX / 2000;  // in whole units

// Billionths.
std::int64_t ParseRatio(std::string_view text) {
  const double value = ParseNumber<double>(text).value_or(0);
  if (!(value > 0 && value <= 1)) return kUnit;
  // The digits as they are written: a double is not exact.
  const Result<std::int64_t> exact = ParseQuantity(text, kUnit);
  return exact && *exact > 0 && *exact <= kUnit ? *exact : kUnit;
}

// How many base units are counted as one.
std::int64_t GrainOf(std::string_view resource) {
  return resource == "cpu" ? 1 : ResourceScale(resource);
}

ResourceList Scaled(ResourceList list, std::string_view ratio) {
  for (auto& [name, amount] : list) amount = ScaleByRatio(amount, name, ratio);
  return list;
}

void SetLabel(ElasticQuotaRecord& quota, std::string_view key, const std::string& value) {
  quota.meta.labels[std::string(kQuotaKeyPrefix) + std::string(key)] = value;
}

ElasticQuotaRecord NewRoot(const ElasticQuotaProfileRecord& profile) {
  ElasticQuotaRecord quota;
  quota.group = kSigsGroup;
  quota.dialect = QuotaDialect::kKoordinator;
  quota.meta.namespace_ = profile.meta.namespace_;
  quota.meta.name = profile.quota_name;
  quota.meta.uid = quota.meta.Key();
  quota.meta.creation = profile.meta.creation;
  return quota;
}

}  // namespace

std::int64_t ScaleByRatio(std::int64_t amount, std::string_view resource, std::string_view ratio) {
  const std::int64_t grain = GrainOf(resource);
  const std::int64_t grains = amount / grain + (amount % grain > 0 ? 1 : 0);
  const Wide scaled = static_cast<Wide>(grains) * ParseRatio(ratio) / kUnit * grain;
  return scaled > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(scaled);
}

std::string TreeIdOf(const ElasticQuotaProfileRecord& profile) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : profile.meta.namespace_ + "/" + profile.meta.name) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211U;
  }
  return std::to_string(hash);
}

ElasticQuotaRecord RootQuotaOf(const ElasticQuotaProfileRecord& profile,
                               const std::vector<NodeRecord>& nodes,
                               const ElasticQuotaRecord* existing) {
  ResourceList total;
  ResourceList unschedulable;
  for (const NodeRecord& node : nodes) {
    if (!MatchesLabels(profile.node_selector.requirements, node.meta.labels)) continue;
    AddTo(total, node.allocatable);
    if (node.unschedulable || !node.ready) AddTo(unschedulable, node.allocatable);
  }
  ElasticQuotaRecord quota = existing == nullptr ? NewRoot(profile) : *existing;
  quota.total_resource = Scaled(std::move(total), profile.resource_ratio);
  quota.unschedulable_resource = Scaled(std::move(unschedulable), profile.resource_ratio);
  quota.min.emplace();
  quota.max.emplace();
  for (const std::string& name : profile.resource_keys) {
    const auto it = quota.total_resource->find(name);
    (*quota.min)[name] = it == quota.total_resource->end() ? 0 : it->second;
    (*quota.max)[name] = kNoLimit * ResourceScale(name);
  }
  for (const auto& [key, value] : profile.quota_labels) quota.meta.labels[key] = value;
  SetLabel(quota, "profile", profile.meta.name);
  SetLabel(quota, "tree-id", profile.tree_id.empty() ? TreeIdOf(profile) : profile.tree_id);
  SetLabel(quota, "is-root", "true");
  ReadQuotaLabels(quota);
  return quota;
}

std::vector<ElasticQuotaRecord> ApplyProfiles(const ClusterObjects& objects) {
  std::vector<ElasticQuotaRecord> quotas = objects.elastic_quotas;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < quotas.size(); ++i) places.emplace(quotas[i].Identity(), i);
  for (const ElasticQuotaProfileRecord& profile : objects.quota_profiles) {
    if (profile.quota_name.empty() || !profile.meta.flaw.empty()) continue;
    const auto [it, added] = places.emplace(NewRoot(profile).Identity(), quotas.size());
    ElasticQuotaRecord made =
        RootQuotaOf(profile, objects.nodes, added ? nullptr : &quotas[it->second]);
    if (added) quotas.emplace_back();
    quotas[it->second] = std::move(made);
  }
  return quotas;
}

}  // namespace batholith
