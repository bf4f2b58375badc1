#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "api/result.h"

namespace batholith {

inline constexpr std::size_t kMaxManifestDepth = 100;

struct JsonError {
  std::size_t at = 0;  // how far the text was read
  std::string reason;
  bool is_syntax = false;  // it is no JSON, and may be something else
};

// What a text may hold; more is told before it is built.
struct JsonLimits {
  std::size_t values = std::size_t(-1);
  // Of one document or, where it is a list, of each of its `items`: bytes of keys and texts, and
  // eight for each value.
  std::size_t object_bytes = std::size_t(-1);
};

// One JSON text, or several one after another. Numbers that are no 64-bit integer become the text
// that was written. REQUIRES: UTF-8. Errors: no JSON, a key that stands twice, deeper than 100,
// more than the limits allow.
std::expected<std::vector<boost::json::value>, JsonError> ParseJson(std::string_view text,
                                                                    const JsonLimits& limits = {});

// The one value of a text. Errors: no JSON, or none or several of them.
Result<boost::json::value> ParseJsonValue(std::string_view text);

}  // namespace batholith
