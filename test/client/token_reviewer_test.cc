// Who may read what is no resource, on a server that knows three users.
#include "client/write/token_reviewer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "test/client/client_env.h"
#include "test/client/scripted_server.h"

namespace batholith {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kTokens = "/apis/authentication.k8s.io/v1/tokenreviews";
constexpr const char* kRights = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

// The token prometheus is of somebody with the right, the token tenant of somebody without.
Actions AnswerReview(const ScriptedRequest& request) {
  const json::value spec = json::parse(request.body).at("spec");
  if (request.target == kTokens) {
    const std::string token(spec.at("token").as_string());
    if (token == "made-up") return Answer(201, R"({"status": {"error": "no such token"}})");
    return Answer(201, fmt::format(R"({{"status": {{"authenticated": true, "user": {{
        "username": "{}", "uid": "7", "groups": ["g"], "extra": {{"k": ["v"]}}}}}}}})",
                                   token));
  }
  const bool allowed = spec.at("user") == "prometheus";
  return Answer(201, fmt::format(R"({{"status": {{"allowed": {}}}}})", allowed));
}

class TokenReviewerTest : public ::testing::Test {
 protected:
  explicit TokenReviewerTest(ScriptedServer::Script script = AnswerReview,
                             TokenReviewer::Options options = {})
      : server_(std::move(script)),
        client_(std::make_unique<HttpClient>(AccessTo(server_.url()), HttpOptions())),
        reviewer_(*client_, WithWarn(std::move(options))) {}
  ~TokenReviewerTest() override { client_.reset(); }

  TokenReviewer::Options WithWarn(TokenReviewer::Options options) {
    options.warn = [this](const std::string& line) { warnings_.Add(line); };
    return options;
  }
  // "KIND why", when it is there.
  std::string Verdict(const std::string& token, const std::string& path = "/metrics") {
    const std::size_t before = verdicts_.lines().size();
    reviewer_.Review(token, path, "get", [this](const TokenVerdict& verdict) {
      constexpr const char* kKinds[] = {"allowed", "nobody", "forbidden", "unknown"};
      verdicts_.Add(fmt::format("{} {}", kKinds[static_cast<int>(verdict.kind)], verdict.why));
    });
    EXPECT_TRUE(verdicts_.WaitUntil([&](const auto& lines) { return lines.size() > before; }));
    return verdicts_.lines().back();
  }
  std::vector<std::string> Requests() const {
    std::vector<std::string> out;
    for (const ScriptedRequest& request : server_.requests())
      out.push_back(request.method + " " + request.target);
    return out;
  }

  Record verdicts_, warnings_;
  ScriptedServer server_;
  std::unique_ptr<HttpClient> client_;
  TokenReviewer reviewer_;
};

TEST_F(TokenReviewerTest, asks_who_it_is_and_then_whether_they_may) {
  EXPECT_EQ(Verdict("prometheus"), "allowed ");
  ASSERT_THAT(Requests(),
              ElementsAre(std::string("POST ") + kTokens, std::string("POST ") + kRights));
  EXPECT_EQ(json::parse(server_.requests()[0].body),
            json::parse(R"({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview",
                            "spec": {"token": "prometheus"}})"));
  EXPECT_EQ(json::parse(server_.requests()[1].body),
            json::parse(R"({"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
                            "spec": {"user": "prometheus", "uid": "7", "groups": ["g"],
                                     "extra": {"k": ["v"]},
                                     "nonResourceAttributes": {"path": "/metrics", "verb": "get"}}})"));
}

TEST_F(TokenReviewerTest, tells_somebody_without_the_right_which_one_it_is) {
  EXPECT_EQ(Verdict("tenant"),
            "forbidden tenant may not get /metrics: expected a ClusterRole with nonResourceURLs "
            "[/metrics] and verbs [get]");
}

TEST_F(TokenReviewerTest, does_not_ask_for_the_rights_of_nobody) {
  EXPECT_EQ(Verdict("made-up"), "nobody the cluster does not know this token");
  EXPECT_THAT(Requests(), ElementsAre(std::string("POST ") + kTokens));
}

TEST_F(TokenReviewerTest, asks_nothing_about_what_is_no_token) {
  for (const char* none : {"", "a b", "a\nb", "\x80", "a\x01"})
    EXPECT_EQ(Verdict(none), "nobody expected a header Authorization: Bearer TOKEN");
  EXPECT_THAT(Requests(), IsEmpty());
}

TEST_F(TokenReviewerTest, keeps_each_verdict_for_its_token_and_path_alone) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Verdict("prometheus"), "allowed ");
    EXPECT_THAT(Verdict("tenant"), HasSubstr("forbidden"));
    EXPECT_THAT(Verdict("made-up"), HasSubstr("nobody"));
  }
  EXPECT_EQ(Requests().size(), 5U);  // 2 + 2 + 1
  EXPECT_EQ(Verdict("prometheus", "/other"), "allowed ");
  EXPECT_EQ(Requests().size(), 7U);
}

class ShortMemory : public TokenReviewerTest {
 protected:
  ShortMemory()
      : TokenReviewerTest(AnswerReview, {.keep_allowed = std::chrono::seconds(0),
                                         .keep_refused = std::chrono::seconds(0)}) {}
};

TEST_F(ShortMemory, asks_again_when_a_verdict_is_old) {
  EXPECT_EQ(Verdict("prometheus"), "allowed ");
  EXPECT_EQ(Verdict("prometheus"), "allowed ");
  EXPECT_EQ(Requests().size(), 4U);
}

class FewTokens : public TokenReviewerTest {
 protected:
  FewTokens() : TokenReviewerTest(AnswerReview, {.qps = 0.001, .burst = 2}) {}
};

// What somebody with made-up tokens can cost; those that are known are served on.
TEST_F(FewTokens, asks_about_so_many_new_ones_and_no_more) {
  EXPECT_EQ(Verdict("prometheus"), "allowed ");
  EXPECT_THAT(Verdict("made-up"), HasSubstr("nobody"));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(Verdict(fmt::format("made-up-{}", i)),
              "unknown too many tokens that were not seen before; ask again");
  }
  EXPECT_EQ(Verdict("prometheus"), "allowed ");
  EXPECT_EQ(Requests().size(), 3U);
}

class NoRule : public TokenReviewerTest {
 protected:
  NoRule()
      : TokenReviewerTest([](const ScriptedRequest&) {
          return Answer(
              403,
              R"({"message": "tokenreviews.authentication.k8s.io is forbidden: User \"s\" cannot create resource \"tokenreviews\" in API group \"authentication.k8s.io\" at the cluster scope"})");
        }) {}
};

// The log and /readyz say why, the stranger is not told.
TEST_F(NoRule, is_told_in_the_log_once_and_lets_nobody_in) {
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(Verdict("prometheus"),
              "unknown the API server could not be asked who you are; ask again");
  ASSERT_EQ(warnings_.lines().size(), 1U);
  EXPECT_THAT(warnings_.lines().front(), HasSubstr("cannot create resource \"tokenreviews\""));
  EXPECT_THAT(client_->missing_rules()->Current(MissingRules::Clock::now()),
              ElementsAre("cannot create resource \"tokenreviews\" in API group "
                          "\"authentication.k8s.io\""));
}

class OddAnswers : public TokenReviewerTest {
 protected:
  OddAnswers()
      : TokenReviewerTest([](const ScriptedRequest& request) {
          constexpr const char* kBodies[] = {
              "",
              "[]",
              "{}",
              R"({"status": {"authenticated": true}})",
              R"({"status": {"authenticated": "true", "user": {"username": "u"}}})",
              R"({"status": {"authenticated": true, "user": {"username": ""}}})",
              R"({"status": {"authenticated": true, "user": ["username"]}})"};
          return Answer(201, kBodies[request.number % std::size(kBodies)]);
        }) {}
};

TEST_F(OddAnswers, let_nobody_in) {
  for (int i = 0; i < 7; ++i) {
    const std::string said = Verdict(fmt::format("t{}", i));
    EXPECT_TRUE(said.starts_with("nobody") || said.starts_with("unknown")) << said;
  }
}

}  // namespace
}  // namespace batholith
