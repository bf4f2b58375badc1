#include "client/write/token_reviewer.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <utility>

#include "client/http/json_request.h"
#include "client/http/reply.h"
#include "client/http/wait.h"
#include "codec/json/field.h"

namespace batholith {
namespace {

namespace json = boost::json;

using Kind = TokenVerdict::Kind;

constexpr const char* kTokenReviews = "/apis/authentication.k8s.io/v1/tokenreviews";
constexpr const char* kAccessReviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

// What a header may hold of a token; anything else is none, and is asked about nowhere.
bool IsToken(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

bool IsTrue(const json::value& value, std::initializer_list<const char*> path) {
  return FieldIn(value, path).Bool(false);
}

// The review that the server answered with; nothing: why there is none.
Result<json::value> ReviewOf(const HttpResult& result, const char* resource) {
  if (KindOfReply(result) == ReplyKind::kAccepted) return BodyOf(*result);
  return std::unexpected(Error{ErrorCode::kUnavailable,
                               fmt::format("cannot create {}: {}", resource, TroubleOf(result))});
}

TokenVerdict Forbidden(const std::string& user, const std::string& verb, const std::string& path) {
  return {Kind::kForbidden,
          fmt::format("{} may not {} {}: expected a ClusterRole with nonResourceURLs [{}] and "
                      "verbs [{}]",
                      Printable(user), verb, path, path, verb)};
}

}  // namespace

struct TokenReviewer::Question {
  std::string key, token, path, verb;
  Done done;
};

TokenReviewer::TokenReviewer(HttpClient& client, Options options)
    : client_(client), options_(std::move(options)), limit_(options_.qps, options_.burst) {}

void TokenReviewer::Review(const std::string& token, const std::string& path,
                           const std::string& verb, Done done) {
  if (!IsToken(token))
    return done({Kind::kNobody, "expected a header Authorization: Bearer TOKEN"});
  Question question{fmt::format("{} {} {}", verb, path, token), token, path, verb, std::move(done)};
  const Clock::time_point now = Clock::now();
  TokenVerdict known{Kind::kUnknown, "too many tokens that were not seen before; ask again"};
  {
    const std::lock_guard lock(mutex_);
    const auto kept = kept_.find(question.key);
    const bool is_known = kept != kept_.end() && now < kept->second.until;
    if (is_known) known = kept->second.verdict;
    if (!is_known && limit_.Take(now)) known.why.clear();
  }
  if (known.kind != Kind::kUnknown || !known.why.empty()) return question.done(known);
  client_.Post(tasks_.Guard([this, question] { tasks_.Start(Ask(question)); }));
}

HttpRequest TokenReviewer::Request(const char* path, const json::object& body) const {
  HttpRequest request = JsonRequest("POST", path, body);
  request.timeout = options_.timeout;
  request.limited = false;
  return request;
}

Task<> TokenReviewer::Ask(Question question) {
  Task<Result<TokenVerdict>> judging = Judge(question);
  const Result<TokenVerdict> verdict = co_await judging;
  if (verdict) {
    Decide(question, *verdict);
  } else {
    GiveUp(question, verdict.error().message);
  }
}

// Who it is, and then whether they may.
Task<Result<TokenVerdict>> TokenReviewer::Judge(const Question& question) {
  const json::object token{{"apiVersion", "authentication.k8s.io/v1"},
                           {"kind", "TokenReview"},
                           {"spec", json::object{{"token", question.token}}}};
  Wait<HttpResult> who = Reply(client_, Request(kTokenReviews, token));
  const HttpResult who_reply = co_await who;
  const Result<json::value> review = ReviewOf(who_reply, "a TokenReview");
  if (!review) co_return std::unexpected(review.error());
  const Field user = FieldIn(*review, {"status", "user"});
  const std::string name = user["username"].Text();
  if (!IsTrue(*review, {"status", "authenticated"}) || name.empty())
    co_return TokenVerdict{Kind::kNobody, "the cluster does not know this token"};

  json::object spec{{"user", name}};
  spec["nonResourceAttributes"] = {{"path", question.path}, {"verb", question.verb}};
  for (const char* field : {"uid", "groups", "extra"}) {
    if (const json::value* value = user[field].value()) spec[field] = *value;
  }
  const json::object access{{"apiVersion", "authorization.k8s.io/v1"},
                            {"kind", "SubjectAccessReview"},
                            {"spec", std::move(spec)}};
  Wait<HttpResult> may = Reply(client_, Request(kAccessReviews, access));
  const HttpResult may_reply = co_await may;
  const Result<json::value> right = ReviewOf(may_reply, "a SubjectAccessReview");
  if (!right) co_return std::unexpected(right.error());
  if (IsTrue(*right, {"status", "allowed"}) && !IsTrue(*right, {"status", "denied"}))
    co_return TokenVerdict{Kind::kAllowed, ""};
  co_return Forbidden(name, question.verb, question.path);
}

void TokenReviewer::Decide(const Question& question, const TokenVerdict& verdict) {
  {
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = Clock::now();
    if (kept_.size() >= options_.kept)
      std::erase_if(kept_, [&](const auto& entry) { return entry.second.until <= now; });
    if (kept_.size() >= options_.kept) kept_.clear();
    const bool allowed = verdict.kind == Kind::kAllowed;
    kept_[question.key] = {verdict,
                           now + (allowed ? options_.keep_allowed : options_.keep_refused)};
    trouble_.clear();
  }
  question.done(verdict);
}

// The reason is not for whoever asked: nobody knows who that is.
void TokenReviewer::GiveUp(const Question& question, const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    if (options_.warn && trouble_ != why)
      options_.warn("a client's token cannot be judged: " + why);
    trouble_ = why;
  }
  question.done({Kind::kUnknown, "the API server could not be asked who you are; ask again"});
}

}  // namespace batholith
