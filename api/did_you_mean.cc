#include "api/did_you_mean.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "api/printable.h"

namespace batholith {
namespace {

// A hostile key must neither cost quadratic time nor fill the terminal.
constexpr std::size_t kLongestWord = 100;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = Lower(a[i - 1]) == Lower(b[j - 1]);
      current[j] =
          std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && Lower(a[i - 1]) == Lower(b[j - 2]) &&
                           Lower(a[i - 2]) == Lower(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::optional<std::string_view> Nearest(std::string_view word,
                                        std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::optional<std::string_view> nearest;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = EditDistance(word, candidate);
    if (distance >= best) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::optional<std::string_view> nearest = Nearest(word, candidates);
  if (!nearest) return {};
  return "; did you mean \"" + std::string(*nearest) + "\"?";
}

std::string Shown(std::string_view text) {
  return ShortLine(std::string(text.substr(0, kLongestWord + 4)), kLongestWord);
}

}  // namespace batholith
