#include "api/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "api/utf8.h"

namespace batholith {
namespace {

struct Range {
  char32_t first, last;
};

// Beyond ASCII, in order. Fillers of Hangul look like blanks and are letters, so names may have
// them.
constexpr Range kHidden[]{{0x80, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},    {0x115f, 0x1160},
                          {0x17b4, 0x17b5}, {0x180e, 0x180e}, {0x200b, 0x200f},  {0x2028, 0x202e},
                          {0x2060, 0x206f}, {0x3164, 0x3164}, {0xfeff, 0xfeff},  {0xffa0, 0xffa0},
                          {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe0fff}};
constexpr Range kJoined[]{{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},
                          {0x64b, 0x65f},   {0x900, 0x902},   {0x93c, 0x93c},   {0xe31, 0xe31},
                          {0xe34, 0xe3a},   {0xe47, 0xe4e},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
                          {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
constexpr Range kWide[]{{0x1100, 0x115e},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
                        {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                        {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
                        {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd}};

bool Holds(std::span<const Range> ranges, char32_t c) {
  const auto it = std::ranges::lower_bound(ranges, c, {}, &Range::last);
  return it != ranges.end() && it->first <= c;
}

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: the byte here is no UTF-8
};

Character At(std::string_view text, std::size_t at) {
  Character c{static_cast<unsigned char>(text[at]), SequenceLength(text, at)};
  if (c.bytes < 2) return c;
  c.code &= 0xffU >> (c.bytes + 1);
  for (std::size_t i = 1; i < c.bytes; ++i)
    c.code = c.code << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3fU);
  return c;
}

bool IsHidden(const Character& c) {
  if (c.bytes == 1) return c.code < 0x20 || c.code == 0x7f;
  return c.bytes == 0 || Holds(kHidden, c.code);
}

// How many bytes from `at` on are plain ASCII: nearly all of them, so they are not looked at one by
// one as characters.
std::size_t PlainBytes(std::string_view text, std::size_t at) {
  const auto plain = [](char c) { return c >= 0x20 && c < 0x7f; };
  const auto begin = text.begin() + static_cast<std::ptrdiff_t>(at);
  return static_cast<std::size_t>(std::find_if_not(begin, text.end(), plain) - begin);
}

void AppendEscape(const Character& c, std::string& out) {
  if (c.code == '\n' || c.code == '\t' || c.code == '\r') {
    out += c.code == '\n' ? "\\n" : c.code == '\t' ? "\\t" : "\\r";
  } else {
    const auto code = static_cast<unsigned>(c.code);
    out += c.bytes < 2        ? fmt::format("\\x{:02x}", code)
           : c.code <= 0xffff ? fmt::format("\\u{:04x}", code)
                              : fmt::format("\\U{:08x}", code);
  }
}

std::string Escaped(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t plain = PlainBytes(text, at);
    out += text.substr(at, plain);
    at += plain;
    if (at == text.size()) break;
    const Character c = At(text, at);
    const std::size_t bytes = std::max<std::size_t>(c.bytes, 1);
    const bool stays = keep_lines && (text[at] == '\n' || text[at] == '\t');
    if (stays || !IsHidden(c)) {
      out += text.substr(at, bytes);
    } else {
      AppendEscape(c, out);
    }
    at += bytes;
  }
  return out;
}

}  // namespace

std::string OneLine(std::string_view text) { return Escaped(text, false); }

std::string ManyLines(std::string_view text) { return Escaped(text, true); }

std::string ShortLine(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return OneLine(text);
  std::size_t end = 0;
  for (std::size_t at = 0; at <= bytes; at += std::max<std::size_t>(At(text, at).bytes, 1))
    end = at;
  return OneLine(text.substr(0, end)) + "...";
}

bool HasHidden(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    at += PlainBytes(text, at);
    if (at == text.size()) break;
    const Character c = At(text, at);
    if (IsHidden(c)) return true;
    at += c.bytes;
  }
  return false;
}

std::string EscapedJson(std::string json) {
  if (!HasHidden(json)) return json;
  std::string out;
  for (std::size_t at = 0; at < json.size();) {
    const Character c = At(json, at);
    const std::size_t bytes = std::max<std::size_t>(c.bytes, 1);
    if (c.code < 0x20 || !IsHidden(c)) {
      out += json.substr(at, bytes);  // below a blank: the layout of a writer that breaks lines
    } else if (c.code > 0xffff) {
      const unsigned pair = static_cast<unsigned>(c.code) - 0x10000;
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (pair >> 10U), 0xdc00 + (pair & 0x3ffU));
    } else {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c.code));
    }
    at += bytes;
  }
  return out;
}

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t plain = PlainBytes(text, at);
    width += plain;
    at += plain;
    if (at == text.size()) break;
    const Character c = At(text, at);
    width += Holds(kJoined, c.code) ? 0 : Holds(kWide, c.code) ? 2 : 1;
    at += std::max<std::size_t>(c.bytes, 1);
  }
  return width;
}

}  // namespace batholith
