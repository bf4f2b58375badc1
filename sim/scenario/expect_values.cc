#include "sim/scenario/expect_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

#include "api/quantity.h"
#include "api/value_text.h"
#include "sim/scenario/fields.h"

namespace batholith {

namespace json = boost::json;

namespace {

constexpr double kTolerance = 1e-6;
constexpr std::size_t kShownNames = 12;

std::optional<double> NumberOf(const json::value& value) {
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  if (value.is_double()) return value.get_double();
  return value.is_string() ? ParseFloat(value.get_string()) : std::nullopt;
}

bool ConditionMatches(const json::object& expected, const JobCondition& got) {
  for (const auto& [key, value] : expected) {
    const std::string_view field = key;
    if (field == "type" && !OneOf(value, got.type)) return false;
    if (field == "status" && !OneOf(value, got.status)) return false;
    if (field == "reason" && !OneOf(value, got.reason)) return false;
    if (field == "message" && got.message.find(ScalarText(value)) == got.message.npos) return false;
  }
  return true;
}

}  // namespace

bool CountHolds(const json::value& count, std::int64_t n) {
  if (count.is_array()) {
    return std::ranges::any_of(count.get_array(),
                               [&](const json::value& allowed) { return CountHolds(allowed, n); });
  }
  if (count.is_object()) {
    const json::value* min = count.get_object().if_contains("min");
    const json::value* max = count.get_object().if_contains("max");
    return (min == nullptr || (min->is_int64() && n >= min->get_int64())) &&
           (max == nullptr || (max->is_int64() && n <= max->get_int64()));
  }
  return count.is_int64() && count.get_int64() == n;
}

std::string CountText(const json::value& count) {
  if (count.is_object()) {
    const json::value* min = count.get_object().if_contains("min");
    const json::value* max = count.get_object().if_contains("max");
    if (min != nullptr && max != nullptr) {
      return ScalarText(*min) + " to " + ScalarText(*max);
    }
    if (min != nullptr) return "at least " + ScalarText(*min);
    if (max != nullptr) return "at most " + ScalarText(*max);
  }
  if (count.is_array()) {
    std::string out;
    for (const json::value& allowed : count.get_array()) {
      out += (out.empty() ? "" : " or ") + CountText(allowed);
    }
    return out;
  }
  return ScalarText(count);
}

bool OneOf(const json::value& allowed, std::string_view text) {
  if (allowed.is_array()) {
    return std::ranges::any_of(allowed.get_array(),
                               [&](const json::value& one) { return OneOf(one, text); });
  }
  if (allowed.is_structured()) return false;
  return !allowed.is_null() && ScalarText(allowed) == text;
}

std::string Joined(const std::vector<std::string>& names) {
  if (names.empty()) return "none";
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kShownNames; ++i) {
    out += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kShownNames) out += fmt::format(", … ({} in all)", names.size());
  return out;
}

void CompareResources(const json::value& expected, const ResourceList& got, const std::string& what,
                      std::vector<Failure>& failures) {
  for (const auto& [key, value] : expected.get_object()) {
    const std::string name(key);
    const auto it = got.find(name);
    const std::int64_t amount = it == got.end() ? 0 : it->second;
    const Result<std::int64_t> wanted = ParseQuantity(ScalarText(value), ResourceScale(name));
    if (wanted && *wanted == amount) continue;
    failures.push_back({fmt::format("{}.{} = {}", what, name, ScalarText(value)),
                        wanted ? FormatQuantity(amount, name) : wanted.error().message});
  }
}

void CompareNumber(const json::value& expected, double got, const std::string& what,
                   std::vector<Failure>& failures) {
  const std::optional<double> wanted = NumberOf(expected);
  if (wanted && std::abs(*wanted - got) <= kTolerance) return;
  failures.push_back({fmt::format("{} = {}", what, ScalarText(expected)), fmt::format("{}", got)});
}

void CompareText(const json::value& expected, std::string_view got, const std::string& what,
                 std::vector<Failure>& failures) {
  if (OneOf(expected, got)) return;
  failures.push_back(
      {fmt::format("{} = {}", what,
                   expected.is_structured() ? json::serialize(expected) : ScalarText(expected)),
       got.empty() ? "nothing" : std::string(got)});
}

void CompareConditions(const json::value& expected, const std::vector<JobCondition>& got,
                       const std::string& what, std::vector<Failure>& failures) {
  for (const json::value& condition : expected.get_array()) {
    const bool found = std::ranges::any_of(
        got, [&](const JobCondition& c) { return ConditionMatches(condition.get_object(), c); });
    if (found) continue;
    std::vector<std::string> shown;
    for (const JobCondition& c : got) {
      shown.push_back(fmt::format("{}={} ({}: {})", c.type, c.status, c.reason, c.message));
    }
    failures.push_back({what + " has " + json::serialize(condition), Joined(shown)});
  }
}

std::string JobKeyOf(const PodRecord& pod) {
  return pod.group.empty() ? std::string() : pod.meta.namespace_ + "/" + pod.group;
}

}  // namespace batholith
