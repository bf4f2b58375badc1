#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "api/result.h"
#include "cmd/status_request.h"

namespace batholith {

class ServerCertificate;

// What one client can cost. Memory: connections × (header + body), and unsent + one answer.
struct StatusLimits {
  std::chrono::milliseconds request{10'000};  // until the whole request is here
  std::chrono::milliseconds answer{20'000};   // until the handler has answered
  std::chrono::milliseconds reply{60'000};    // until the client took the whole answer
  std::chrono::milliseconds linger{2'000};    // until it closed
  std::size_t connections = 64;  // one more ends the oldest, rather one that is not being answered
  std::size_t header_bytes = 8 << 10;
  std::size_t body_bytes = 4 << 10;
  std::size_t unsent_bytes = 64 << 20;  // while more waits to be sent, everybody else gets a 503
};

// An HTTP/1.1 server for probes, metrics and debugging: GET and HEAD, and PUT of /debug/loglevel.
// One request a connection. A thread of its own, on which guard and handler are called; so both
// should be quick, and may not end the server.
class StatusServer {
 public:
  // Called once, from any thread. What comes after the client or the server is gone is dropped;
  // where none comes in time, the client gets a 503.
  using Answer = std::function<void(StatusReply)>;
  using Handler = std::function<void(const StatusRequest&, Answer)>;
  // Judges who asks before the handler hears of it: nothing lets the request pass.
  using Verdict = std::function<void(std::optional<StatusReply>)>;
  using Guard = std::function<void(const StatusRequest&, Verdict)>;

  struct Options {
    StatusLimits limits = {};
    Guard guard = {};
    std::shared_ptr<ServerCertificate> certificate = {};  // none: without TLS
    // Takes no address that another machine reaches, and no request that names another host: a web
    // page must not reach the port through somebody's browser.
    bool loopback_only = false;
  };

  // Answers from when it returns. `address`: see ParseListenAddress; an empty host is IPv4 and,
  // where the machine has it, IPv6. Errors: kInvalid (the text, no loopback address), kUnavailable
  // (the port is taken, the host unknown).
  static Result<std::unique_ptr<StatusServer>> Listen(const std::string& address, Handler handler,
                                                      Options options);
  static Result<std::unique_ptr<StatusServer>> Listen(const std::string& address, Handler handler) {
    return Listen(address, std::move(handler), Options());
  }
  // A handler that has its answer at once.
  static Handler AtOnce(std::function<StatusReply(const StatusRequest&)> answer);
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
