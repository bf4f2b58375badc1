#include "client/write/without_numbers.h"

#include <algorithm>

namespace batholith {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
// Of which names and amounts are made.
bool IsInWord(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
         c == '.';
}

}  // namespace

std::string WithoutNumbers(std::string_view text) {
  std::string out;
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if_not(at, text.end(), IsInWord);
    if (end == at) {
      out += *at++;
      continue;
    }
    if (IsDigit(*at)) {
      out += '#';
    } else {
      out.append(at, end);
    }
    at = end;
  }
  return out;
}

}  // namespace batholith
