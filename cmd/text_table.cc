#include "cmd/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace batholith {

std::string TextTable(const TextRows& rows, TableShape& shape) {
  for (const auto& row : rows) {
    if (shape.widths.size() < row.size()) shape.widths.resize(row.size(), 0);
    for (std::size_t c = 0; c < row.size(); ++c)
      shape.widths[c] = std::max(shape.widths[c], row[c].size());
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line = shape.indent;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += fmt::format("{:<{}}", row[c], shape.widths[c] + shape.gap);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace batholith
