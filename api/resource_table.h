#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/check.h"
#include "api/resource_vector.h"

namespace batholith {

// One row of a ResourceTable, for reading. Valid until the table goes; what the table's owner
// changes is seen through it.
class ResourceRow {
 public:
  ResourceRow(const std::int64_t* amounts, std::size_t width) : amounts_(amounts), width_(width) {}

  // r: a dimension of the schema.
  std::int64_t operator[](std::size_t r) const { return amounts_[r]; }
  // NOLINTNEXTLINE(google-explicit-constructor): a row is a vector that lies elsewhere
  operator ResourceVector() const {
    ResourceVector out;
    for (std::size_t r = 0; r < width_; ++r) out[r] = amounts_[r];
    return out;
  }
  bool operator==(const ResourceRow& o) const { return ResourceVector(*this) == ResourceVector(o); }

 private:
  const std::int64_t* amounts_;
  std::size_t width_;
};

// Amounts for each of many objects, in rows as wide as the schema that lie one behind the other.
class ResourceTable {
 public:
  ResourceTable() = default;
  // All zero. `width`: dimensions of the schema.
  ResourceTable(std::size_t rows, std::size_t width) : width_(width), amounts_(rows * width) {}

  std::size_t width() const { return width_; }
  // New rows are zero.
  void Resize(std::size_t rows) { amounts_.resize(rows * width_); }
  ResourceRow operator[](std::size_t row) const { return {amounts_.data() + row * width_, width_}; }
  // `amounts` uses no dimension outside the schema.
  void Set(std::size_t row, const ResourceVector& amounts) {
    for (std::size_t r = 0; r < width_; ++r) At(row)[r] = amounts[r];
  }
  void Add(std::size_t row, const ResourceVector& amounts) {
    DCHECK(amounts.width() <= width_);
    std::int64_t* const to = At(row);
    for (std::size_t r = 0; r < amounts.width(); ++r)
      to[r] = ResourceVector::AddSaturating(to[r], amounts[r]);
  }
  void Subtract(std::size_t row, const ResourceVector& amounts) {
    DCHECK(amounts.width() <= width_);
    std::int64_t* const to = At(row);
    for (std::size_t r = 0; r < amounts.width(); ++r)
      to[r] = ResourceVector::SubSaturating(to[r], amounts[r]);
  }

  // Has so many rows from this one on brought near the processor, for a loop that is about to read
  // them.
  void Prefetch(std::size_t row, std::size_t rows) const {
    constexpr std::size_t kLine = 64 / sizeof(std::int64_t);
    for (std::size_t i = row * width_; i < (row + rows) * width_; i += kLine)
      __builtin_prefetch(amounts_.data() + i);
  }

 private:
  std::int64_t* At(std::size_t row) { return amounts_.data() + row * width_; }

  std::size_t width_ = 0;
  std::vector<std::int64_t> amounts_;
};

}  // namespace batholith
