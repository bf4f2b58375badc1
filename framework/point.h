#pragma once

#include <cstdint>
#include <initializer_list>

namespace batholith {

// Extension points that a conf can switch per plugin. `kHierarchy` is no point but the plugin's own
// switch.
enum class Point : std::uint8_t {
  kJobOrder,
  kNamespaceOrder,
  kQueueOrder,
  kTaskOrder,
  kJobReady,
  kJobPipelined,
  kJobStarving,
  kPreemptable,
  kReclaimable,
  kPreemptive,
  kPredicate,
  kNodeOrder,
  kJobEnqueued,
  kVictim,
  kOverused,
  kAllocatable,
  kHyperNodeOrder,
  kHyperNodeGradient,
  kHierarchy,
  kCount,
};

// Points as one bit set: those that are switched on, or those that a plugin implements.
class PointSet {
 public:
  constexpr PointSet() = default;
  constexpr PointSet(std::initializer_list<Point> points) {
    for (const Point point : points) Set(point, true);
  }
  // Everything on but kHierarchy: what a plugin has when its entry says nothing.
  static constexpr PointSet Default() {
    PointSet s;
    s.bits_ = (1U << static_cast<unsigned>(Point::kCount)) - 1U;
    s.Set(Point::kHierarchy, false);
    return s;
  }
  constexpr bool Has(Point p) const { return (bits_ >> static_cast<unsigned>(p)) & 1U; }
  constexpr void Set(Point p, bool on) {
    const std::uint32_t bit = 1U << static_cast<unsigned>(p);
    bits_ = on ? bits_ | bit : bits_ & ~bit;
  }

  constexpr PointSet& operator|=(const PointSet& more) {
    bits_ |= more.bits_;
    return *this;
  }

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace batholith
