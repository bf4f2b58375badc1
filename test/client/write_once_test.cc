// Writes that need no look, and the end of whoever sent one; order_runner_test has those that look.
#include "client/write/write_once.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "client/http/task_owner.h"
#include "test/client/client_env.h"
#include "test/client/scripted_server.h"

namespace batholith {
namespace {

using ::testing::ElementsAre;

// Writes one thing to a server that answers by the script, and tells what came of it.
class OnceWriter {
 public:
  explicit OnceWriter(ScriptedServer::Script script)
      : server_(std::move(script)),
        client_(std::make_unique<HttpClient>(AccessTo(server_.url()), HttpOptions())),
        owner_(std::make_unique<TaskOwner>()) {}
  ~OnceWriter() { client_.reset(); }

  void Start(int tries = 0) {
    client_->Post([this, tries] { owner_->Start(Run(tries)); });
  }
  // On the client's thread, as whoever owns tasks there.
  void EndOwner() {
    client_->Post([this] {
      owner_.reset();
      told_.Add("ended");
    });
  }
  std::size_t Requests() const { return server_.requests().size(); }

  std::atomic<bool> leads_ = true;
  Record told_;
  ScriptedServer server_;

 private:
  Task<> Run(int tries) {
    WriteRequest write;
    write.request.method = "POST";
    write.request.path = "/things";
    WritePolicy policy{.may_send = [this] { return leads_.load(); },
                       .tries = tries,
                       .first_backoff = std::chrono::milliseconds(1),
                       .max_backoff = std::chrono::milliseconds(1)};
    Task<WriteOutcome> writing = WriteOnce(*client_, std::move(write), std::move(policy));
    const WriteOutcome outcome = co_await writing;
    told_.Add(outcome.done ? "done" : fmt::format("{} {}", outcome.status, outcome.why));
  }

  std::unique_ptr<HttpClient> client_;
  std::unique_ptr<TaskOwner> owner_;
};

// These answers one after the other, then 201.
ScriptedServer::Script Answers(std::vector<Actions> answers) {
  return [answers](const ScriptedRequest& r) {
    return r.number < answers.size() ? answers[r.number] : Answer(201, "{}");
  };
}

TEST(WriteOnce, without_a_look_it_is_sent_until_the_server_says_something_to_it) {
  OnceWriter writer(Answers({Says(503), {Reset()}, Says(500), Says(429)}));
  writer.Start();
  EXPECT_TRUE(writer.told_.WaitForLine("done"));
  EXPECT_EQ(writer.Requests(), 5U);
}

TEST(WriteOnce, a_refusal_is_an_answer_and_has_its_status) {
  OnceWriter writer(Answers({Says(503), Says(409)}));
  writer.Start();
  EXPECT_TRUE(writer.told_.WaitForLine("409 409: the server says no"));
  EXPECT_EQ(writer.Requests(), 2U);
}

TEST(WriteOnce, it_is_given_up_after_its_tries_with_the_last_trouble) {
  OnceWriter writer(Answers({Says(503), Says(500), Says(503)}));
  writer.Start(/*tries=*/2);
  EXPECT_TRUE(writer.told_.WaitForLine("0 500: the server says no"));
  EXPECT_EQ(writer.Requests(), 2U);
}

TEST(WriteOnce, it_ends_with_the_lease) {
  OnceWriter writer([&](const ScriptedRequest&) { return Actions{WaitFor("go"), Close()}; });
  writer.Start();
  writer.leads_ = false;
  writer.server_.Open("go");
  EXPECT_TRUE(writer.told_.WaitForLine("0 this replica does not lead any more"));
}

TEST(WriteOnce, an_answer_that_comes_after_its_owner_went_is_told_to_nobody) {
  OnceWriter writer([](const ScriptedRequest& r) {
    Actions answer = Answer(201, "{}");
    if (r.number == 0) answer.insert(answer.begin(), WaitFor("go"));
    return answer;
  });
  writer.Start();
  writer.EndOwner();
  EXPECT_TRUE(writer.told_.WaitForLine("ended"));
  writer.server_.Open("go");
  EXPECT_THAT(writer.told_.lines(), ElementsAre("ended"));
}

}  // namespace
}  // namespace batholith
