#pragma once

#include <string_view>

#include "api/objects.h"
#include "api/resource_schema.h"

namespace batholith {

// In base units; 0 of what the list does not name.
inline double AmountOf(const ResourceList& list, std::string_view resource) {
  const auto it = list.find(resource);
  return it == list.end() ? 0 : static_cast<double>(it->second);
}

// The same in cores, bytes or pieces.
inline double WholeAmountOf(const ResourceList& list, std::string_view resource) {
  return AmountOf(list, resource) / static_cast<double>(ResourceScale(resource));
}

}  // namespace batholith
