#pragma once

#include <cstddef>
#include <span>

#include "api/resource_vector.h"
#include "framework/domain_sums.h"

namespace batholith {

// How much a resource counts in how full a domain is.
struct ResourceWeight {
  std::size_t resource = 0;
  double weight = 1;
};

// 0 to 1: how full the domain gets with the request, weighted over the resources that it asks for;
// 0 where it exceeds what the domain has. REQUIRES: the sums are as the session stands now.
// Source: HyperNodeOrder of Volcano's plugin network-topology-aware.
inline double FullnessWith(const DomainSums& sums, const ResourceVector& request, DomainIndex d,
                           std::span<const ResourceWeight> parts) {
  const ResourceRow allocatable = sums.allocatable(d);
  const ResourceRow used = sums.used(d);
  double sum = 0;
  double weights = 0;
  for (const ResourceWeight& part : parts) {
    const std::int64_t asked = request[part.resource];
    if (asked == 0) continue;
    weights += part.weight;
    const std::int64_t capacity = allocatable[part.resource];
    const std::int64_t with = ResourceVector::AddSaturating(used[part.resource], asked);
    if (capacity == 0 || with > capacity) return 0;
    sum += static_cast<double>(with) * part.weight / static_cast<double>(capacity);
  }
  return weights > 0 ? sum / weights : 0;
}

}  // namespace batholith
