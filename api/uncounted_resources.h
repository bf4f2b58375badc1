#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace batholith {

// Names of resources that got no dimension and that somebody asks for, in the order in which they
// were first seen. Each costs its text and no more.
class UncountedResources {
 public:
  UncountedResources() = default;
  UncountedResources(const UncountedResources&) = delete;
  UncountedResources& operator=(const UncountedResources&) = delete;

  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t place) const { return names_[place]; }
  std::optional<std::size_t> Find(std::string_view name) const {
    const auto it = places_.find(name);
    return it == places_.end() ? std::nullopt : std::optional(it->second);
  }
  std::size_t Add(std::string_view name) {
    if (const auto place = Find(name)) return *place;
    names_.emplace_back(name);
    places_.emplace(names_.back(), names_.size() - 1);
    return names_.size() - 1;
  }

 private:
  std::deque<std::string> names_;                   // a deque, so that texts stay where they are
  std::map<std::string_view, std::size_t> places_;  // looks into names_
};

}  // namespace batholith
