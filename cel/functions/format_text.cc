#include "cel/functions/format_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "api/utf8.h"
#include "cel/functions/numbers.h"
#include "cel/functions/sequences.h"
#include "cel/functions/time.h"
#include "cel/functions/values.h"
#include "cel/syntax/number.h"

namespace batholith::cel {
namespace {

using Kind = Value::Kind;

constexpr std::uint64_t kMostPrecision = 1'000'000'000;

struct Formatted {
  std::string text;
  std::string error;
};
Formatted WrongType(char letter, const Value& value) {
  return {"", fmt::format("the clause %{} does not format values of the type {}", letter,
                          ValueTypeName(value))};
}

// A text in quotes, as Go's %q writes it for ASCII.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t c = 0; c < text.size(); ++c) {
    const char letter = text[c];
    const std::size_t escape = std::string_view("\a\b\f\n\r\t\v\\\"").find(letter);
    if (escape != std::string_view::npos) {
      out += '\\';
      out += "abfnrtv\\\""[escape];
    } else if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(letter));
    } else if (static_cast<unsigned char>(letter) >= 0x80 && SequenceLength(text, c) == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(letter));
    } else {
      const std::size_t length =
          static_cast<unsigned char>(letter) < 0x80 ? 1 : SequenceLength(text, c);
      out += text.substr(c, length);
      c += length - 1;
    }
  }
  return out + "\"";
}

std::string FixedText(double number, int precision) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "∞" : "-∞";
  return fmt::format("{:.{}f}", number, precision);
}

std::string Grouped(const std::string& number) {
  const std::size_t start = number.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(number.find('.'), number.size());
  if (end < start || number.find_first_not_of("0123456789.", start) != std::string::npos)
    return number;
  std::string out = number.substr(0, start);
  for (std::size_t c = start; c < end; ++c) {
    if (c != start && (end - c) % 3 == 0) out += ',';
    out += number[c];
  }
  return out + number.substr(end);
}

// 1.234568×10⁰⁶, at least so many characters long.
std::string ScientificText(double number, int width) {
  const std::string plain =
      std::isfinite(number) ? fmt::format("{:.6e}", number) : FixedText(number, 0);
  const std::size_t e = std::min(plain.find('e'), plain.size());
  std::string out = plain.substr(0, e) + (e < plain.size() ? "×10" : "");
  for (const char c : plain.substr(std::min(e + 1, plain.size()))) {
    static constexpr std::string_view kDigits[] = {"⁰", "¹", "²", "³", "⁴",
                                                   "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (c == '-') out += "⁻";
    if (c >= '0' && c <= '9') out += kDigits[c - '0'];
  }
  const std::size_t length = CharacterCount(out);
  const auto wanted = static_cast<std::size_t>(std::max(width, 0));
  return wanted > length ? std::string(wanted - length, ' ') + out : out;
}

Formatted AsText(const Value& value, Work& work);

// In a list or map: texts in quotes, times as they would be written in an expression.
Formatted AsItem(const Value& value, Work& work) {
  switch (value.kind()) {
    case Kind::kString:
      return {Quoted(value.text()), ""};
    case Kind::kBytes:
      return {"b" + Quoted(value.text()), ""};
    case Kind::kDouble: {
      const std::string text = std::isinf(value.as_double())
                                   ? (value.as_double() > 0 ? "\"+Inf\"" : "\"-Inf\"")
                                   : FixedText(value.as_double(), 6);
      return {std::isnan(value.as_double()) ? "\"NaN\"" : text, ""};
    }
    case Kind::kTimestamp:
      return {"timestamp(" + Quoted(TimestampText(value)) + ")", ""};
    case Kind::kDuration:
      return {"duration(" + Quoted(DurationText(value.as_int())) + ")", ""};
    default:
      return AsText(value, work);
  }
}

Formatted ListText(const List& list, Work& work) {
  Formatted out{"[", ""};
  for (std::size_t i = 0; i < list.size(); ++i) {
    Formatted item = AsItem(list.At(i), work);
    if (!item.error.empty()) return item;
    if (!work.Spend(1 + item.text.size() / 16)) return {"", "it has become too large"};
    if (i != 0) out.text += ", ";
    out.text += item.text;
  }
  out.text += ']';
  return out;
}

Formatted MapText(const Map& map, Work& work) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const Value& key : map.Keys()) {
    if (key.is(Kind::kDouble)) return WrongType('s', key);
    Formatted name = AsItem(key, work);
    Formatted value = AsItem(*map.Find(key), work);
    if (!value.error.empty()) return value;
    if (!work.Spend(1 + value.text.size() / 16)) return {"", "it has become too large"};
    entries.emplace_back(std::move(name.text), std::move(value.text));
  }
  std::sort(entries.begin(), entries.end());
  Formatted out{"{", ""};
  for (const auto& [key, value] : entries) {
    if (out.text.size() > 1) out.text += ", ";
    out.text += key + ":" + value;
  }
  out.text += '}';
  return out;
}

Formatted AsText(const Value& value, Work& work) {
  switch (value.kind()) {
    case Kind::kNull:
      return {"null", ""};
    case Kind::kBool:
      return {value.as_bool() ? "true" : "false", ""};
    case Kind::kInt:
      return {std::to_string(value.as_int()), ""};
    case Kind::kUint:
      return {std::to_string(value.as_uint()), ""};
    case Kind::kDouble:
      return {DoubleText(value.as_double()), ""};
    case Kind::kString:
    case Kind::kBytes:
      return {std::string(value.text()), ""};
    case Kind::kTimestamp:
      return {TimestampText(value), ""};
    case Kind::kDuration:
      return {DurationText(value.as_int()), ""};
    case Kind::kType:
      return {std::string(TypeName(value.type())), ""};
    case Kind::kList:
      return ListText(value.list(), work);
    case Kind::kMap:
      return MapText(value.map(), work);
    default:
      return WrongType('s', value);
  }
}

std::string InBase(std::uint64_t number, int base, bool negative, bool upper) {
  std::array<char, 70> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, base);
  std::string out(buffer.data(), end.ptr);
  if (upper)
    std::transform(out.begin(), out.end(), out.begin(), [](char c) {
      return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
    });
  return (negative ? "-" : "") + out;
}

Formatted AsNumber(char letter, const Value& value) {
  const int base = letter == 'b' ? 2 : letter == 'o' ? 8 : letter == 'd' ? 10 : 16;
  if (value.is(Kind::kUint)) return {InBase(value.as_uint(), base, false, letter == 'X'), ""};
  if (value.is(Kind::kInt)) {
    const bool negative = value.as_int() < 0;
    const auto bits = static_cast<std::uint64_t>(value.as_int());
    return {InBase(negative ? 0 - bits : bits, base, negative, letter == 'X'), ""};
  }
  if (letter == 'b' && value.is(Kind::kBool)) return {value.as_bool() ? "1" : "0", ""};
  if (base == 16 && (value.is(Kind::kString) || value.is(Kind::kBytes))) {
    std::string out;
    for (const char c : value.text()) {
      const auto byte = static_cast<unsigned char>(c);
      out += letter == 'X' ? fmt::format("{:02X}", byte) : fmt::format("{:02x}", byte);
    }
    return {std::move(out), ""};
  }
  return WrongType(letter, value);
}

Formatted AsReal(const FormatClause& clause, const Value& value) {
  double number = 0;
  if (value.is(Kind::kDouble)) {
    number = value.as_double();
  } else if (value.is(Kind::kString) && value.text() == "NaN") {
    number = std::nan("");
  } else if (value.is(Kind::kString) && value.text() == "Infinity") {
    number = HUGE_VAL;
  } else if (value.is(Kind::kString) && value.text() == "-Infinity") {
    number = -HUGE_VAL;
  } else {
    return WrongType(clause.letter, value);
  }
  constexpr int kMostDigits = 1000;
  const int precision = std::min(clause.precision, kMostDigits);
  if (clause.letter == 'e') return {ScientificText(number, precision), ""};
  return {Grouped(FixedText(number, precision)), ""};
}

Formatted Clause(const FormatClause& clause, const Value& value, Work& work) {
  if (clause.letter == 's') return AsText(value, work);
  if (clause.letter == 'f' || clause.letter == 'e') return AsReal(clause, value);
  return AsNumber(clause.letter, value);
}

}  // namespace

FormatClause ClauseAt(std::string_view format, std::size_t percent) {
  FormatClause out;
  std::size_t at = percent + 1;
  if (at < format.size() && format[at] == '.') {
    const std::size_t end = std::min(format.find_first_not_of("0123456789", ++at), format.size());
    const auto precision = ReadUint(format.substr(at, end - at));
    if (!precision || *precision > kMostPrecision) return out;
    out.precision = static_cast<int>(*precision);
    at = end;
  }
  if (at >= format.size() ||
      std::string_view("sdfebxXo").find(format[at]) == std::string_view::npos)
    return out;
  out.letter = format[at];
  out.length = at + 1 - percent;
  return out;
}

Value FormatText(std::string_view format, const List& values, Work& work) {
  const auto fail = [](std::string what) {
    return Value::Fail(Failure::kInvalidArgument, std::move(what));
  };
  std::string out;
  std::size_t next = 0;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '%' || format.substr(at).starts_with("%%")) {
      out += format[at];
      at += format[at] == '%' ? 2 : 1;
      continue;
    }
    if (next >= values.size()) return fail(fmt::format("index {} out of range", next));
    const FormatClause clause = ClauseAt(format, at);
    if (clause.letter == 0) return fail("could not parse formatting clause");
    Formatted text = Clause(clause, values.At(next++), work);
    if (!text.error.empty()) return fail(std::move(text.error));
    if (!work.Spend(1 + text.text.size() / 16)) return WorkExhausted();
    out += text.text;
    at += clause.length;
  }
  return Value::String(std::move(out));
}

}  // namespace batholith::cel
