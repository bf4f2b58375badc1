#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "api/result.h"
#include "cmd/status_request.h"

namespace batholith {

// What one client can cost. Memory: connections × (header + body), and unsent + one answer.
struct StatusLimits {
  std::chrono::milliseconds request{10'000};  // until the whole request is here
  std::chrono::milliseconds reply{60'000};    // until the client took the whole answer
  std::chrono::milliseconds linger{2'000};    // until it closed
  std::size_t connections = 64;  // one more ends the oldest, rather one that is not being answered
  std::size_t header_bytes = 8 << 10;
  std::size_t body_bytes = 4 << 10;
  std::size_t unsent_bytes = 64 << 20;  // while more waits to be sent, everybody else gets a 503
};

// An HTTP/1.1 server without TLS for probes, metrics and debugging: GET and HEAD, and PUT of
// /debug/loglevel. One request a connection. A thread of its own, on which the handler is called;
// so the handler should be quick, and may not end the server.
class StatusServer {
 public:
  using Handler = std::function<StatusReply(const StatusRequest&)>;

  // Answers from when it returns. `address`: see ParseListenAddress; an empty host is IPv4 and,
  // where the machine has it, IPv6. Errors: kInvalid (the text), kUnavailable (the port is taken,
  // the host unknown).
  static Result<std::unique_ptr<StatusServer>> Listen(const std::string& address, Handler handler,
                                                      StatusLimits limits = {});
  // Ends every connection at once; waits for a handler that is running.
  ~StatusServer();
  StatusServer(const StatusServer&) = delete;
  StatusServer& operator=(const StatusServer&) = delete;

  int port() const;

 private:
  class Loop;
  explicit StatusServer(std::unique_ptr<Loop> loop);
  std::unique_ptr<Loop> loop_;
};

}  // namespace batholith
