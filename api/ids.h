#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace batholith {

// A dense index of its own type, valid within one snapshot. Order = (creation time, uid), so `<` is
// the final tie break of every comparison.
template <typename Tag>
class Index {
 public:
  constexpr Index() = default;
  constexpr explicit Index(std::size_t value) : value_(static_cast<std::uint32_t>(value)) {}
  static constexpr Index None() { return Index(); }
  constexpr bool is_none() const { return value_ == kNone; }
  constexpr std::size_t value() const { return value_; }
  constexpr auto operator<=>(const Index&) const = default;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::uint32_t value_ = kNone;
};

using NodeIndex = Index<struct NodeTag>;
using TaskIndex = Index<struct TaskTag>;
using JobIndex = Index<struct JobTag>;
using QueueIndex = Index<struct QueueTag>;
using NamespaceIndex = Index<struct NamespaceTag>;
using ClassIndex = Index<struct ClassTag>;

}  // namespace batholith
