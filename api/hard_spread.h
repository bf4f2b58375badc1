#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace batholith {

// A topology spread constraint (DoNotSchedule) as it stands for one more pod of a class: where pods
// that count are now. One that comes to a domain must leave it at most max_skew above the least.
struct HardSpread {
  static constexpr std::uint32_t kNoDomain = 0xffffffffU;

  std::string key;                    // the topology label
  std::vector<std::uint32_t> domain;  // by node; kNoDomain: it lacks the label
  std::vector<std::int64_t> pods;     // that count, by domain
  std::vector<std::uint32_t> among;   // the domains in which the least is sought
  std::int64_t max_skew = 1;
  std::int64_t min_domains = 1;  // with fewer of them the least is 0
  bool self = false;             // a pod of the class counts for itself
  bool counted = false;          // and for those that come after it
};

}  // namespace batholith
