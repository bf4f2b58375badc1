#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "api/objects.h"

namespace batholith {

// Finds records by namespace and name, without a copy of either: clusters have very many claims.
// The records must stay where they are.
template <typename Record>
class NameTable {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  explicit NameTable(const std::vector<Record>& records)
      : records_(records), slots_(std::bit_ceil(records.size() * 2 + 2), kNone) {
    for (std::uint32_t i = 0; i < records.size(); ++i) {
      std::size_t at = SlotOf(records[i].meta.namespace_, records[i].meta.name);
      while (slots_[at] != kNone) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = i;
    }
  }

  // The record's place; kNone: there is none. Cost: O(1).
  std::uint32_t Find(std::string_view namespace_, std::string_view name) const {
    for (std::size_t at = SlotOf(namespace_, name); slots_[at] != kNone;
         at = (at + 1) & (slots_.size() - 1)) {
      const ObjectMeta& meta = records_[slots_[at]].meta;
      if (meta.name == name && meta.namespace_ == namespace_) return slots_[at];
    }
    return kNone;
  }

 private:
  std::size_t SlotOf(std::string_view namespace_, std::string_view name) const {
    const std::size_t hash =
        std::hash<std::string_view>()(name) * 31 + std::hash<std::string_view>()(namespace_);
    return hash & (slots_.size() - 1);
  }

  const std::vector<Record>& records_;
  std::vector<std::uint32_t> slots_;  // at most half of them are used
};

}  // namespace batholith
