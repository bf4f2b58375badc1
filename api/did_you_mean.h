#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace batholith {

// The candidate nearest to `word` by edit distance (case aside), if it is near enough to be a slip
// of the pen. Ties go to the earlier candidate. Cost: O(candidates · length²).
std::optional<std::string_view> Nearest(std::string_view word,
                                        std::span<const std::string_view> candidates);

// `; did you mean "x"?`, or nothing when no candidate is near.
std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates);

// Foreign text as a message may hold it: short, on one line, and escaped (api/printable.h).
std::string Shown(std::string_view text);

}  // namespace batholith
