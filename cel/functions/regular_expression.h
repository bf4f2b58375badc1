#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace batholith::cel {

// A regular expression in the syntax of RE2, which is Go's, too.
class RegularExpression {
 public:
  explicit RegularExpression(std::string_view pattern);
  ~RegularExpression();
  RegularExpression(const RegularExpression&) = delete;
  RegularExpression& operator=(const RegularExpression&) = delete;

  bool ok() const;
  // What compiling it, or looking through so many characters, may take; in steps of Work.
  std::uint64_t Steps(std::size_t characters) const;

  // REQUIRES: ok().
  bool FoundIn(std::string_view text) const;
  // The first match; nothing found: an empty part.
  std::string_view Find(std::string_view text) const;
  // Matches that do not overlap, from left to right.
  std::vector<std::string_view> FindAll(std::string_view text, std::size_t most) const;

 private:
  std::unique_ptr<const re2::RE2> compiled_;
};

}  // namespace batholith::cel
