// Patches of statuses, labels and marks on a scripted server.
#include "client/write/status_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "test/client/client_env.h"
#include "test/client/scripted_server.h"

namespace batholith {
namespace {

namespace json = boost::json;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A writer on a server that gives each patch the next of the answers, and 200 after them.
class Writer {
 public:
  explicit Writer(std::vector<Actions> answers)
      : answers_(std::move(answers)),
        server_([this](const ScriptedRequest& r) -> Actions {
          if (r.method != "PATCH") return Answer(200, "{}");
          bodies_.Add(r.body);
          const std::size_t turn = turn_++;
          return turn < answers_.size() ? answers_[turn] : Answer(200, "{}");
        }),
        client_(std::make_unique<HttpClient>(AccessTo(server_.url()), HttpOptions())),
        writer_(*client_, state_,
                {.refused_rest = std::chrono::milliseconds(20),
                 .first_backoff = std::chrono::milliseconds(1),
                 .may_send = [] { return true; },
                 .warn = [this](const std::string& line) { warnings_.Add(line); },
                 .answered = [this] { answered_.Add("answered"); }}) {}
  ~Writer() { client_.reset(); }

  void Write(const std::string& body, bool keep) {
    Patch patch{"/api/v1/namespaces/ns/pods/p", "x", json::parse(body).as_object()};
    patch.keep = keep;
    Record done;
    client_->Post([&] {
      writer_.Write("Pod", "ns/p", std::move(patch));
      done.Add("done");
    });
    EXPECT_TRUE(done.WaitForLine("done"));
  }
  // What was sent by when so many were answered.
  std::vector<std::string> Sent(std::size_t answers) {
    EXPECT_TRUE(answered_.WaitUntil([&](const auto& lines) { return lines.size() >= answers; }));
    return bodies_.lines();
  }
  void Open(const std::string& gate) { server_.Open(gate); }
  bool Came(std::size_t count) {
    return bodies_.WaitUntil([&](const auto& lines) { return lines.size() >= count; });
  }
  std::vector<std::string> warnings() const { return warnings_.lines(); }

 private:
  const std::vector<Actions> answers_;
  std::size_t turn_ = 0;  // the script is called by one thread at a time
  Record bodies_, warnings_, answered_;
  ServerState state_;
  ScriptedServer server_;
  std::unique_ptr<HttpClient> client_;
  StatusWriter writer_;
};

const std::string kNomination = R"({"status":{"nominatedNodeName":"n1"}})";
const std::string kCondition = R"({"status":{"conditions":[]}})";
const std::string kLabel = R"({"metadata":{"uid":"u","labels":{"a":"b"}}})";

TEST(StatusWriter, a_late_nomination_is_not_worth_a_word_and_any_other_422_is) {
  const std::string late = "status.nominatedNodeName: Forbidden: the pod has a node";
  Writer hushed({Says(422, late)});
  hushed.Write(kNomination, false);
  hushed.Sent(1);
  EXPECT_THAT(hushed.warnings(), IsEmpty());
  for (const auto& [body, message] : {std::pair{kNomination, std::string("metadata.labels: bad")},
                                      {kCondition, late},
                                      {kLabel, std::string("metadata.labels: bad")}}) {
    Writer told({Says(422, message)});
    told.Write(body, false);
    told.Sent(1);
    EXPECT_THAT(told.warnings(), ElementsAre(HasSubstr("422: " + message))) << body;
  }
}

TEST(StatusWriter, what_is_kept_is_sent_until_the_server_takes_it) {
  Writer writer({Says(500, "oh"), {Reset()}, Says(403, "no rule yet")});
  writer.Write(kLabel, true);
  EXPECT_THAT(writer.Sent(4), ElementsAre(kLabel, kLabel, kLabel, kLabel));
  EXPECT_THAT(writer.warnings(), ElementsAre(HasSubstr("403")));
}

TEST(StatusWriter, what_is_kept_of_an_object_that_is_gone_is_forgotten) {
  for (const int status : {404, 409}) {
    Writer writer({Says(status, "gone")});
    writer.Write(kLabel, true);
    writer.Sent(1);
    writer.Write(kCondition, false);
    EXPECT_THAT(writer.Sent(2), ElementsAre(kLabel, kCondition)) << status;
    EXPECT_THAT(writer.warnings(), IsEmpty());
  }
}

TEST(StatusWriter, a_later_word_waits_for_the_one_under_way_and_is_joined_with_what_failed) {
  Writer writer({{WaitFor("first"), Says(500, "oh").front()}});
  writer.Write(kLabel, true);
  ASSERT_TRUE(writer.Came(1));
  writer.Write(R"({"metadata":{"uid":"u","labels":{"c":"d"}}})", true);
  writer.Write(R"({"metadata":{"uid":"u","labels":{"c":"e"}}})", true);
  writer.Open("first");
  EXPECT_THAT(writer.Sent(2),
              ElementsAre(kLabel, R"({"metadata":{"uid":"u","labels":{"a":"b","c":"e"}}})"));
}

TEST(StatusWriter, what_is_kept_of_a_pod_is_nothing_to_another_of_its_name) {
  Writer writer({{WaitFor("first"), Says(500, "oh").front()}});
  writer.Write(kLabel, true);
  ASSERT_TRUE(writer.Came(1));
  const std::string other = R"({"metadata":{"uid":"v","labels":{"c":"d"}}})";
  writer.Write(other, true);
  writer.Open("first");
  EXPECT_THAT(writer.Sent(2), ElementsAre(kLabel, other));
}

}  // namespace
}  // namespace batholith
