#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace batholith::cel {

// A version of semver.org 2.0, as its text says.
struct VersionParts {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  std::uint64_t patch = 0;
  std::string_view before;  // of a release: what follows the minus, without it
};

// Nothing: no version. The parts refer to the text.
std::optional<VersionParts> ReadVersion(std::string_view text);
// "v1.02" → "1.2.0". Nothing: no version after that, either.
std::optional<std::string> NormalizedVersion(std::string_view text);

// Negative, 0, positive, in the order of semver.org, which does not look at build metadata.
// REQUIRES: versions.
int CompareVersions(std::string_view a, std::string_view b);

}  // namespace batholith::cel
