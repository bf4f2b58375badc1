// Commands for queues on a scripted server.
#include "client/write/queue_commands.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "test/client/watch_env.h"

namespace batholith {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

using Lines = std::vector<std::string>;

const std::string kCommands = "/apis/bus.volcano.sh/v1alpha1/commands";

std::string Command(const std::string& name, const std::string& action, const std::string& queue,
                    const std::string& kind = "Queue") {
  return fmt::format(
      R"({{"apiVersion":"bus.volcano.sh/v1alpha1","kind":"Command","metadata":{{"namespace":"ns",)"
      R"("name":"{}","uid":"u{}","resourceVersion":"5"}},"action":"{}","target":{{"kind":"{}",)"
      R"("name":"{}"}}}})",
      name, name, action, kind, queue);
}

// A server with these commands, and what it is asked to write as lines.
class Obeying {
 public:
  explicit Obeying(Lines commands, std::map<std::string, Actions> deletes = {})
      : commands_(std::move(commands)),
        deletes_(std::move(deletes)),
        server_([this](const ScriptedRequest& r) { return Handle(r); }),
        client_(std::make_unique<HttpClient>(AccessTo(server_.url()), HttpOptions())),
        obeys_(*client_, state_,
               {.watch = QuickOptions(),
                .may_send = [] { return true; },
                .warn = [this](const std::string& line) { warnings_.Add(line); },
                .retry = std::chrono::milliseconds(1)}) {}
  ~Obeying() { client_.reset(); }

  Obeying& Queue(const std::string& name, const std::string& state, const std::string& parent = "",
                 const std::string& by_parent = "") {
    SeenObject seen;
    seen.path = "/queues/" + name;
    seen.name = name;
    seen.uid = "u";
    seen.parent = parent;
    seen.status = {{"state", state}, {"allocated", json::object()}};
    if (!by_parent.empty()) seen.annotations[kClosedByParent] = by_parent;
    state_.Record("Queue", name, seen);
    return *this;
  }
  // Reads the commands, then a session with so many pod groups comes round.
  void Session(const std::map<std::string, std::int32_t>& jobs) {
    client_->Post([this] { obeys_.Start(); });
    ASSERT_TRUE(lists_.WaitForLine("watch"));
    OnClient([&] { obeys_.Pump(jobs); });
  }
  void Pump(const std::map<std::string, std::int32_t>& jobs) {
    OnClient([&] { obeys_.Pump(jobs); });
  }
  // What was written, once there is so much.
  Lines Written(std::size_t count) {
    EXPECT_TRUE(written_.WaitUntil([&](const auto& lines) { return lines.size() >= count; }));
    OnClient([] {});
    return written_.lines();
  }
  const Record& warnings() const { return warnings_; }

 private:
  Actions Handle(const ScriptedRequest& r) {
    if (r.method == "GET") {
      if (!IsWatch(r)) return Answer(200, ListText(5, commands_));
      lists_.Add("watch");
      return OpenWatch({});
    }
    std::string line = r.method + " " + r.path();
    if (r.method == "PATCH") {
      const json::value body = json::parse(r.body);
      const json::value* status = body.as_object().if_contains("status");
      line += " " +
              json::serialize(status == nullptr ? body.at("metadata").at("annotations") : *status);
    }
    written_.Add(line);
    const auto answer = deletes_.find(r.path().substr(r.path().rfind('/') + 1));
    if (answer != deletes_.end() && r.number == 0) return answer->second;
    return Answer(200, "{}");
  }
  void OnClient(const std::function<void()>& work) {
    Record done;
    client_->Post([&] {
      work();
      done.Add("done");
    });
    EXPECT_TRUE(done.WaitForLine("done"));
  }

  const Lines commands_;
  const std::map<std::string, Actions> deletes_;
  Record lists_, written_, warnings_;
  ServerState state_;
  ScriptedServer server_;
  std::unique_ptr<HttpClient> client_;
  QueueCommands obeys_;
};

std::string Deleted(const std::string& name) {
  return "DELETE /apis/bus.volcano.sh/v1alpha1/namespaces/ns/commands/" + name;
}
std::string Becomes(const std::string& queue, const std::string& state) {
  return "PATCH /queues/" + queue + R"(/status {"state":")" + state + "\"}";
}
std::string Marked(const std::string& queue, const char* value) {
  return "PATCH /queues/" + queue + R"( {"volcano.sh/closed-by-parent":)" + value + "}";
}

TEST(QueueCommands, the_command_is_deleted_and_then_the_queue_closed) {
  Obeying server({Command("c", "CloseQueue", "q")});
  server.Queue("q", "Open").Session({{"q", 0}});
  EXPECT_THAT(server.Written(2), ElementsAre(Deleted("c"), Becomes("q", "Closed")));
}

TEST(QueueCommands, a_queue_is_closing_while_pod_groups_name_it) {
  Obeying server({Command("c", "CloseQueue", "q")});
  server.Queue("q", "Open").Session({{"q", 2}});
  EXPECT_THAT(server.Written(2), ElementsAre(Deleted("c"), Becomes("q", "Closing")));
  server.Pump({{"q", 1}});
  server.Pump({{"q", 0}});
  server.Pump({{"q", 0}});
  EXPECT_THAT(server.Written(3),
              ElementsAre(Deleted("c"), Becomes("q", "Closing"), Becomes("q", "Closed")));
}

TEST(QueueCommands, a_closed_queue_is_opened) {
  for (const char* state : {"Closed", "Closing"}) {
    Obeying server({Command("c", "OpenQueue", "q")});
    server.Queue("q", state).Session({{"q", 1}});
    EXPECT_THAT(server.Written(2), ElementsAre(Deleted("c"), Becomes("q", "Open")));
  }
}

TEST(QueueCommands, what_somebody_else_deleted_is_somebody_elses_and_no_answer_is_asked_again) {
  Obeying server({Command("theirs", "CloseQueue", "q"), Command("ours", "CloseQueue", "r")},
                 {{"theirs", Answer(404, "{}")}, {"ours", Answer(503, "{}")}});
  server.Queue("q", "Open").Queue("r", "Open").Session({});
  EXPECT_THAT(server.Written(4), UnorderedElementsAre(Deleted("theirs"), Deleted("ours"),
                                                      Deleted("ours"), Becomes("r", "Closed")));
}

TEST(QueueCommands, closing_closes_the_queues_below_and_opening_opens_those) {
  Obeying closing({Command("c", "CloseQueue", "a")});
  closing.Queue("a", "Open").Queue("b", "Open", "a").Queue("c", "Closed", "a");
  closing.Queue("d", "Open", "b").Queue("other", "Open");
  closing.Session({{"a", 0}, {"b", 0}, {"d", 1}});
  EXPECT_THAT(closing.Written(6),
              UnorderedElementsAre(Deleted("c"), Becomes("a", "Closed"), Marked("b", "\"true\""),
                                   Becomes("b", "Closed"), Marked("d", "\"true\""),
                                   Becomes("d", "Closing")));
  Obeying opening({Command("c", "OpenQueue", "a")});
  opening.Queue("a", "Closed").Queue("b", "Closed", "a", "true").Queue("c", "Closed", "a");
  opening.Session({});
  EXPECT_THAT(opening.Written(4), UnorderedElementsAre(Deleted("c"), Becomes("a", "Open"),
                                                       Marked("b", "null"), Becomes("b", "Open")));
}

TEST(QueueCommands, what_volcanos_controller_marked_as_opened_is_not_opened_again) {
  Obeying opening({Command("c", "OpenQueue", "a")});
  opening.Queue("a", "Closed").Queue("b", "Closed", "a", "false").Session({});
  EXPECT_THAT(opening.Written(2), ElementsAre(Deleted("c"), Becomes("a", "Open")));
}

TEST(QueueCommands, root_stays_open_and_below_a_closed_parent_nothing_is_opened) {
  Obeying root({Command("c", "CloseQueue", "root")});
  root.Queue("root", "Open").Session({});
  EXPECT_TRUE(root.warnings().WaitForLine("a command asks to close queue root, which stays open"));
  Obeying below({Command("c", "OpenQueue", "b")});
  below.Queue("a", "Closing").Queue("b", "Closed", "a").Session({});
  EXPECT_TRUE(
      below.warnings().WaitForLine("queue b stays closed: its parent a is; open that first"));
  EXPECT_THAT(below.Written(1), ElementsAre(Deleted("c")));
}

TEST(QueueCommands, commands_for_jobs_and_other_actions_are_left_alone) {
  Obeying server({Command("job", "AbortJob", "j", "Job"), Command("sync", "SyncQueue", "q"),
                  Command("gone", "CloseQueue", "nope")});
  server.Queue("q", "Open").Session({});
  EXPECT_TRUE(server.warnings().WaitForLine("a command asks for queue nope, which is not there"));
  EXPECT_THAT(server.Written(1), ElementsAre(Deleted("gone")));
}

}  // namespace
}  // namespace batholith
