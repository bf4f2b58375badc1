#include "sim/scenario/expect_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/quantity.h"
#include "api/value_text.h"
#include "codec/json/text.h"

namespace batholith {

namespace {

constexpr double kTolerance = 1e-6;
constexpr std::size_t kShownNames = 12;

bool ConditionMatches(const Field& expected, const JobCondition& got) {
  for (const auto& [field, value] : expected.Entries()) {
    if (field == "type" && !OneOf(value, got.type)) return false;
    if (field == "status" && !OneOf(value, got.status)) return false;
    if (field == "reason" && !OneOf(value, got.reason)) return false;
    if (field == "message" && !got.message.contains(value.Scalar())) return false;
  }
  return true;
}

}  // namespace

bool CountHolds(const Field& count, std::int64_t n) {
  if (count.is_list()) {
    return std::ranges::any_of(count.Items(),
                               [&](const Field& allowed) { return CountHolds(allowed, n); });
  }
  if (count.is_object())
    return n >= count["min"].Int(INT64_MIN, INT64_MIN, INT64_MAX) &&
           n <= count["max"].Int(INT64_MAX, INT64_MIN, INT64_MAX);
  return count.Int(0, INT64_MIN, INT64_MAX) == n;
}

std::string CountText(const Field& count) {
  if (count.is_object()) {
    const Field min = count["min"];
    const Field max = count["max"];
    if (min.present() && max.present()) return min.Scalar() + " to " + max.Scalar();
    if (min.present()) return "at least " + min.Scalar();
    if (max.present()) return "at most " + max.Scalar();
  }
  if (count.is_list()) {
    std::string out;
    for (const Field& allowed : count.Items())
      out += (out.empty() ? "" : " or ") + CountText(allowed);
    return out;
  }
  return Written(count);
}

std::string Written(const Field& value) {
  return value.is_scalar() ? value.Scalar() : JsonText(*value.value());
}

bool OneOf(const Field& allowed, std::string_view text) {
  if (allowed.is_list()) {
    return std::ranges::any_of(allowed.Items(), [&](const Field& one) { return OneOf(one, text); });
  }
  return allowed.is_scalar() && allowed.Scalar() == text;
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

void CompareResources(const Field& expected, const ResourceList& got,
                      std::vector<Failure>& failures) {
  for (const auto& [name, value] : expected.Entries()) {
    const auto it = got.find(name);
    const std::int64_t amount = it == got.end() ? 0 : it->second;
    const Result<std::int64_t> wanted = ParseQuantity(value.Scalar(), ResourceScale(name));
    if (wanted && *wanted == amount) continue;
    failures.push_back({fmt::format("{}.{} = {}", expected.path(), name, value.Scalar()),
                        wanted ? FormatQuantity(amount, name) : wanted.error().message});
  }
}

void CompareNumber(const Field& expected, double got, std::vector<Failure>& failures) {
  const std::optional<double> wanted = ParseFloat(expected.Scalar());
  if (wanted && std::abs(*wanted - got) <= kTolerance) return;
  failures.push_back(
      {fmt::format("{} = {}", expected.path(), expected.Scalar()), fmt::format("{}", got)});
}

void CompareText(const Field& expected, std::string_view got, std::vector<Failure>& failures) {
  if (OneOf(expected, got)) return;
  failures.push_back({fmt::format("{} = {}", expected.path(), Written(expected)),
                      got.empty() ? "nothing" : std::string(got)});
}

void CompareConditions(const Field& expected, const std::vector<JobCondition>& got,
                       std::vector<Failure>& failures) {
  for (const Field& condition : expected.Items()) {
    const bool found = std::ranges::any_of(
        got, [&](const JobCondition& c) { return ConditionMatches(condition, c); });
    if (found) continue;
    std::vector<std::string> shown;
    for (const JobCondition& c : got) {
      shown.push_back(fmt::format("{}={} ({}: {})", c.type, c.status, c.reason, c.message));
    }
    failures.push_back({expected.path() + " has " + Written(condition), Joined(shown)});
  }
}

std::string JobKeyOf(const PodRecord& pod) {
  return pod.group.empty() ? std::string() : pod.meta.namespace_ + "/" + pod.group;
}

}  // namespace batholith
