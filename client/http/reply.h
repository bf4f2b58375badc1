#pragma once

#include <boost/json/value.hpp>
#include <chrono>
#include <string>
#include <string_view>

#include "api/result.h"
#include "client/http/http.h"
#include "codec/json/field.h"

namespace batholith {

// What an answer to a write means for whoever sent it.
enum class ReplyKind : std::uint8_t {
  kAccepted,  // 2xx
  kRefused,   // 4xx: the same request would be refused again
  kLater,     // 429, 503: not done; again after a while
  kUnknown,   // 5xx, or none: it may have been done
  kNotSent,   // it never left
};

ReplyKind KindOfReply(const HttpResult& result);
// "409 Conflict: pod a/b is already assigned …", or why there is no answer.
std::string TroubleOf(const HttpResult& result);
// Retry-After, or 0; a minute at most: nobody is told to be idle for longer.
std::chrono::milliseconds RetryAfterOf(const HttpResult& result);
// The body as JSON.
Result<boost::json::value> BodyOf(const HttpReply& reply);
// RFC 3339, to seconds.
std::string NowText();
// With microseconds, as leases and events have it.
std::string NowMicroText();

}  // namespace batholith
