#include "sim/scenario/expect.h"

#include <algorithm>
#include <array>

#include "sim/scenario/expect_field.h"
#include "sim/scenario/expect_values.h"

namespace batholith {
namespace {

namespace json = boost::json;

void Scores(const Expected& e) {
  for (const auto& [pod, nodes] : e.value.Entries()) {
    const auto trace = e.run.traces.find(pod);
    for (const auto& [name, score] : nodes.Entries()) {
      if (trace == e.run.traces.end() || !trace->second.scores.contains(name)) {
        e.failures.push_back({score.path() + " = " + score.Scalar(), "not scored"});
        continue;
      }
      CompareNumber(score, trace->second.scores.at(name), e.failures);
    }
  }
}

void Feasible(const Expected& e) {
  for (const auto& [pod, nodes] : e.value.Entries()) {
    const auto trace = e.run.traces.find(pod);
    std::vector<std::string> got;
    if (trace != e.run.traces.end()) got = trace->second.feasible;
    std::vector<std::string> wanted;
    for (const Field& node : nodes.Items()) wanted.push_back(node.Scalar());
    std::ranges::sort(got);
    std::ranges::sort(wanted);
    if (got != wanted) e.failures.push_back({nodes.path() + " = " + Joined(wanted), Joined(got)});
  }
}

void AnyOf(const Expected& e) {
  const std::vector<Field> blocks = e.value.Items();
  std::string got;
  for (const Field& block : blocks) {
    const std::vector<Failure> failures = CheckExpect(block.Object(), e.run);
    if (failures.empty()) return;
    got += (got.empty() ? "" : "; or ") + failures[0].expected + ": " + failures[0].got;
  }
  e.failures.push_back({"anyOf: one of " + std::to_string(blocks.size()) + " blocks holds", got});
}

std::int64_t WholeNumberOf(const Field& value) { return value.Int(0, INT64_MIN, INT64_MAX); }

void NoEvictionsAfter(const Expected& e) {
  for (const CycleEvict& evict : e.run.evictions) {
    if (evict.cycle > WholeNumberOf(e.value)) {
      e.failures.push_back({"noEvictionsAfter " + e.value.Scalar(),
                            evict.evict.pod + " in session " + std::to_string(evict.cycle)});
    }
  }
}

void OfTheCaller(const Expected& /*e*/) {}

template <Shape Entry>
void MapShape(const Field& value) {
  CheckEach(value, [](const Field& entry) { CheckShape(Entry, entry); });
}

void WholeNumber(const Field& value) {
  if (!value.present()) value.Fail("must be a whole number, not nothing");
  WholeNumberOf(value);
}

void AnyOfShape(const Field& value) {
  const std::vector<Field> blocks = value.Items();
  if (blocks.empty()) value.Fail("must have at least one block");
  for (const Field& block : blocks) {
    CheckObject(block);
    CheckExpectShape(block);
  }
}

constexpr Expectation kRows[] = {
    {"scores", MapShape<Shape::kNumbers>, Scores},
    {"feasible", MapShape<Shape::kList>, Feasible},
    {"noEvictionsAfter", WholeNumber, NoEvictionsAfter},
    {"error", [](const Field& value) { CheckShape(Shape::kScalars, value); }, OfTheCaller},
    {"anyOf", AnyOfShape, AnyOf}};

std::array<std::span<const Expectation>, 4> Tables() {
  return {SetExpectations(), StatusExpectations(), SlackExpectations(), kRows};
}

const Expectation* Find(std::string_view name) {
  for (const std::span<const Expectation> table : Tables()) {
    if (const Expectation* row = RowNamed(table, name)) return row;
  }
  return nullptr;
}

}  // namespace

void CheckExpectShape(const Field& expect) {
  std::vector<std::string_view> known;
  for (const std::span<const Expectation> table : Tables()) {
    for (const Expectation& row : table) known.push_back(row.name);
  }
  expect.OnlyKnown(known);
  for (const auto& [name, field] : expect.Entries()) Find(name)->shape(field);
}

std::vector<Failure> CheckExpect(const json::object& expect, const RunOutcome& outcome) {
  std::vector<Failure> out;
  for (const auto& [name, field] : Field(expect, "").Entries())
    Find(name)->check({field, outcome, out});
  return out;
}

bool NeedsTrace(const json::object& expect) {
  if (expect.contains("scores") || expect.contains("feasible")) return true;
  return std::ranges::any_of(Field::Glance(expect)["anyOf"].Items(),
                             [](const Field& block) { return NeedsTrace(block.Object()); });
}

}  // namespace batholith
