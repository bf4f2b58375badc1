#include "quota/quota_list.h"

namespace batholith {
namespace {

// cpu, memory and pods are counted in tree units by the core already.
bool InThousandths(std::size_t dimension) { return dimension > ResourceSchema::kPods; }

constexpr std::int64_t kThousand = 1000;

}  // namespace

std::int64_t ToTreeUnits(std::size_t dimension, std::int64_t base_units) {
  if (!InThousandths(dimension)) return base_units;
  const std::int64_t whole = base_units / kThousand;
  return base_units > whole * kThousand ? whole + 1 : whole;
}

std::int64_t ToBaseUnits(std::size_t dimension, std::int64_t tree_units) {
  if (!InThousandths(dimension)) return tree_units;
  std::int64_t out = 0;
  if (__builtin_mul_overflow(tree_units, kThousand, &out))
    return tree_units > 0 ? INT64_MAX : INT64_MIN;
  return out;
}

ResourceVector ToTreeUnits(const ResourceVector& base_units, std::size_t dimensions) {
  ResourceVector out;
  for (std::size_t r = 0; r < dimensions; ++r) out[r] = ToTreeUnits(r, base_units[r]);
  return out;
}

QuotaList QuotaList::From(const ResourceSchema& schema, const ResourceList& list) {
  QuotaList out;
  for (const auto& [name, amount] : list) {
    if (const auto r = schema.Find(name)) out.Set(*r, ToTreeUnits(*r, amount));
  }
  return out;
}

ResourceVector Masked(const ResourceVector& v, std::uint32_t dimensions) {
  ResourceVector out;
  for (std::size_t r = 0; r < ResourceVector::kMaxDimensions; ++r) {
    if ((dimensions >> r & 1U) != 0) out[r] = v[r];
  }
  return out;
}

}  // namespace batholith
