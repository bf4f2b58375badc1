#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json/field.h"
#include "scheduler/run_outcome.h"
#include "sim/scenario/expect.h"
#include "sim/scenario/shape.h"

// A field of an expectation is one row: its name, what it may hold, and how it is compared.
namespace batholith {

// What one field says, of the path that is the name of what was expected, and where what does not
// hold is collected.
struct Expected {
  const Field& value;
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
  void (*shape)(const Field& value);  // throws a FieldError
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

// Throws a FieldError: a field that has no row, with a "did you mean", or one of another shape.
template <typename Got, std::size_t N>
void CheckBlockShape(const ExpectField<Got> (&rows)[N], const Field& block) {
  std::vector<std::string_view> known;
  for (const ExpectField<Got>& row : rows) known.push_back(row.name);
  CheckObject(block);
  block.OnlyKnown(known);
  for (const ExpectField<Got>& row : rows) {
    if (block.Object().contains(row.name)) CheckShape(row.shape, block[row.name]);
  }
}

// A map from names to what `check` accepts.
template <typename Check>
void CheckEach(const Field& value, Check check) {
  CheckObject(value);
  for (const auto& [name, entry] : value.Entries()) check(entry);
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
  for (const auto& [name, field] : block.value.Entries())
    RowNamed(std::span<const ExpectField<Got>>(rows), name)
        ->check({field, block.run, block.failures}, got);
}

// A map from names to blocks, one for each thing.
template <const auto& Rows>
void NamedShape(const Field& value) {
  CheckEach(value, [](const Field& block) { CheckBlockShape(Rows, block); });
}
// `Noun` is what a thing is called where there is none of its name.
template <const auto& Rows, auto Find, const auto& Noun>
void CheckNamed(const Expected& e) {
  for (const auto& [name, block] : e.value.Entries()) {
    const auto found = Find(e.run, name);
    if (found.got == nullptr) {
      e.failures.push_back({std::string(Noun) + " " + name, found.why});
      continue;
    }
    CheckBlock(Rows, {block, e.run, e.failures}, *found.got);
  }
}

}  // namespace batholith
