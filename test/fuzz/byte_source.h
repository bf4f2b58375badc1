#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace batholith::fuzz {

// Takes choices out of bytes, first to last; where they have ended every choice is the first one.
class ByteSource {
 public:
  ByteSource(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {}

  bool empty() const { return at_ == bytes_.size(); }
  std::uint8_t Byte() { return empty() ? 0 : bytes_[at_++]; }
  // 0 … n - 1. REQUIRES: 0 < n ≤ 256.
  std::size_t Below(std::size_t n) { return Byte() % n; }
  // In `one_in` of the cases.
  bool Sometimes(std::size_t one_in) { return Below(one_in) == one_in - 1; }
  template <typename T, std::size_t n>
  const T& Pick(const T (&from)[n]) {
    return from[Below(n)];
  }
  template <typename T>
  const T& Pick(std::span<const T> from) {
    return from[Below(from.size())];
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace batholith::fuzz
