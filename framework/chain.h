#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace batholith {

// One plugin that implements an extension point, and the tier of the conf in which it stands.
template <typename PointClass>
struct Link {
  std::size_t tier = 0;
  PointClass* plugin = nullptr;
  std::string_view name = {};
};

// The plugins of one extension point: tier by tier, in the order of the conf.
template <typename PointClass>
using Chain = std::vector<Link<PointClass>>;

}  // namespace batholith
