#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace batholith {

// Foreign text on a screen or in a log. Escaped is what steers a terminal or cannot be seen:
// controls (C0, DEL, C1), what orders or joins text (marks and overrides of direction, zero width
// characters, line and paragraph separators, tags), and bytes that are no UTF-8. A byte shows as
// \x1b, a character as \u202e or \U000e0041, line break and tab as \n and \t. What is escaped once
// stays as it is when it is escaped again.

std::string OneLine(std::string_view text);
// The same, but line breaks and tabs stay: for a whole output with a layout of its own.
std::string ManyLines(std::string_view text);
// At most `bytes` of the text, cut at the border of a character, and "..." where more follows.
std::string ShortLine(std::string_view text, std::size_t bytes);

// Whether OneLine would change it.
bool HasHidden(std::string_view text);

// JSON as some writer made it, with what is hidden in its texts as \u and four digits: another
// spelling of the same value. REQUIRES: UTF-8.
std::string EscapedJson(std::string json);

// How many columns of a terminal it takes: none for a mark that joins the character before, two for
// wide characters of East Asia and pictures, one for all others. REQUIRES: nothing hidden.
std::size_t DisplayWidth(std::string_view text);

}  // namespace batholith
