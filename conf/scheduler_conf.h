#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace batholith {

// Extension points that a conf can switch per plugin. `kHierarchy` is no point but the plugin's own
// switch.
enum class Point : std::uint8_t {
  kJobOrder,
  kNamespaceOrder,
  kQueueOrder,
  kTaskOrder,
  kSubJobOrder,
  kJobReady,
  kJobPipelined,
  kJobStarving,
  kSubJobReady,
  kSubJobPipelined,
  kPreemptable,
  kReclaimable,
  kPreemptive,
  kPredicate,
  kNodeOrder,
  kJobEnqueued,
  kVictim,
  kOverused,
  kAllocatable,
  kHierarchy,
  kCount,
};

// Per-point switches as one bit set.
class PointSet {
 public:
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

 private:
  std::uint32_t bits_ = 0;
};

// Between the keys of a nested argument in `Arguments::values`; positions in a list are six digits.
inline constexpr char kKeySeparator = '\x1f';

// The arguments of one plugin or action. Scalars stay the text that was written (quotes removed);
// nested maps and lists are flattened: {sra: {enable: true}} is "sra.enable" → "true", with nested
// keys joined by '\x1f' so that dotted keys stay what they are: use PluginArguments in
// conf/plugin_args.h to read them.
struct Arguments {
  struct Value {
    std::string text;
    bool quoted = false;  // was a quoted scalar
    int line = 0;         // 1-based
  };
  std::map<std::string, Value> values;
};

struct PluginConf {
  std::string name;
  PointSet points = PointSet::Default();
  Arguments arguments;
  int line = 0;
};

struct ActionConf {
  std::string name;
  Arguments arguments = {};  // from `configurations`
  int line = 0;
};

struct Tier {
  std::vector<PluginConf> plugins;
};

struct SchedulerConf {
  std::vector<ActionConf> actions;
  std::vector<Tier> tiers;
  std::vector<std::string> warnings;
};

}  // namespace batholith
