#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "api/result.h"
#include "client/http/http.h"
#include "client/http/rate_limit.h"
#include "client/http/task.h"
#include "client/http/task_owner.h"

namespace batholith {

struct TokenVerdict {
  enum class Kind : std::uint8_t {
    kAllowed,
    kNobody,     // the cluster does not know the token
    kForbidden,  // it does, and the user has no right to it
    kUnknown,    // nobody could be asked
  };
  Kind kind = Kind::kUnknown;
  std::string why;  // for the client; empty: allowed
};

// Whether whoever shows a token may do something that is no resource, such as get /metrics: a
// TokenReview says who it is, a SubjectAccessReview whether they may. Verdicts are kept for a short
// while, so that a scrape is no request; requests have a rate of their own, so that strangers with
// made-up tokens take nothing of the scheduler's. From any thread; the client ends before it does.
class TokenReviewer {
 public:
  struct Options {
    std::chrono::seconds keep_allowed{60};
    std::chrono::seconds keep_refused{10};
    std::size_t kept = 256;  // verdicts; one more ends all that are not good any longer, else all
    double qps = 10;         // of new tokens
    int burst = 20;
    std::chrono::milliseconds timeout{10'000};
    // Why nobody could be asked, once for each reason.
    std::function<void(const std::string&)> warn = {};
  };
  using Done = std::function<void(const TokenVerdict&)>;

  TokenReviewer(HttpClient& client, Options options);
  explicit TokenReviewer(HttpClient& client) : TokenReviewer(client, Options()) {}

  // Calls `done` once, at once or on the client's thread; not where the client ends before.
  void Review(const std::string& token, const std::string& path, const std::string& verb,
              Done done);

 private:
  using Clock = std::chrono::steady_clock;
  struct Question;

  // Asks the server, and calls the question's `done`.
  Task<> Ask(Question question);
  Task<Result<TokenVerdict>> Judge(const Question& question);
  HttpRequest Request(const char* path, const boost::json::object& body) const;
  void Decide(const Question& question, const TokenVerdict& verdict);
  void GiveUp(const Question& question, const std::string& why);

  HttpClient& client_;
  const Options options_;
  std::mutex mutex_;
  RateLimit limit_;
  struct Kept {
    TokenVerdict verdict;
    Clock::time_point until;
  };
  std::map<std::string, Kept> kept_;  // by verb, path and token
  std::string trouble_;               // that was told last
  TaskOwner tasks_;
};

}  // namespace batholith
