#include "test/bench/openb.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <string_view>
#include <utility>

#include "api/value_text.h"

namespace batholith::bench {
namespace {

using Row = std::map<std::string, std::string, std::less<>>;

std::vector<std::string> Split(const std::string& line, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : line) {
    if (c == separator) {
      parts.emplace_back();
    } else if (c != '\r') {
      parts.back() += c;
    }
  }
  return parts;
}

// Rows by column name. Fields are never quoted in this trace.
Result<std::vector<Row>> ReadCsv(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line)) return Invalid(fmt::format("cannot read {}", path));
  const std::vector<std::string> header = Split(line, ',');
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = Split(line, ',');
    if (fields.size() != header.size()) {
      return Invalid(fmt::format("{} line {}: {} fields, the first line has {}", path,
                                 rows.size() + 2, fields.size(), header.size()));
    }
    Row row;
    for (std::size_t i = 0; i < header.size(); ++i) row[header[i]] = fields[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

// Columns of one row. Numbers that are none are remembered.
class Columns {
 public:
  explicit Columns(const Row& row) : row_(row) {}

  std::string Text(std::string_view column) const {
    const auto it = row_.find(column);
    return it == row_.end() ? std::string() : it->second;
  }
  std::int64_t Number(std::string_view column) {
    const std::string text = Text(column);
    const auto number = ParseNumber<std::int64_t>(text);
    if (!number && !text.empty()) bad_ = fmt::format("{} {}: no number", column, text);
    return number.value_or(0);
  }
  const std::string& bad() const { return bad_; }

 private:
  const Row& row_;
  std::string bad_;
};

OpenbNode NodeOf(Columns& row) {
  return {row.Text("sn"), row.Number("cpu_milli"), row.Number("memory_mib"), row.Number("gpu"),
          row.Text("model")};
}

OpenbPod PodOf(Columns& row) {
  OpenbPod pod;
  pod.name = row.Text("name");
  pod.cpu_milli = row.Number("cpu_milli");
  pod.memory_mib = row.Number("memory_mib");
  pod.gpus = row.Number("num_gpu");
  pod.creation_s = row.Number("creation_time");
  const std::string models = row.Text("gpu_spec");
  if (!models.empty()) pod.models = Split(models, '|');
  return pod;
}

template <typename Item>
Result<void> ReadTable(const std::string& path, Item (*make)(Columns&), std::vector<Item>& items) {
  const auto rows = ReadCsv(path);
  if (!rows) return std::unexpected(rows.error());
  for (const Row& row : *rows) {
    Columns columns(row);
    items.push_back(make(columns));
    if (!columns.bad().empty()) return Invalid(path + ": " + columns.bad());
  }
  return {};
}

}  // namespace

Result<OpenbTrace> ReadOpenb(const std::string& folder, const std::string& pod_list) {
  OpenbTrace trace;
  Result<void> read = ReadTable(folder + "/openb_node_list_all_node.csv", NodeOf, trace.nodes);
  if (read) {
    read = ReadTable(fmt::format("{}/openb_pod_list_{}.csv", folder, pod_list), PodOf, trace.pods);
  }
  if (!read) return std::unexpected(read.error());
  return trace;
}

}  // namespace batholith::bench
