#include "client/http/http.h"

#include <future>
#include <utility>

#include "api/check.h"
#include "client/http/http_loop.h"
#include "client/http/reply.h"

namespace batholith {

HttpClient::HttpClient(ClusterAccess access, HttpOptions options)
    : rules_(std::make_shared<MissingRules>()),
      loop_(std::make_unique<Loop>(std::move(access), std::move(options))) {}

HttpClient::~HttpClient() { loop_->Stop(); }

void HttpClient::Send(HttpRequest request, std::function<void(HttpResult)> done) {
  loop_->Send(std::move(request), [rules = rules_, done = std::move(done)](HttpResult result) {
    if (result && result->status == 403)
      rules->Record(TroubleOf(result), MissingRules::Clock::now());
    done(std::move(result));
  });
}

HttpResult HttpClient::SendAndWait(HttpRequest request) {
  CHECK(!loop_->on_thread());
  const auto result = std::make_shared<std::promise<HttpResult>>();
  loop_->Send(std::move(request),
              [result](HttpResult reply) { result->set_value(std::move(reply)); });
  return result->get_future().get();
}

HttpClient::Token HttpClient::Stream(HttpRequest request, HttpStream stream) {
  return loop_->Stream(std::move(request), std::move(stream));
}

void HttpClient::Cancel(Token token) { loop_->Cancel(token); }

void HttpClient::Post(std::function<void()> work) { loop_->Post(std::move(work)); }

HttpClient::Token HttpClient::After(std::chrono::milliseconds delay, std::function<void()> work) {
  return loop_->After(delay, std::move(work));
}

void HttpClient::RecordMissingRule(const std::string& message) {
  rules_->Record(message, MissingRules::Clock::now());
}

}  // namespace batholith
