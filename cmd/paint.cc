#include "cmd/paint.h"

#include <algorithm>
#include <array>

namespace batholith {
namespace {

constexpr std::string_view kBold = "\x1b[1m", kRed = "\x1b[31m", kGreen = "\x1b[32m",
                           kYellow = "\x1b[33m", kEnd = "\x1b[0m";

struct Word {
  std::string_view begin;  // of a line
  std::string_view colour;
};
constexpr std::array kWords{Word{"warning:", kYellow}, Word{"note:", kYellow}, Word{"error:", kRed},
                            Word{"FAILED", kRed}};

std::string In(std::string_view colour, std::string_view text) {
  return std::string(colour) + std::string(text) + std::string(kEnd);
}

// "QUEUES", "  NAME  STATE".
bool IsHead(std::string_view line) {
  const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return std::ranges::count_if(line, capital) >= 3 &&
         std::ranges::all_of(line, [&](char c) { return c == ' ' || c == '-' || capital(c); });
}

}  // namespace

std::string Painted(std::string_view line) {
  for (const Word& word : kWords) {
    if (line.starts_with(word.begin))
      return In(word.colour, word.begin) + std::string(line.substr(word.begin.size()));
  }
  if (IsHead(line)) return In(kBold, line);
  if (line.contains(" passed, ") && line.ends_with(" failed"))
    return In(line.ends_with(" passed, 0 failed") ? kGreen : kRed, line);
  return std::string(line);
}

}  // namespace batholith
