#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/ids.h"

namespace batholith {

// A resource list as the cluster tells it: name → base units, only the names that are written.
// Base units: cpu in millicores, memory in bytes, pods in pieces, everything else in thousandths.
using ResourceList = std::map<std::string, std::int64_t, std::less<>>;

// How many base units one unit of this resource has: cpu 1000, memory 1, pods 1, everything else
// 1000.
std::int64_t ResourceScale(std::string_view resource);

// Sums and products that stop at the ends of 64 bits, as those of ResourceVector do.
void AddTo(ResourceList& sum, const ResourceList& more);
ResourceList Times(const ResourceList& list, std::int64_t factor);

// The dimensions of one snapshot, frozen before any vector exists. cpu, memory and pods always come
// first, the others in alphabetical order.
class ResourceSchema {
 public:
  static constexpr std::size_t kCpu = 0;
  static constexpr std::size_t kMemory = 1;
  static constexpr std::size_t kPods = 2;

  ResourceSchema();
  // `names` may hold duplicates and the three fixed ones.
  explicit ResourceSchema(std::vector<std::string> names);

  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t r) const { return names_[r]; }
  std::optional<std::size_t> Find(std::string_view name) const;

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

}  // namespace batholith
