#include "quota/compare.h"

namespace batholith {

std::uint32_t AskedDimensions(const ResourceVector& v, std::size_t dimensions) {
  std::uint32_t out = 0;
  for (std::size_t r = 0; r < dimensions; ++r) {
    if (v[r] > 0) out |= 1U << r;
  }
  return out;
}

CompareRule CompareRule::Of(QuotaDialect dialect, bool upstream, const ResourceSchema& schema) {
  CompareRule rule{dialect, upstream, 0, schema.size()};
  if (dialect == QuotaDialect::kKoordinator) return rule;
  rule.always = 1U << ResourceSchema::kCpu | 1U << ResourceSchema::kMemory;
  const auto ephemeral = schema.Find("ephemeral-storage");
  if (dialect == QuotaDialect::kSchedulerPlugins && ephemeral) rule.always |= 1U << *ephemeral;
  return rule;
}

std::uint32_t CompareRule::Looked(const ResourceVector& amounts, std::uint32_t listed) const {
  const std::uint32_t asked = AskedDimensions(amounts, dimensions);
  switch (dialect) {
    case QuotaDialect::kSchedulerPlugins:
      return upstream ? always | asked : asked;
    case QuotaDialect::kNos:
      return upstream ? always | listed : asked & listed;
    case QuotaDialect::kKoordinator:
      return upstream ? listed : asked & listed;
  }
  return asked;
}

ResourceLimits MaxLimits(const CompareRule& rule, bool missing_is_upstream, bool has_max,
                         const QuotaList& max) {
  ResourceLimits out;
  for (std::size_t r = 0; r < rule.dimensions; ++r) {
    const bool zero = missing_is_upstream && has_max && (rule.always >> r & 1U) != 0;
    if (max.Has(r)) {
      out[r] = max[r];
    } else if (zero) {
      out[r] = 0;
    }
  }
  return out;
}

}  // namespace batholith
