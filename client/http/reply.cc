#include "client/http/reply.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/printable.h"
#include "api/time_text.h"
#include "codec/json/parse.h"

namespace batholith {

namespace json = boost::json;

ReplyKind KindOfReply(const HttpResult& result) {
  if (!result) return result.error().sent ? ReplyKind::kUnknown : ReplyKind::kNotSent;
  if (result->status >= 200 && result->status < 300) return ReplyKind::kAccepted;
  if (result->status == 429 || result->status == 503) return ReplyKind::kLater;
  return result->status >= 500 ? ReplyKind::kUnknown : ReplyKind::kRefused;
}

std::string TroubleOf(const HttpResult& result) {
  if (!result) return result.error().message;
  const Result<json::value> body = BodyOf(*result);
  const std::string message = body ? TextIn(*body, {"message"}) : "";
  if (!message.empty()) return fmt::format("{}: {}", result->status, OneLine(message));
  return fmt::format("{}: {}", result->status, ShortLine(result->body, 200));
}

std::chrono::milliseconds RetryAfterOf(const HttpResult& result) {
  if (!result || !result->retry_after) return std::chrono::milliseconds(0);
  return std::min(*result->retry_after, std::chrono::seconds(60));
}

Result<json::value> BodyOf(const HttpReply& reply) {
  auto values = ParseJson(reply.body);
  if (!values)
    return Invalid(fmt::format("at byte {}: {}", values.error().at, values.error().reason));
  if (values->size() != 1) return Invalid("no JSON object");
  return std::move(values->front());
}

std::string NowText() {
  using namespace std::chrono;
  const auto now = duration_cast<seconds>(system_clock::now().time_since_epoch());
  return FormatTime(nanoseconds(now).count());
}

std::string NowMicroText() {
  using namespace std::chrono;
  const auto now = duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
  std::string text = FormatTime(now / 1'000'000 * 1'000'000'000);
  text.pop_back();
  return fmt::format("{}.{:06}Z", text, now % 1'000'000);
}

}  // namespace batholith
