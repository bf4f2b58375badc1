#pragma once

#include <cstdint>

#include "api/resource_schema.h"
#include "api/resource_vector.h"

namespace batholith {

// Amounts of a quota's min, max or weight, in tree units: cpu in millicores, memory in bytes,
// everything else in whole pieces. Absent is not zero: one presence bit per dimension of the
// snapshot's schema.
class QuotaList {
 public:
  QuotaList() = default;
  static QuotaList From(const ResourceSchema& schema, const ResourceList& list);

  bool Has(std::size_t r) const { return (present_ >> r & 1U) != 0; }
  std::uint32_t present() const { return present_; }  // bit r: dimension r is listed
  bool empty() const { return present_ == 0; }
  std::int64_t operator[](std::size_t r) const { return values_[r]; }  // 0 where absent
  const ResourceVector& values() const { return values_; }
  void Set(std::size_t r, std::int64_t value) {
    values_[r] = value;
    present_ |= 1U << r;
  }
  bool operator==(const QuotaList&) const = default;

 private:
  ResourceVector values_;
  std::uint32_t present_ = 0;
};

// Base units of the core (api/resource_schema.h) → tree units. What is counted in thousandths is
// rounded up to whole pieces.
std::int64_t ToTreeUnits(std::size_t dimension, std::int64_t base_units);
ResourceVector ToTreeUnits(const ResourceVector& base_units, std::size_t dimensions);
// Back again, for reports. Saturates.
std::int64_t ToBaseUnits(std::size_t dimension, std::int64_t tree_units);

// Keeps the listed dimensions only; the others become 0.
ResourceVector Masked(const ResourceVector& v, std::uint32_t dimensions);

}  // namespace batholith
