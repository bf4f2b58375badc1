#include "client/http/wait.h"

namespace batholith {

Wait<HttpResult> Reply(HttpClient& client, HttpRequest request) {
  return Wait<HttpResult>(
      [&client, request = std::move(request)](std::function<void(HttpResult)> done) mutable {
        client.Send(std::move(request), std::move(done));
      });
}

Wait<std::monostate> Pause(HttpClient& client, std::chrono::milliseconds delay) {
  return Wait<std::monostate>([&client, delay](std::function<void(std::monostate)> done) {
    client.After(delay, [done = std::move(done)] { done({}); });
  });
}

}  // namespace batholith
