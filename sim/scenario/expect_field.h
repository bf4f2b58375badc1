#pragma once

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/run_outcome.h"
#include "sim/scenario/expect.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/shape.h"

// A field of an expectation is one row: its name, what it may hold, and how it is compared.
namespace batholith {

// What one field says, and where what does not hold is collected.
struct Expected {
  const boost::json::value& value;
  const std::string& path;
  const RunOutcome& run;
  std::vector<Failure>& failures;
};

// A field of a block that speaks of one thing.
template <typename Got>
struct ExpectField {
  std::string_view name;
  Shape shape;
  void (*check)(const Expected& expected, const Got& got);
};

// A field of the expectation itself.
struct Expectation {
  std::string_view name;
  Result<void> (*shape)(const boost::json::value& value, const std::string& path);
  void (*check)(const Expected& expected);
};

std::span<const Expectation> SetExpectations();     // bound, evicted, pipelined, pending
std::span<const Expectation> StatusExpectations();  // jobs, queues, namespaces, quotas, pods
std::span<const Expectation> SlackExpectations();   // placeholders, nodeGroups

template <typename Row>
const Row* RowNamed(std::span<const Row> rows, std::string_view name) {
  const auto it = std::ranges::find(rows, name, &Row::name);
  return it == rows.end() ? nullptr : &*it;
}

// Errors: a field that has no row, with a "did you mean", or one of another shape.
template <typename Got, std::size_t N>
Result<void> CheckBlockShape(const ExpectField<Got> (&rows)[N], const boost::json::value& value,
                             const std::string& path) {
  const auto mapping = AsMapping(value, path);
  if (!mapping) return std::unexpected(mapping.error());
  std::vector<std::string_view> known;
  for (const ExpectField<Got>& row : rows) known.push_back(row.name);
  if (Result<void> ok = OnlyKnown(**mapping, path, known); !ok) return ok;
  for (const ExpectField<Got>& row : rows) {
    const boost::json::value* field = (*mapping)->if_contains(row.name);
    if (field == nullptr) continue;
    if (Result<void> ok = CheckShape(row.shape, *field, path + "." + std::string(row.name)); !ok)
      return ok;
  }
  return {};
}

// A map from names to what `check` accepts.
template <typename Check>
Result<void> CheckEach(const boost::json::value& value, const std::string& path, Check check) {
  const auto mapping = AsMapping(value, path);
  if (!mapping) return std::unexpected(mapping.error());
  for (const auto& entry : **mapping) {
    const Result<void> ok = check(entry.value(), path + "." + std::string(entry.key()));
    if (!ok) return ok;
  }
  return {};
}

// One thing of a name, or why there is not one.
template <typename Got>
struct Found {
  const Got* got = nullptr;
  std::string why = {};
};
template <typename Iterator, typename List>
auto FoundAt(Iterator it, const List& list, const char* why) -> Found<typename List::value_type> {
  if (it == list.end()) return {nullptr, why};
  return {&*it};
}

// Compares the fields of a block in the order in which they are written.
template <typename Got, std::size_t N>
void CheckBlock(const ExpectField<Got> (&rows)[N], const Expected& block, const Got& got) {
  for (const auto& field : block.value.as_object()) {
    const std::string path = block.path + "." + std::string(field.key());
    const ExpectField<Got>* row = RowNamed(std::span<const ExpectField<Got>>(rows), field.key());
    row->check({field.value(), path, block.run, block.failures}, got);
  }
}

// A map from names to blocks, one for each thing.
template <const auto& Rows>
Result<void> NamedShape(const boost::json::value& value, const std::string& path) {
  return CheckEach(value, path, [](const boost::json::value& block, const std::string& at) {
    return CheckBlockShape(Rows, block, at);
  });
}
// `Noun` is what a thing is called where there is none of its name.
template <const auto& Rows, auto Find, const auto& Noun>
void CheckNamed(const Expected& e) {
  for (const auto& entry : e.value.as_object()) {
    const std::string name(entry.key());
    const auto found = Find(e.run, name);
    if (found.got == nullptr) {
      e.failures.push_back({std::string(Noun) + " " + name, found.why});
      continue;
    }
    const std::string path = e.path + "." + name;
    CheckBlock(Rows, {entry.value(), path, e.run, e.failures}, *found.got);
  }
}

}  // namespace batholith
