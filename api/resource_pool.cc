#include "api/resource_pool.h"

namespace batholith {
namespace {

// FNV-1a over the amounts, zeros at the end aside.
std::uint64_t Hash(const ResourceVector& amounts) {
  std::size_t width = amounts.width();
  while (width > 0 && amounts[width - 1] == 0) --width;
  std::uint64_t hash = 14695981039346656037U;
  for (std::size_t r = 0; r < width; ++r) {
    hash ^= static_cast<std::uint64_t>(amounts[r]);
    hash *= 1099511628211U;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

SharedResources ResourcePool::Intern(const ResourceVector& amounts) {
  const std::uint64_t hash = Hash(amounts);
  const auto [first, last] = known_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (*it->second == amounts) return SharedResources(*it->second);
  }
  const ResourceVector& kept = all_.emplace_back(amounts);
  known_.emplace(hash, &kept);
  return SharedResources(kept);
}

}  // namespace batholith
