#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace batholith {

// Amounts in base units along the dimensions of one snapshot's schema. Absent = zero; may be
// negative. Sums saturate, so absurd input cannot overflow into a wrong answer. Cost of a copy: 256
// bytes.
class ResourceVector {
 public:
  static constexpr std::size_t kMaxDimensions = 32;

  ResourceVector() = default;
  std::int64_t operator[](std::size_t r) const { return v_[r]; }
  std::int64_t& operator[](std::size_t r) { return v_[r]; }
  bool operator==(const ResourceVector&) const = default;

  ResourceVector& operator+=(const ResourceVector& o) {
    for (std::size_t r = 0; r < kMaxDimensions; ++r) v_[r] = AddSaturating(v_[r], o.v_[r]);
    return *this;
  }
  ResourceVector& operator-=(const ResourceVector& o) {
    for (std::size_t r = 0; r < kMaxDimensions; ++r) v_[r] = SubSaturating(v_[r], o.v_[r]);
    return *this;
  }
  friend ResourceVector operator+(ResourceVector a, const ResourceVector& b) { return a += b; }
  friend ResourceVector operator-(ResourceVector a, const ResourceVector& b) { return a -= b; }

  // This plus or, with times < 0, minus so many of `one`.
  void AddTimes(const ResourceVector& one, std::int64_t times) {
    for (std::size_t r = 0; r < kMaxDimensions; ++r)
      v_[r] = AddSaturating(v_[r], MulSaturating(one.v_[r], times));
  }

  static ResourceVector Max(const ResourceVector& a, const ResourceVector& b) {
    ResourceVector out;
    for (std::size_t r = 0; r < kMaxDimensions; ++r) out.v_[r] = std::max(a.v_[r], b.v_[r]);
    return out;
  }
  ResourceVector ClampedAtZero() const { return Max(*this, ResourceVector()); }

  // True when this ≤ room on every dimension that this asks for (> 0). Exact.
  bool FitsIn(const ResourceVector& room) const {
    for (std::size_t r = 0; r < kMaxDimensions; ++r) {
      if (v_[r] > 0 && v_[r] > room.v_[r]) return false;
    }
    return true;
  }

  static std::int64_t AddSaturating(std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    if (__builtin_add_overflow(a, b, &out)) return b > 0 ? INT64_MAX : INT64_MIN;
    return out;
  }
  static std::int64_t SubSaturating(std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    if (__builtin_sub_overflow(a, b, &out)) return b < 0 ? INT64_MAX : INT64_MIN;
    return out;
  }
  static std::int64_t MulSaturating(std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    if (__builtin_mul_overflow(a, b, &out)) return (a > 0) == (b > 0) ? INT64_MAX : INT64_MIN;
    return out;
  }

 private:
  std::array<std::int64_t, kMaxDimensions> v_{};
};

// Upper limits: absent = unlimited. A type of its own, so that "absent" cannot be misread as zero.
class ResourceLimits {
 public:
  static constexpr std::int64_t kUnlimited = INT64_MAX;
  ResourceLimits() { v_.fill(kUnlimited); }
  std::int64_t operator[](std::size_t r) const { return v_[r]; }
  std::int64_t& operator[](std::size_t r) { return v_[r]; }

 private:
  std::array<std::int64_t, ResourceVector::kMaxDimensions> v_{};
};

}  // namespace batholith
