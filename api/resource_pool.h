#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>

#include "api/resource_vector.h"

namespace batholith {

// Amounts that several facts have in common: 8 bytes, read like the vector that they refer to.
// Valid as long as the ResourcePool that it is of.
class SharedResources {
 public:
  SharedResources() = default;  // nothing of anything
  explicit SharedResources(const ResourceVector& shared) : at_(&shared) {}

  // NOLINTNEXTLINE(google-explicit-constructor): it stands for the vector
  operator const ResourceVector&() const { return *at_; }
  const ResourceVector& operator*() const { return *at_; }
  std::int64_t operator[](std::size_t r) const { return (*at_)[r]; }
  template <typename Amounts>
  bool FitsIn(const Amounts& room) const {
    return at_->FitsIn(room);
  }
  // Equal where both are of one pool: the same amounts.
  bool Same(const SharedResources& o) const { return at_ == o.at_; }

 private:
  inline static const ResourceVector kNothing;
  const ResourceVector* at_ = &kNothing;
};

// Keeps each vector of amounts once. What it gave out stays where it is.
class ResourcePool {
 public:
  SharedResources Intern(const ResourceVector& amounts);
  std::size_t size() const { return all_.size(); }

 private:
  std::deque<ResourceVector> all_;
  std::unordered_multimap<std::uint64_t, const ResourceVector*> known_;  // looked up only
};

}  // namespace batholith
