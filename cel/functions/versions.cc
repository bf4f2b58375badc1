#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cel/functions/costs.h"
#include "cel/functions/library.h"
#include "cel/functions/values.h"
#include "cel/functions/version.h"
#include "cel/syntax/number.h"

namespace batholith::cel {
namespace {

bool IsNumeric(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool IsWord(std::string_view text) {
  return text.find_first_not_of(
             "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-") ==
         std::string_view::npos;
}

// Without leading zeros. Nothing: no number, or beyond 64 bits.
std::optional<std::uint64_t> ReadVersionNumber(std::string_view text) {
  if (text.empty() || !IsNumeric(text) || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  return ReadUint(text);
}

// The text before the next dot, which is taken off.
std::string_view TakeDotted(std::string_view& rest) {
  const std::size_t dot = rest.find('.');
  const std::string_view out = rest.substr(0, dot);
  rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
  return out;
}

bool AreParts(std::string_view text, bool numbers_matter) {
  while (true) {
    const bool more = text.find('.') != std::string_view::npos;
    const std::string_view part = TakeDotted(text);
    if (part.empty() || !IsWord(part)) return false;
    if (numbers_matter && IsNumeric(part) && !ReadVersionNumber(part)) return false;
    if (!more) return true;
  }
}

template <typename T>
int OrderOf(const T& a, const T& b) {
  if (a == b) return 0;
  return a < b ? -1 : 1;
}

int ComparePart(std::string_view a, std::string_view b) {
  const auto first = ReadVersionNumber(a);
  const auto second = ReadVersionNumber(b);
  if (first && second) return OrderOf(*first, *second);
  if (first.has_value() != second.has_value()) return first ? -1 : 1;
  return OrderOf(a, b);
}

int CompareBefore(std::string_view a, std::string_view b) {
  // A version before the release is less than the release.
  if (a.empty() || b.empty()) return OrderOf(a.empty(), b.empty());
  while (!a.empty() && !b.empty()) {
    const int order = ComparePart(TakeDotted(a), TakeDotted(b));
    if (order != 0) return order;
  }
  return OrderOf(!a.empty(), !b.empty());
}

Value ToVersionOf(const Value& text, const std::optional<std::string>& plain) {
  if (!plain || !ReadVersion(*plain))
    return Value::Fail(Failure::kNotAVersion, "not a version: " + Shown(text));
  return Value::Version(*plain);
}

// The text of a version to be; `normalize`, the second argument: its short forms are filled up.
std::optional<std::string> PlainText(Arguments a) {
  if (a.size() == 2 && a[1].as_bool()) return NormalizedVersion(a[0].text());
  return std::string(a[0].text());
}

Value ToVersion(Arguments a, Work&) { return ToVersionOf(a[0], PlainText(a)); }

Value IsVersion(Arguments a, Work&) {
  const auto plain = PlainText(a);
  return Value::Bool(plain && ReadVersion(*plain));
}

int VersionOrder(Arguments a) { return CompareVersions(a[0].text(), a[1].text()); }
Value IsGreaterVersion(Arguments a, Work&) { return Value::Bool(VersionOrder(a) > 0); }
Value IsLessVersion(Arguments a, Work&) { return Value::Bool(VersionOrder(a) < 0); }
Value CompareVersion(Arguments a, Work&) { return Value::Int(VersionOrder(a)); }

Value Major(Arguments a, Work&) {
  return Value::Int(static_cast<std::int64_t>(ReadVersion(a[0].text())->major));
}
Value Minor(Arguments a, Work&) {
  return Value::Int(static_cast<std::int64_t>(ReadVersion(a[0].text())->minor));
}
Value Patch(Arguments a, Work&) {
  return Value::Int(static_cast<std::int64_t>(ReadVersion(a[0].text())->patch));
}

constexpr std::string_view kVersion = "kubernetes.Semver";
constexpr std::string_view kTwoVersions = "kubernetes.Semver, kubernetes.Semver";
constexpr CallCost kVersionText{costs::Text, true};
constexpr CallCost kVersionOne{nullptr, true};

constexpr std::array kVersions{
    Overload{"semver", "string", kVersion, ToVersion, kVersionText},
    Overload{"semver", "string, bool", kVersion, ToVersion, kVersionText},
    Overload{"isSemver", "string", "bool", IsVersion, kVersionText},
    Overload{"isSemver", "string, bool", "bool", IsVersion, kVersionText},
    Overload{"isGreaterThan", kTwoVersions, "bool", IsGreaterVersion, kVersionOne, true},
    Overload{"isLessThan", kTwoVersions, "bool", IsLessVersion, kVersionOne, true},
    Overload{"compareTo", kTwoVersions, "int", CompareVersion, kVersionOne, true},
    Overload{"major", kVersion, "int", Major, kVersionOne, true},
    Overload{"minor", kVersion, "int", Minor, kVersionOne, true},
    Overload{"patch", kVersion, "int", Patch, kVersionOne, true},
};

}  // namespace

std::optional<VersionParts> ReadVersion(std::string_view text) {
  const std::size_t first = text.find('.');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = text.find('.', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  std::string_view patch = text.substr(second + 1);
  VersionParts out;
  if (const std::size_t plus = patch.find('+'); plus != std::string_view::npos) {
    if (!AreParts(patch.substr(plus + 1), false)) return std::nullopt;
    patch = patch.substr(0, plus);
  }
  if (const std::size_t minus = patch.find('-'); minus != std::string_view::npos) {
    out.before = patch.substr(minus + 1);
    if (!AreParts(out.before, true)) return std::nullopt;
    patch = patch.substr(0, minus);
  }
  const auto major = ReadVersionNumber(text.substr(0, first));
  const auto minor = ReadVersionNumber(text.substr(first + 1, second - first - 1));
  const auto number = ReadVersionNumber(patch);
  if (!major || !minor || !number) return std::nullopt;
  out.major = *major;
  out.minor = *minor;
  out.patch = *number;
  return out;
}

std::optional<std::string> NormalizedVersion(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::vector<std::string> parts;
  while (parts.size() < 2 && text.find('.') != std::string_view::npos)
    parts.emplace_back(TakeDotted(text));
  parts.emplace_back(text);
  for (std::string& part : parts) {
    if (part.size() < 2) continue;
    part.erase(0, std::min(part.find_first_not_of('0'), part.size()));
    if (part.empty() || part[0] < '0' || part[0] > '9') part.insert(0, 1, '0');
  }
  if (parts.size() < 3 && parts.back().find_first_of("+-") != std::string::npos)
    return std::nullopt;
  parts.resize(3, "0");
  return parts[0] + "." + parts[1] + "." + parts[2];
}

int CompareVersions(std::string_view a, std::string_view b) {
  const VersionParts first = *ReadVersion(a);
  const VersionParts second = *ReadVersion(b);
  for (const int order : {OrderOf(first.major, second.major), OrderOf(first.minor, second.minor),
                          OrderOf(first.patch, second.patch)}) {
    if (order != 0) return order;
  }
  return CompareBefore(first.before, second.before);
}

std::span<const Overload> VersionFunctions() { return kVersions; }

}  // namespace batholith::cel
