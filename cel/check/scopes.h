#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cel/type.h"

namespace batholith::cel {

// The variables that can be seen: the last one of a name hides the others. Each has a slot of its
// own, since what a variable is bound to may be evaluated late, when others are bound already.
class Scopes {
 public:
  struct Variable {
    TypeRef type;
    std::int32_t slot;
  };

  std::int32_t Add(const std::string& name, TypeRef type) {
    const std::int32_t slot = next_slot_++;
    names_.push_back(name);
    by_name_[name].push_back({std::move(type), slot});
    return slot;
  }
  void Remove() {
    by_name_[names_.back()].pop_back();
    names_.pop_back();
  }
  std::optional<Variable> Find(const std::string& name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end() || found->second.empty()) return std::nullopt;
    return found->second.back();
  }
  std::size_t slots() const { return static_cast<std::size_t>(next_slot_); }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::vector<Variable>> by_name_;
  std::int32_t next_slot_ = 0;
};

}  // namespace batholith::cel
