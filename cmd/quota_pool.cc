#include "cmd/quota_pool.h"

#include <algorithm>

#include "api/resource_vector.h"
#include "quota/over_quota.h"

namespace batholith {

std::optional<std::int64_t> AmountOf(const std::optional<ResourceList>& list,
                                     const std::string& name) {
  if (!list) return std::nullopt;
  const auto it = list->find(name);
  return it == list->end() ? std::nullopt : std::optional(it->second);
}

std::optional<std::int64_t> PoolLeft(const QuotaRecords& quotas, QuotaDialect dialect,
                                     const std::string& name) {
  if (dialect == QuotaDialect::kKoordinator) return std::nullopt;
  std::int64_t left = 0;
  bool any = false;
  for (const ElasticQuotaRecord& quota : quotas) {
    if (quota.dialect != dialect) continue;
    const auto min = AmountOf(quota.min, name);
    any = any || min;
    left = ResourceVector::AddSaturating(left, min.value_or(0));
    left = ResourceVector::SubSaturating(left, AmountOf(quota.status_used, name).value_or(0));
  }
  return any ? std::optional(std::max<std::int64_t>(0, left)) : std::nullopt;
}

std::optional<std::int64_t> GuaranteedOver(const QuotaRecords& quotas, const ElasticQuotaRecord& of,
                                           const std::string& name) {
  if (!AmountOf(of.min, name)) return std::nullopt;
  const ResourceSchema schema({name});
  OverQuotaSums sums;
  for (const ElasticQuotaRecord& quota : quotas) {
    if (quota.dialect != of.dialect) continue;
    sums.Add(QuotaList::From(schema, quota.min.value_or(ResourceList())),
             QuotaList::From(schema, quota.status_used).values(), schema.size());
  }
  const std::size_t r = *schema.Find(name);
  return ToBaseUnits(r,
                     GuaranteedOverQuota(sums, QuotaList::From(schema, *of.min), schema.size())[r]);
}

}  // namespace batholith
