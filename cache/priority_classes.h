#pragma once

#include <span>
#include <string>
#include <unordered_map>

#include "api/objects.h"

namespace batholith {

// What the classes of priority are worth, by their names.
class PriorityClasses {
 public:
  explicit PriorityClasses(std::span<const PriorityClassRecord> classes) {
    for (const PriorityClassRecord& c : classes) {
      values_.emplace(c.meta.name, c.value);
      if (c.global_default) default_ = c.value;
    }
  }

  // Of one that does not exist, and of none, that of the global default; 0 where there is none.
  std::int32_t Of(const std::string& name) const {
    const auto it = values_.find(name);
    return it == values_.end() ? default_ : it->second;
  }

 private:
  std::unordered_map<std::string, std::int32_t> values_;  // looked up only
  std::int32_t default_ = 0;
};

}  // namespace batholith
