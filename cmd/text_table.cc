#include "cmd/text_table.h"

#include <algorithm>

#include "api/printable.h"

namespace batholith {

std::string TextTable(const TextRows& rows, TableShape& shape) {
  TextRows cells = rows;
  for (auto& row : cells) {
    if (shape.widths.size() < row.size()) shape.widths.resize(row.size(), 0);
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c] = OneLine(row[c]);
      shape.widths[c] = std::max(shape.widths[c], DisplayWidth(row[c]));
    }
  }
  std::string out;
  for (const auto& row : cells) {
    std::string line = shape.indent;
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += row[c];
      line.append(shape.widths[c] + shape.gap - DisplayWidth(row[c]), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace batholith
