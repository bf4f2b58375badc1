#include "quota/world.h"

#include <algorithm>
#include <tuple>

namespace batholith {
namespace {

const QuotaWorld::Quotas& Look(const std::map<std::string, QuotaWorld::Quotas, std::less<>>& index,
                               std::string_view key) {
  static const QuotaWorld::Quotas kNone;
  const auto it = index.find(key);
  return it == index.end() ? kNone : it->second;
}

std::size_t Count(const std::map<std::string, std::size_t, std::less<>>& counts,
                  std::string_view key) {
  const auto it = counts.find(key);
  return it == counts.end() ? 0 : it->second;
}

}  // namespace

std::vector<std::string> ClaimedNamespaces(const ElasticQuotaRecord& quota, QuotaDialect dialect) {
  if (dialect == QuotaDialect::kKoordinator || quota.IsComposite()) return quota.namespaces;
  return {quota.meta.namespace_};
}

QuotaWorld::QuotaWorld(const ClusterObjects& objects, QuotaRules rules) : rules_(rules) {
  for (const ElasticQuotaRecord& quota : objects.elastic_quotas) quotas_.push_back(&quota);
  std::ranges::sort(quotas_, [](const auto* a, const auto* b) { return Before(*a, *b); });
  for (const ElasticQuotaRecord* quota : quotas_) Add(*quota);
  for (const PodRecord& pod : objects.pods) {
    if (!pod.quota_name.empty()) ++pods_by_label_[pod.quota_name];
    ++pods_by_namespace_[pod.meta.namespace_];
  }
}

void QuotaWorld::Add(const ElasticQuotaRecord& quota) {
  by_identity_.emplace(quota.Identity(), &quota);
  const QuotaDialect dialect = DialectOf(quota);
  for (const std::string& namespace_ : ClaimedNamespaces(quota, dialect)) {
    Quotas& claiming = by_namespace_[namespace_];
    if (claiming.empty() || claiming.back() != &quota) claiming.push_back(&quota);
  }
  if (dialect != QuotaDialect::kKoordinator) return;
  Quotas& same_name = by_name_[quota.meta.name];
  same_name.push_back(&quota);
  const bool shadowed = same_name.size() > 1;
  if (!shadowed && quota.meta.name != kRootQuota) by_parent_[quota.parent].push_back(&quota);
}

QuotaDialect QuotaWorld::DialectOf(const ElasticQuotaRecord& quota) const {
  if (rules_.legacy_sigs && quota.group == kSigsGroup) return QuotaDialect::kSchedulerPlugins;
  return quota.dialect;
}

bool QuotaWorld::Before(const ElasticQuotaRecord& a, const ElasticQuotaRecord& b) {
  return std::tuple(a.meta.creation, a.meta.name, a.Identity()) <
         std::tuple(b.meta.creation, b.meta.name, b.Identity());
}

const ElasticQuotaRecord* QuotaWorld::Find(const std::string& identity) const {
  const auto it = by_identity_.find(identity);
  return it == by_identity_.end() ? nullptr : it->second;
}

const ElasticQuotaRecord* QuotaWorld::Named(std::string_view name) const {
  const Quotas& all = AllNamed(name);
  return all.empty() ? nullptr : all.front();
}

const QuotaWorld::Quotas& QuotaWorld::AllNamed(std::string_view name) const {
  return Look(by_name_, name);
}

const QuotaWorld::Quotas& QuotaWorld::ChildrenOf(std::string_view name) const {
  return Look(by_parent_, name == kRootQuota ? std::string_view() : name);
}

const QuotaWorld::Quotas& QuotaWorld::Claiming(std::string_view namespace_) const {
  return Look(by_namespace_, namespace_);
}

const ElasticQuotaRecord* QuotaWorld::QuotaOf(const PodRecord& pod) const {
  if (!pod.quota_name.empty()) return Named(pod.quota_name);
  const std::string& namespace_ = pod.meta.namespace_;
  const ElasticQuotaRecord* same_name = Named(namespace_);
  if (same_name != nullptr && same_name->meta.namespace_ == namespace_) return same_name;
  for (const ElasticQuotaRecord* quota : Claiming(namespace_)) {
    if (DialectOf(*quota) == QuotaDialect::kKoordinator) return quota;
  }
  return nullptr;
}

std::size_t QuotaWorld::PodsLabelled(std::string_view quota) const {
  return Count(pods_by_label_, quota);
}

std::size_t QuotaWorld::PodsIn(std::string_view namespace_) const {
  return Count(pods_by_namespace_, namespace_);
}

}  // namespace batholith
