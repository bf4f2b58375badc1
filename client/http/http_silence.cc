#include <algorithm>
#include <utility>

#include "client/http/http_loop.h"

namespace batholith {
namespace {

std::string Seconds(std::chrono::milliseconds time) {
  const std::string text = std::to_string(time.count());
  return time.count() % 1000 == 0 ? std::to_string(time.count() / 1000) + " s" : text + " ms";
}

}  // namespace

// Of a stream it ends when its answer begins.
void HttpClient::Loop::SetDeadline(Call& call) {
  const Token token = call.token;
  call.timer = After(call.request.timeout, [this, token] {
    Call* const late = Find(token);
    if (late == nullptr) return;
    const bool sent = late->transfer != nullptr && late->transfer->sent();
    Fail(*late, sent, "no answer within " + Seconds(late->request.timeout));
  });
}

// The timer is not moved with each byte: when it is due, it is set anew for what is left.
void HttpClient::Loop::SetIdleTimer(Call& call) {
  if (options_.idle_timeout.count() == 0) return;
  const Token token = call.token;
  const auto left = call.heard_at + options_.idle_timeout - std::chrono::steady_clock::now();
  call.timer = After(std::chrono::ceil<std::chrono::milliseconds>(left), [this, token] {
    Call* const call_now = Find(token);
    if (call_now == nullptr) return;
    if (std::chrono::steady_clock::now() < call_now->heard_at + options_.idle_timeout) {
      SetIdleTimer(*call_now);
    } else {
      Fail(*call_now, true, "silent for " + Seconds(options_.idle_timeout));
    }
  });
}

// libcurl sends HTTP/2 PINGs only for connections outside of a multi handle (curl_easy_upkeep), so
// a small request is the ping.
void HttpClient::Loop::ExpectHttp2() {
  if (options_.ping_after.count() == 0 || std::exchange(http2_is_checked_, true)) return;
  const auto left = heard_at_ + options_.ping_after - std::chrono::steady_clock::now();
  After(std::chrono::ceil<std::chrono::milliseconds>(left), [this] { CheckHttp2(); });
}

void HttpClient::Loop::CheckHttp2() {
  http2_is_checked_ = false;
  const auto on_http2 = [](const auto& entry) { return entry.second->is_on_http2(); };
  if (std::ranges::none_of(calls_, on_http2)) return;
  const TimePoint asked_at = std::chrono::steady_clock::now();
  if (asked_at < heard_at_ + options_.ping_after) {
    ExpectHttp2();
    return;
  }
  http2_is_checked_ = true;
  HttpRequest ping;
  ping.path = "/version";
  ping.timeout = options_.ping_timeout;
  ping.limited = false;
  Send(std::move(ping), [this, asked_at](const HttpResult&) {
    http2_is_checked_ = false;
    if (heard_at_ < asked_at) renew_connections_ = true;
    ExpectHttp2();
  });
}

// Streams that end leave their connection open for the next ones, even a dead one; so all of the
// connections go.
void HttpClient::Loop::RenewConnections() {
  std::vector<Token> tokens;
  for (const auto& [token, call] : calls_) {
    if (call->transfer != nullptr) tokens.push_back(token);
  }
  for (const Token token : tokens) {
    if (Call* const call = Find(token))
      Fail(*call, true, "the connection is silent, also when asked for a sign of life");
  }
  DropEnded();
  CURLM* old = NewMulti();
  {
    const std::lock_guard lock(mutex_);
    std::swap(old, multi_);
  }
  curl_multi_cleanup(old);
}

}  // namespace batholith
