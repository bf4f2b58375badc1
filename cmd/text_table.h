#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace batholith {

using TextRows = std::vector<std::vector<std::string>>;

struct TableShape {
  std::string indent;
  std::size_t gap = 3;              // blanks between columns
  std::vector<std::size_t> widths;  // of the columns, at least
};

// A line for each row, with columns as wide as their widest cell so far: `shape` grows with it, so
// that rows which come later stand below the same columns. Cells are escaped (api/printable.h), and
// their widths are those on a screen.
std::string TextTable(const TextRows& rows, TableShape& shape);

}  // namespace batholith
