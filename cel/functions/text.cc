#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/utf8.h"
#include "cel/functions/costs.h"
#include "cel/functions/format_text.h"
#include "cel/functions/library.h"
#include "cel/functions/sequences.h"
#include "cel/functions/values.h"

namespace batholith::cel {
namespace {

using Kind = Value::Kind;

Value OutOfRange(std::int64_t index) {
  return Value::Fail(Failure::kIndexOutOfBounds, "index out of range: " + std::to_string(index));
}

std::size_t StepAt(std::string_view text, std::size_t at) {
  const std::size_t length = SequenceLength(text, at);
  return length == 0 ? 1 : length;
}

// Where the character of this number starts; the size of the text for the one behind the last.
// Nothing: there are not so many.
std::optional<std::size_t> ByteOf(std::string_view text, std::int64_t character) {
  if (character < 0) return std::nullopt;
  std::size_t at = 0;
  for (; character > 0 && at < text.size(); --character) at += StepAt(text, at);
  if (character > 0) return std::nullopt;
  return at;
}

Value CharAt(Arguments a, Work&) {
  const std::string_view text = a[0].text();
  const auto at = ByteOf(text, a[1].as_int());
  if (!at) return OutOfRange(a[1].as_int());
  if (*at == text.size()) return Value::BorrowedString("");
  return Value::PartOf(a[0], text.substr(*at, StepAt(text, *at)));
}

// The number of the character at a byte.
Value CharacterAt(std::string_view text, std::size_t byte) {
  return Value::Int(static_cast<std::int64_t>(CharacterCount(text.substr(0, byte))));
}

Value IndexOfText(Arguments a, Work&) {
  const std::string_view text = a[0].text();
  const std::int64_t offset = a.size() == 3 ? a[2].as_int() : 0;
  if (a[1].text().empty()) return Value::Int(offset);
  if (offset < 0) return OutOfRange(offset);
  const auto from = ByteOf(text, offset);
  if (!from) return Value::Int(-1);
  const std::size_t found = text.find(a[1].text(), *from);
  return found == std::string_view::npos ? Value::Int(-1) : CharacterAt(text, found);
}

Value LastIndexOfText(Arguments a, Work&) {
  const std::string_view text = a[0].text();
  const auto size = static_cast<std::int64_t>(CharacterCount(text));
  if (a[1].text().empty()) return Value::Int(a.size() == 3 ? a[2].as_int() : size);
  std::int64_t offset = size - 1;
  if (a.size() == 3) {
    offset = a[2].as_int();
    if (offset < 0) return OutOfRange(offset);
    if (offset >= size) return Value::Int(-1);
  }
  if (size == 0) return Value::Int(-1);
  const std::size_t found = text.rfind(a[1].text(), *ByteOf(text, offset));
  return found == std::string_view::npos ? Value::Int(-1) : CharacterAt(text, found);
}

template <char First, char Last, int Shift>
Value ShiftLetters(Arguments a, Work&) {
  std::string out(a[0].text());
  for (char& c : out) {
    if (c >= First && c <= Last) c = static_cast<char>(c + Shift);
  }
  return Value::String(std::move(out));
}

Value Replace(Arguments a, Work& work) {
  const std::string_view text = a[0].text();
  const std::string_view old = a[1].text();
  const std::string_view with = a[2].text();
  std::int64_t left = a.size() == 4 && a[3].as_int() >= 0
                          ? a[3].as_int()
                          : std::numeric_limits<std::int64_t>::max();
  std::string out;
  std::size_t at = 0;
  while (left-- > 0 && at <= text.size()) {
    const std::size_t found = text.find(old, at);
    if (found == std::string_view::npos) break;
    if (!work.Spend((with.size() + found - at) / 16 + 1)) return WorkExhausted();
    out.append(text.substr(at, found - at)).append(with);
    at = found + old.size();
    if (!old.empty()) continue;
    // Between all characters, and at both ends.
    if (at == text.size()) return Value::String(std::move(out));
    const std::size_t step = StepAt(text, at);
    out.append(text.substr(at, step));
    at += step;
  }
  if (at < text.size()) out.append(text.substr(at));
  return Value::String(std::move(out));
}

Value Split(Arguments a, Work& work) {
  const std::string_view text = a[0].text();
  const std::string_view by = a[1].text();
  const std::int64_t most = a.size() == 3 ? a[2].as_int() : -1;
  std::vector<Value> out;
  if (most == 0) return Value::ListOf(std::move(out));
  std::size_t at = 0;
  while (most < 0 || static_cast<std::int64_t>(out.size()) + 1 < most) {
    if (!work.Spend(1)) return WorkExhausted();
    if (by.empty()) {
      // Into characters.
      if (at >= text.size()) break;
      const std::size_t step = StepAt(text, at);
      if (at + step == text.size()) break;
      out.push_back(Value::PartOf(a[0], text.substr(at, step)));
      at += step;
      continue;
    }
    const std::size_t found = text.find(by, at);
    if (found == std::string_view::npos) break;
    out.push_back(Value::PartOf(a[0], text.substr(at, found - at)));
    at = found + by.size();
  }
  if (!by.empty() || at < text.size()) out.push_back(Value::PartOf(a[0], text.substr(at)));
  return Value::ListOf(std::move(out));
}

Value Substring(Arguments a, Work&) {
  const std::string_view text = a[0].text();
  if (a.size() == 3 && a[1].as_int() > a[2].as_int())
    return Value::Fail(Failure::kIndexOutOfBounds,
                       "invalid substring range. start: " + std::to_string(a[1].as_int()) +
                           ", end: " + std::to_string(a[2].as_int()));
  const auto start = ByteOf(text, a[1].as_int());
  if (!start) return OutOfRange(a[1].as_int());
  if (a.size() == 2) return Value::PartOf(a[0], text.substr(*start));
  const auto end = ByteOf(text, a[2].as_int());
  if (!end) return OutOfRange(a[2].as_int());
  return Value::PartOf(a[0], text.substr(*start, *end - *start));
}

// How many bytes of white space, as Unicode defines it, start here.
std::size_t SpaceAt(std::string_view text, std::size_t at) {
  static constexpr std::array<std::string_view, 25> kSpaces{
      "\t",           "\n",           "\v",
      "\f",           "\r",           " ",
      "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80",
      "\xE2\x80\x80", "\xE2\x80\x81", "\xE2\x80\x82",
      "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85",
      "\xE2\x80\x86", "\xE2\x80\x87", "\xE2\x80\x88",
      "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8",
      "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F",
      "\xE3\x80\x80"};
  for (const std::string_view space : kSpaces) {
    if (text.substr(at).starts_with(space)) return space.size();
  }
  return 0;
}

Value Trim(Arguments a, Work&) {
  const std::string_view text = a[0].text();
  std::size_t start = 0;
  while (start < text.size() && SpaceAt(text, start) != 0) start += SpaceAt(text, start);
  std::size_t end = start;
  for (std::size_t at = start; at < text.size();) {
    const std::size_t space = SpaceAt(text, at);
    at += space == 0 ? StepAt(text, at) : space;
    if (space == 0) end = at;
  }
  return Value::PartOf(a[0], text.substr(start, end - start));
}

Value Join(Arguments a, Work& work) {
  const std::string_view between = a.size() == 2 ? a[1].text() : "";
  std::string out;
  const List& list = a[0].list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value item = list.At(i);
    if (!item.is(Kind::kString))
      return Value::Fail(Failure::kInvalidArgument, "join: invalid input: " + Shown(item));
    if (!work.Spend((between.size() + item.text().size()) / 16 + 1)) return WorkExhausted();
    if (i != 0) out += between;
    out += item.text();
  }
  return Value::String(std::move(out));
}

Value Quote(Arguments a, Work&) {
  std::string out = "\"";
  for (const char c : a[0].text()) {
    const std::size_t escape = std::string_view("\a\b\f\n\r\t\v\\\"").find(c);
    if (escape == std::string_view::npos) {
      out += c;
    } else {
      out += '\\';
      out += "abfnrtv\\\""[escape];
    }
  }
  return Value::String(out + "\"");
}

Value Format(Arguments a, Work& work) { return FormatText(a[0].text(), a[1].list(), work); }

constexpr CallCost kText{costs::Text, true};
constexpr CallCost kTwice{costs::TwiceText, true};
constexpr CallCost kTextTraversal{costs::Traversal, true};
constexpr CallCost kJoin{costs::TwiceResult, true};

constexpr std::array kTexts{
    Overload{"charAt", "string, int", "string", CharAt, {}, true},
    Overload{"indexOf", "string, string", "int", IndexOfText, kTextTraversal, true},
    Overload{"indexOf", "string, string, int", "int", IndexOfText, kTextTraversal, true},
    Overload{"lastIndexOf", "string, string", "int", LastIndexOfText, kTextTraversal, true},
    Overload{"lastIndexOf", "string, string, int", "int", LastIndexOfText, kTextTraversal, true},
    Overload{"lowerAscii", "string", "string", ShiftLetters<'A', 'Z', 'a' - 'A'>, kText, true},
    Overload{"upperAscii", "string", "string", ShiftLetters<'a', 'z', 'A' - 'a'>, kText, true},
    Overload{"replace", "string, string, string", "string", Replace, kTwice, true},
    Overload{"replace", "string, string, string, int", "string", Replace, kTwice, true},
    Overload{"split", "string, string", "list(string)", Split, kTwice, true},
    Overload{"split", "string, string, int", "list(string)", Split, kTwice, true},
    Overload{"substring", "string, int", "string", Substring, kText, true},
    Overload{"substring", "string, int, int", "string", Substring, kText, true},
    Overload{"trim", "string", "string", Trim, kText, true},
    Overload{"join", "list(string)", "string", Join, kJoin, true},
    Overload{"join", "list(string), string", "string", Join, kJoin, true},
    Overload{"strings.quote", "string", "string", Quote, {costs::Text}},
    Overload{"format", "string, list(dyn)", "string", Format, {costs::Text}, true},
};

}  // namespace

std::span<const Overload> TextFunctions() { return kTexts; }

}  // namespace batholith::cel
