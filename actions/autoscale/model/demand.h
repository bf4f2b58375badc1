#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/resource_vector.h"

namespace batholith {

// What pods or placeholders of one kind ask for.
struct DemandShape {
  ResourceVector request;        // with 1 in `pods`
  std::vector<bool> fits_group;  // by group: selector, taints and affinity allow its template
  bool one_per_node = false;     // required anti-affinity with itself on the hostname
  bool spares_slack = false;     // it takes no room that placeholders have
  // By node: its topology spread lets no more come there now; empty: it has none. Who stands on a
  // closed node may move to another one.
  std::vector<bool> closed = {};
};

enum class DemandOrigin : std::uint8_t { kPods, kSlack };

// Some things of one shape without a place. Real pods: blocked by node resources or constraints
// only; what a queue or a quota holds back is no demand.
struct Demand {
  static constexpr std::size_t kNoGang = SIZE_MAX;

  std::size_t shape = 0;
  std::int64_t count = 0;
  DemandOrigin origin = DemandOrigin::kPods;
  std::size_t gang = kNoGang;
  // Of `count`, how many the gang still needs to start; the rest asks for nodes only once it can.
  std::int64_t required = 0;
};

}  // namespace batholith
