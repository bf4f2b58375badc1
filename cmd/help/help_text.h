#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cmd/help/page.h"

namespace batholith {

// How many columns a person has: of the terminal, at most 100; 80 where there is none.
std::size_t HelpWidth();

// The words of a text in lines of at most `width` columns, all but the first with an indent. A word
// is cut behind commas, and only where no line could hold it; a line break of the text stays.
std::string Wrapped(std::string_view text, std::size_t indent, std::size_t width);

// What --help prints.
std::string HelpText(const CommandPage& page, std::size_t width);
// What --help prints of a command that has verbs, each with a page.
std::string VerbListText(const std::string& command, std::span<const CommandPage> pages,
                         const std::string& more, std::size_t width);

}  // namespace batholith
