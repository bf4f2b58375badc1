#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace batholith {

// Amounts in base units along the dimensions of one snapshot's schema. Absent = zero; may be
// negative. Sums saturate, so absurd input cannot overflow into a wrong answer. A value for
// computing with: it keeps room for every dimension, and costs as many steps as it has dimensions
// in use. What is kept for each of many objects is a row of a ResourceTable, or shared in a
// ResourcePool.
class ResourceVector {
 public:
  static constexpr std::size_t kMaxDimensions = 32;

  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): what lies beyond width_ is never read
  ResourceVector() {}
  ResourceVector(const ResourceVector& o) { *this = o; }
  ResourceVector& operator=(const ResourceVector& o) {
    width_ = o.width_;
    for (std::size_t r = 0; r < width_; ++r) v_[r] = o.v_[r];
    return *this;
  }

  std::int64_t operator[](std::size_t r) const { return r < width_ ? v_[r] : 0; }
  std::int64_t& operator[](std::size_t r) {
    Widen(r + 1);
    return v_[r];
  }
  // No dimension from here on is in use.
  std::size_t width() const { return width_; }

  bool operator==(const ResourceVector& o) const {
    for (std::size_t r = 0; r < std::max(width_, o.width_); ++r) {
      if ((*this)[r] != o[r]) return false;
    }
    return true;
  }

  ResourceVector& operator+=(const ResourceVector& o) {
    Widen(o.width_);
    for (std::size_t r = 0; r < o.width_; ++r) v_[r] = AddSaturating(v_[r], o.v_[r]);
    return *this;
  }
  ResourceVector& operator-=(const ResourceVector& o) {
    Widen(o.width_);
    for (std::size_t r = 0; r < o.width_; ++r) v_[r] = SubSaturating(v_[r], o.v_[r]);
    return *this;
  }
  friend ResourceVector operator+(ResourceVector a, const ResourceVector& b) { return a += b; }
  friend ResourceVector operator-(ResourceVector a, const ResourceVector& b) { return a -= b; }

  // This plus or, with times < 0, minus so many of `one`.
  void AddTimes(const ResourceVector& one, std::int64_t times) {
    Widen(one.width_);
    for (std::size_t r = 0; r < one.width_; ++r)
      v_[r] = AddSaturating(v_[r], MulSaturating(one.v_[r], times));
  }

  static ResourceVector Max(const ResourceVector& a, const ResourceVector& b) {
    ResourceVector out;
    out.Widen(std::max(a.width_, b.width_));
    for (std::size_t r = 0; r < out.width_; ++r) out.v_[r] = std::max(a[r], b[r]);
    return out;
  }
  ResourceVector ClampedAtZero() const { return Max(*this, ResourceVector()); }

  // True when this ≤ room on every dimension that this asks for (> 0). Exact.
  template <typename Amounts>
  bool FitsIn(const Amounts& room) const {
    for (std::size_t r = 0; r < width_; ++r) {
      if (v_[r] > 0 && v_[r] > room[r]) return false;
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
  void Widen(std::size_t width) {
    for (; width_ < width; ++width_) v_[width_] = 0;
  }

  std::size_t width_ = 0;
  std::array<std::int64_t, kMaxDimensions> v_;
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
