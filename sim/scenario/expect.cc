#include "sim/scenario/expect.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "sim/scenario/expect_field.h"
#include "sim/scenario/expect_values.h"

namespace batholith {
namespace {

namespace json = boost::json;

void Scores(const Expected& e) {
  for (const auto& pod : e.value.as_object()) {
    const auto trace = e.run.traces.find(std::string(pod.key()));
    for (const auto& node : pod.value().as_object()) {
      const std::string name(node.key());
      const std::string what = e.path + "." + std::string(pod.key()) + "." + name;
      if (trace == e.run.traces.end() || !trace->second.scores.contains(name)) {
        e.failures.push_back({what + " = " + ScalarText(node.value()), "not scored"});
        continue;
      }
      CompareNumber(node.value(), trace->second.scores.at(name), what, e.failures);
    }
  }
}

void Feasible(const Expected& e) {
  for (const auto& pod : e.value.as_object()) {
    const auto trace = e.run.traces.find(std::string(pod.key()));
    std::vector<std::string> got;
    if (trace != e.run.traces.end()) got = trace->second.feasible;
    std::vector<std::string> wanted;
    for (const json::value& n : pod.value().as_array()) wanted.push_back(ScalarText(n));
    std::ranges::sort(got);
    std::ranges::sort(wanted);
    if (got != wanted) {
      e.failures.push_back(
          {e.path + "." + std::string(pod.key()) + " = " + Joined(wanted), Joined(got)});
    }
  }
}

void AnyOf(const Expected& e) {
  const json::array& blocks = e.value.as_array();
  std::string got;
  for (const json::value& block : blocks) {
    const std::vector<Failure> failures = CheckExpect(block.as_object(), e.run);
    if (failures.empty()) return;
    got += (got.empty() ? "" : "; or ") + failures[0].expected + ": " + failures[0].got;
  }
  e.failures.push_back({"anyOf: one of " + std::to_string(blocks.size()) + " blocks holds", got});
}

void NoEvictionsAfter(const Expected& e) {
  for (const CycleEvict& evict : e.run.evictions) {
    if (evict.cycle > AsInteger(e.value, e.path).value_or(0)) {
      e.failures.push_back({"noEvictionsAfter " + ScalarText(e.value),
                            evict.evict.pod + " in cycle " + std::to_string(evict.cycle)});
    }
  }
}

void OfTheCaller(const Expected& /*e*/) {}

template <Shape Entry>
Result<void> MapShape(const json::value& value, const std::string& path) {
  return CheckEach(value, path, [](const json::value& entry, const std::string& at) {
    return CheckShape(Entry, entry, at);
  });
}

Result<void> WholeNumber(const json::value& value, const std::string& path) {
  const Result<std::int64_t> number = AsInteger(value, path);
  if (!number) return std::unexpected(number.error());
  return {};
}

Result<void> AnyOfShape(const json::value& value, const std::string& path) {
  const auto blocks = AsList(value, path);
  if (!blocks) return std::unexpected(blocks.error());
  if ((*blocks)->empty()) return Invalid(path + ": at least one block is needed");
  for (const json::value& block : **blocks) {
    const auto mapping = AsMapping(block, path);
    if (!mapping) return std::unexpected(mapping.error());
    if (Result<void> ok = CheckExpectShape(**mapping, path); !ok) return ok;
  }
  return {};
}

constexpr Expectation kRows[] = {{"scores", MapShape<Shape::kNumbers>, Scores},
                                 {"feasible", MapShape<Shape::kList>, Feasible},
                                 {"noEvictionsAfter", WholeNumber, NoEvictionsAfter},
                                 {"error",
                                  [](const json::value& value, const std::string& path) {
                                    return CheckShape(Shape::kScalars, value, path);
                                  },
                                  OfTheCaller},
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

Result<void> CheckExpectShape(const json::object& expect, const std::string& path) {
  std::vector<std::string_view> known;
  for (const std::span<const Expectation> table : Tables()) {
    for (const Expectation& row : table) known.push_back(row.name);
  }
  if (Result<void> ok = OnlyKnown(expect, path, known); !ok) return ok;
  for (const auto& field : expect) {
    const std::string_view name = field.key();
    Result<void> ok = Find(name)->shape(field.value(), path + "." + std::string(name));
    if (!ok) return ok;
  }
  return {};
}

std::vector<Failure> CheckExpect(const json::object& expect, const RunOutcome& outcome) {
  std::vector<Failure> out;
  for (const auto& field : expect) {
    const std::string name(field.key());
    Find(name)->check({field.value(), name, outcome, out});
  }
  return out;
}

bool NeedsTrace(const json::object& expect) {
  if (expect.contains("scores") || expect.contains("feasible")) return true;
  const json::value* any = expect.if_contains("anyOf");
  if (any == nullptr || !any->is_array()) return false;
  return std::ranges::any_of(any->get_array(), [](const json::value& block) {
    return block.is_object() && NeedsTrace(block.get_object());
  });
}

}  // namespace batholith
