#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cel/functions/costs.h"
#include "cel/functions/library.h"
#include "cel/functions/time.h"
#include "cel/functions/url.h"
#include "cel/functions/values.h"

namespace batholith::cel {
namespace {

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsNumeral(char c) { return c >= '0' && c <= '9'; }
bool IsAlphanumeric(char c) { return IsLower(c) || IsNumeral(c) || (c >= 'A' && c <= 'Z'); }
bool IsHex(char c) { return IsNumeral(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool IsLabel(std::string_view text, bool letter_first) {
  if (text.empty()) return false;
  const auto ends = [](char c) { return IsLower(c) || IsNumeral(c); };
  if (!ends(text.front()) || !ends(text.back()) || (letter_first && !IsLower(text.front())))
    return false;
  return std::all_of(text.begin(), text.end(), [&](char c) { return ends(c) || c == '-'; });
}

bool IsShortLabel(std::string_view text) { return text.size() <= 63 && IsLabel(text, false); }
bool IsLetterLabel(std::string_view text) { return text.size() <= 63 && IsLabel(text, true); }

bool IsSubdomain(std::string_view text) {
  if (text.size() > 253) return false;
  while (true) {
    const std::size_t dot = text.find('.');
    if (!IsLabel(text.substr(0, dot), false)) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

// What a name may be generated from: a dash at its end is followed by something.
template <bool (*Is)(std::string_view)>
bool IsPrefix(std::string_view text) {
  std::string name(text);
  if (name.size() > 1 && name.back() == '-') name.replace(name.size() - 2, 2, "a");
  return Is(name);
}

bool IsLabelValue(std::string_view text) {
  if (text.empty()) return true;
  if (text.size() > 63 || !IsAlphanumeric(text.front()) || !IsAlphanumeric(text.back()))
    return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return IsAlphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

bool IsQualifiedName(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    if (!IsSubdomain(text.substr(0, slash))) return false;
    text.remove_prefix(slash + 1);
  }
  return !text.empty() && IsLabelValue(text);
}

bool IsUri(std::string_view text) { return ReadUrl(text).has_value(); }

// Each dash may be there or not.
bool IsUuid(std::string_view text) {
  std::size_t digits = 0;
  bool dash_before = false;
  for (const char c : text) {
    const bool dash = c == '-';
    if (dash && (dash_before || !(digits == 8 || digits == 12 || digits == 16 || digits == 20)))
      return false;
    if (!dash && !IsHex(c)) return false;
    if (!dash) ++digits;
    dash_before = dash;
  }
  return digits == 32 && !dash_before;
}

bool IsBase64(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0) return false;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  return std::all_of(text.begin(), text.end() - static_cast<std::ptrdiff_t>(padding),
                     [](char c) { return IsAlphanumeric(c) || c == '+' || c == '/'; });
}

bool IsDate(std::string_view text) {
  return text.size() == 10 && ReadTimestamp(std::string(text) + "T00:00:00Z").has_value();
}

bool IsDateTime(std::string_view text) {
  std::string plain(text);
  if (plain.size() > 10 && plain[10] == 't') plain[10] = 'T';
  if (plain.ends_with('z')) plain.back() = 'Z';
  return ReadTimestamp(plain).has_value();
}

struct NamedFormat {
  const char* name;
  bool (*is)(std::string_view);
  std::uint64_t pattern;  // as long as Kubernetes says that its regular expression is
};
constexpr std::array<NamedFormat, 13> kNamed{{{"dns1123Label", IsShortLabel, 30},
                                              {"dns1123Subdomain", IsSubdomain, 60},
                                              {"dns1035Label", IsLetterLabel, 30},
                                              {"qualifiedName", IsQualifiedName, 60},
                                              {"dns1123LabelPrefix", IsPrefix<IsShortLabel>, 30},
                                              {"dns1123SubdomainPrefix", IsPrefix<IsSubdomain>, 60},
                                              {"dns1035LabelPrefix", IsPrefix<IsLetterLabel>, 30},
                                              {"labelValue", IsLabelValue, 40},
                                              {"uri", IsUri, 1103},
                                              {"uuid", IsUuid, 72},
                                              {"byte", IsBase64, 84},
                                              {"date", IsDate, 72},
                                              {"datetime", IsDateTime, 72}}};

template <std::size_t Which>
Value Constant(Arguments, Work&) {
  return Value::Format(Which);
}

Value Named(Arguments a, Work&) {
  for (std::size_t f = 0; f < kNamed.size(); ++f) {
    if (a[0].text() == kNamed[f].name)
      return Value::Some(Value::Format(static_cast<std::int32_t>(f)));
  }
  return Value::None();
}

const NamedFormat& FormatOf(const Value& value) {
  return kNamed[static_cast<std::size_t>(value.format())];
}

Value Validate(Arguments a, Work&) {
  const NamedFormat& format = FormatOf(a[0]);
  if (format.is(a[1].text())) return Value::None();
  return Value::Some(
      Value::ListOf({Value::String(std::string("not of the format ") + format.name)}));
}

std::uint64_t ValidateCost(Arguments a, const Value&) {
  if (!a[0].is(Value::Kind::kFormat)) return 1;
  return costs::Part(CostSize(a[1]) + 1, 0.1) * costs::Part(FormatOf(a[0]).pattern, 0.25);
}

constexpr std::string_view kFormatType = "kubernetes.NamedFormat";

constexpr Overload Zero(std::string_view name, Implementation run) {
  return {name, "", kFormatType, run};
}

constexpr std::array kFormats{
    Overload{"validate",
             "kubernetes.NamedFormat, string",
             "optional(list(string))",
             Validate,
             {ValidateCost, true},
             true},
    Overload{"format.named", "string", "optional(kubernetes.NamedFormat)", Named, {nullptr, true}},
    Zero("format.dns1123Label", Constant<0>),
    Zero("format.dns1123Subdomain", Constant<1>),
    Zero("format.dns1035Label", Constant<2>),
    Zero("format.qualifiedName", Constant<3>),
    Zero("format.dns1123LabelPrefix", Constant<4>),
    Zero("format.dns1123SubdomainPrefix", Constant<5>),
    Zero("format.dns1035LabelPrefix", Constant<6>),
    Zero("format.labelValue", Constant<7>),
    Zero("format.uri", Constant<8>),
    Zero("format.uuid", Constant<9>),
    Zero("format.byte", Constant<10>),
    Zero("format.date", Constant<11>),
    Zero("format.datetime", Constant<12>),
};

}  // namespace

std::span<const Overload> FormatFunctions() { return kFormats; }

}  // namespace batholith::cel
