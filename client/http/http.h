#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "api/result.h"
#include "client/access/access.h"
#include "client/http/missing_rules.h"

namespace batholith {

struct HttpRequest {
  std::string method = "GET";
  std::string path;  // with the query: /api/v1/pods?limit=500
  std::string body;
  std::string content_type;  // of the body
  std::string accept = "application/json";
  // Of the whole request, from when it is sent; of a stream: until its answer begins.
  std::chrono::milliseconds timeout{30'000};
  // Asked when its turn comes; no: it is not sent, HttpFailure.sent is false. Empty: it may.
  std::function<bool()> may_send = {};
  // Waits for --kube-api-qps, and while 64 such requests are on their way; leases and watches do
  // not.
  bool limited = true;
};

// Why a request was not sent, where may_send said no.
inline constexpr const char* kNotLeading = "this replica does not lead any more";

inline constexpr long kHttpNotFound = 404;
inline constexpr long kHttpConflict = 409;

struct HttpReply {
  long status = 0;
  std::string content_type;
  std::string body;
  std::optional<std::chrono::seconds> retry_after;
};

// What becomes of a request that has no reply. Whether the server did it is known only where it was
// never sent.
struct HttpFailure {
  bool sent = false;  // at least a byte of the request may have reached the server
  std::string message;
};

using HttpResult = std::expected<HttpReply, HttpFailure>;

struct HttpStream {
  std::function<void(const HttpReply&)> on_begin;          // status and headers; body is empty
  std::function<void(std::string_view)> on_data;           // of a status other than 2xx too
  std::function<void(std::optional<HttpFailure>)> on_end;  // nothing: the server ended it in order
};

struct HttpOptions {
  double qps = 0;  // 0: no limit
  int burst = 0;
  bool compress = false;
  std::chrono::seconds idle_timeout{0};  // of a stream without a byte; 0: none
  // HTTP/2: where no byte came for so long, the server is asked for a sign of life; where none
  // comes in time, all of the connection's requests fail and the next ones open another.
  std::chrono::milliseconds ping_after{30'000};
  std::chrono::milliseconds ping_timeout{15'000};
  std::string user_agent = "batholith";
  // Ends a credential plugin that runs, for a process that ends without ending this.
  std::stop_token stop_plugin = {};
};

// One thread with one libcurl multi handle, HTTP/2 where the server speaks it. All callbacks run on
// that thread and must not block; every method may be called from any thread, from callbacks too.
// Credentials are put on when a request is sent, so a token that rotated is the new one; a 401 has
// them read again, and the request sent once more. The destructor ends everything that runs: no
// callback is called after it.
class HttpClient {
 public:
  using Token = std::uint64_t;

  HttpClient(ClusterAccess access, HttpOptions options);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void Send(HttpRequest request, std::function<void(HttpResult)> done);
  // For commands: blocks the caller. REQUIRES: not called on the client's thread.
  HttpResult SendAndWait(HttpRequest request);
  Token Stream(HttpRequest request, HttpStream stream);
  // No callback of it is called after Cancel returned on the client's thread. Also of After.
  void Cancel(Token token);

  // On the client's thread: as soon as possible, or after a while.
  void Post(std::function<void()> work);
  Token After(std::chrono::milliseconds delay, std::function<void()> work);

  // What the server refused of what was sent; streams tell it themselves.
  std::shared_ptr<const MissingRules> missing_rules() const { return rules_; }
  void RecordMissingRule(const std::string& message);

 private:
  class Loop;
  std::shared_ptr<MissingRules> rules_;
  std::unique_ptr<Loop> loop_;
};

}  // namespace batholith
