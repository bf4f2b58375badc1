#pragma once

#include <expected>
#include <string>
#include <utility>

namespace batholith {

// One code per reaction of the caller.
enum class ErrorCode { kInvalid, kNotFound, kConflict, kUnavailable };

struct Error {
  ErrorCode code = ErrorCode::kInvalid;
  std::string message;  // what, which object, what was expected; no trailing period
};

template <typename T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> Invalid(std::string message) {
  return std::unexpected(Error{ErrorCode::kInvalid, std::move(message)});
}

}  // namespace batholith
