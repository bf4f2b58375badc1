#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "framework/point.h"

namespace batholith {

// A switch of a plugin entry. Volcano mixes `enable…` and `enabled…`; either is taken for every
// switch.
struct Switch {
  std::string_view name;       // as Volcano spells it
  std::optional<Point> point;  // nothing: a point that this build does not have
};

std::span<const Switch> Switches();

// The switch that `key` spells in either way, or nullptr.
const Switch* FindSwitch(std::string_view key);

}  // namespace batholith
