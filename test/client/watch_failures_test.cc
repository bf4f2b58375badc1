// A watch on a server that breaks: what it tells, how often it asks, and that it comes back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/client/watch_env.h"

namespace batholith {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Lines = std::vector<std::string>;

const std::string kEvent = EventText("ADDED", ObjectText("b", 8));

// What goes wrong once, at the list or at the first watch; then all is well.
struct Break {
  std::string name;
  bool at_list = false;
  Actions actions;
  std::string why;
};

std::vector<Break> ListBreaks() {
  return {
      {"list reset", true, {Reset()}, "/apis/x/v1/things: "},
      {"list closed", true, {Close()}, "/apis/x/v1/things: "},
      {"half a list", true, {Head(200), Chunk(R"({"kind":)"), Reset()}, "/apis/x/v1/things: "},
      {"list is not JSON", true, Answer(200, "<html>"), "list: no JSON"},
      {"list is cut", true, Answer(200, "{\"kind\":"), "list: ends too early"},
      {"list is a number", true, Answer(200, "7"), "list: "},
      {"list without a version", true, Answer(200, "{}"), "metadata.resourceVersion: is missing"},
      {"items are no list", true, Answer(200, R"({"metadata":{"resourceVersion":"1"},"items":{}})"),
       "items: must be a list"},
      {"item without a name", true,
       Answer(
           200,
           R"({"metadata":{"resourceVersion":"1"},"items":[{"metadata":{"resourceVersion":"1"}}]})"),
       "metadata.name: is missing"},
      {"list 500", true, Answer(500, "oh"), "list: 500: oh"},
      {"list 401", true, Answer(401, R"({"message":"Unauthorized"})"), "list: 401: Unauthorized"},
      {"list 429", true, Answer(429, ""), "list: 429: "},
  };
}

std::vector<Break> WatchBreaks() {
  const std::string half = kEvent.substr(0, 20);
  return {
      {"watch reset", false, {Reset()}, "/apis/x/v1/things: "},
      {"watch reset after its head", false, {Head(200), Reset()}, "/apis/x/v1/things: "},
      {"half an event", false, {Head(200), Chunk(half), Reset()}, "/apis/x/v1/things: "},
      {"half an event, then an end", false, {Head(200), Chunk(half), Last()}, "inside an event"},
      {"half a chunk", false, {Head(200), Raw("ff\r\n" + half), Close()}, "/apis/x/v1/things: "},
      {"garbage", false, {Head(200), Chunk("garbage\n"), WaitFor("end")}, "watch: no JSON"},
      {"event without an object",
       false,
       {Head(200), Chunk("{\"type\":\"ADDED\"}\n"), WaitFor("end")},
       "object: is missing"},
      {"event of no known type",
       false,
       {Head(200), Chunk(EventText("GONE", ObjectText("b", 8))), WaitFor("end")},
       "not a type of an event"},
      {"object without metadata",
       false,
       {Head(200), Chunk(EventText("ADDED", "{}")), WaitFor("end")},
       "metadata.resourceVersion: is missing"},
      {"an error",
       false,
       {Head(200), Chunk(ErrorText(500)), WaitFor("end")},
       "watch: 500: it broke"},
      {"an error that is no status",
       false,
       {Head(200), Chunk(EventText("ERROR", "7")), WaitFor("end")},
       "must be an object"},
      {"watch 500", false, Answer(500, ""), "watch: 500"},
      {"watch 400", false, Answer(400, ""), "watch: 400"},
  };
}

class WatchFailures : public ::testing::TestWithParam<Break> {};

TEST_P(WatchFailures, are_told_and_the_watch_comes_back) {
  const Break& one = GetParam();
  ScriptedServer server([&, broken = false](const ScriptedRequest& request) mutable {
    if (IsWatch(request) != one.at_list && !std::exchange(broken, true)) return one.actions;
    if (IsWatch(request)) return OpenWatch({kEvent});
    // libcurl itself asks again where a connection that was kept is closed.
    return Answer(200, ListText(7, {ObjectText("a", 3)}), "Connection: close\r\n");
  });
  const WatchRun run(server.url(), QuickOptions());
  ASSERT_TRUE(run.told().WaitUntil([](const Lines& lines) {
    return std::ranges::count(lines, "put ns/b 8") == 1 &&
           std::ranges::count(lines, "state failing") == 1;
  }));
  const Lines lines = run.told().lines();
  EXPECT_EQ(std::ranges::count(lines, "put ns/a 3"), 1);
  EXPECT_EQ(std::ranges::count(lines, "gone ns/a ua"), 0);
  const auto failing = std::ranges::find(lines, "state failing");
  EXPECT_NE(std::find(failing, lines.end(), "state synced"), lines.end());
  bool is_said = false;
  for (const std::string& why : run.whys().lines())
    is_said |= why.starts_with("Thing.x: ") && why.contains(one.why);
  EXPECT_TRUE(is_said) << run.whys().lines()[1];
}

std::string CaseName(const ::testing::TestParamInfo<Break>& info) {
  std::string name = info.param.name;
  std::ranges::replace_if(name, [](char c) { return c == ' ' || c == ','; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(OfLists, WatchFailures, ::testing::ValuesIn(ListBreaks()), CaseName);
INSTANTIATE_TEST_SUITE_P(OfWatches, WatchFailures, ::testing::ValuesIn(WatchBreaks()), CaseName);

TEST(WatchOnBrokenServer, a_broken_connection_resumes_without_a_list) {
  ScriptedServer server([](const ScriptedRequest& request) -> Actions {
    if (!IsWatch(request)) return Answer(200, ListText(7, {}));
    if (request.number == 1)
      return {Head(200), Chunk(EventText("ADDED", ObjectText("a", 8))), Close()};
    return OpenWatch({EventText("ADDED", ObjectText("b", 9))});
  });
  const WatchRun run(server.url(), QuickOptions());
  ASSERT_TRUE(run.told().WaitForLine("put ns/b 9"));
  EXPECT_EQ(server.requests().size(), 3U);
  EXPECT_EQ(server.requests()[2].Query("resourceVersion"), "8");
}

TEST(WatchOnBrokenServer, a_server_that_is_not_there_is_tried_again) {
  const WatchRun run(DeadUrl(), QuickOptions());
  ASSERT_TRUE(run.told().WaitForLine("state failing"));
  EXPECT_THAT(run.whys().lines()[1], HasSubstr("Thing.x: GET http://127.0.0.1:"));
}

// Waits of 4, 8, 16, 32, 32, 32 ms at most, half of that at least: 62 ms for six tries.
TEST(WatchOnBrokenServer, a_burst_of_errors_is_asked_ever_more_rarely) {
  ScriptedServer server([](const ScriptedRequest& request) {
    return request.number == 6 ? Actions{WaitFor("end")} : Answer(500, "");
  });
  WatchOptions options = QuickOptions();
  options.first_backoff = std::chrono::milliseconds(4);
  options.max_backoff = std::chrono::milliseconds(32);
  const auto begin = std::chrono::steady_clock::now();
  Record last;
  const WatchRun run(server.url(), options);
  while (server.requests().size() < 7) {
    ASSERT_LT(std::chrono::steady_clock::now() - begin, kPatience);
    std::this_thread::yield();
  }
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(62));
  EXPECT_THAT(run.told().lines(), ElementsAre("state syncing", "state failing"));
}

TEST(WatchOnBrokenServer, retry_after_is_waited_for) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (request.number == 0) return Answer(429, "", "Retry-After: 1\r\n");
    return IsWatch(request) ? OpenWatch({}) : Answer(200, ListText(7, {}));
  });
  const auto begin = std::chrono::steady_clock::now();
  const WatchRun run(server.url(), QuickOptions());
  ASSERT_TRUE(run.told().WaitForLine("state synced"));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(WatchOnBrokenServer, a_silent_watch_is_given_up_and_resumed) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (!IsWatch(request)) return Answer(200, ListText(7, {}));
    if (request.number == 1) return OpenWatch({BookmarkText(9)});
    return OpenWatch({EventText("ADDED", ObjectText("a", 10))});
  });
  HttpOptions http;
  http.idle_timeout = std::chrono::seconds(1);
  const WatchRun run(server.url(), QuickOptions(), http);
  ASSERT_TRUE(run.told().WaitForLine("put ns/a 10"));
  EXPECT_EQ(server.requests()[2].Query("resourceVersion"), "9");
  EXPECT_THAT(run.whys().lines()[2], HasSubstr("silent for 1 s"));
}

// Each watch ends at once and says nothing: the pauses keep the number of requests down.
TEST(WatchOnBrokenServer, watches_that_end_at_once_are_not_asked_for_without_a_pause) {
  ScriptedServer server([](const ScriptedRequest& request) -> Actions {
    if (!IsWatch(request)) return Answer(200, ListText(7, {}));
    return {Head(200), Last()};
  });
  WatchOptions options = QuickOptions();
  options.first_backoff = options.max_backoff = std::chrono::milliseconds(200);
  const auto begin = std::chrono::steady_clock::now();
  const WatchRun run(server.url(), options);
  ASSERT_TRUE(run.told().WaitForLine("state synced"));
  while (server.requests().size() < 4) {
    ASSERT_LT(std::chrono::steady_clock::now() - begin, kPatience);
    std::this_thread::yield();
  }
  // The third watch came after two waits of at least 100 ms.
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(200));
  EXPECT_THAT(run.told().lines(), ElementsAre("state syncing", "state synced"));
}

TEST(WatchOnBrokenServer, nothing_is_told_after_the_watch_is_gone) {
  ScriptedServer server([](const ScriptedRequest& request) -> Actions {
    if (!IsWatch(request)) return Answer(200, ListText(7, {}));
    return {Head(200), Chunk(BookmarkText(8)), WaitFor("late"),
            Chunk(EventText("ADDED", ObjectText("late", 9))), WaitFor("end")};
  });
  WatchRun run(server.url(), QuickOptions());
  ASSERT_TRUE(run.told().WaitForLine("state synced"));
  run.Drop();
  server.Open("late");
  // What comes back after the event would have come after it.
  HttpRequest request;
  request.path = kThings;
  ASSERT_TRUE(run.client().SendAndWait(request));
  EXPECT_THAT(run.told().lines(), ElementsAre("state syncing", "state synced"));
}

}  // namespace
}  // namespace batholith
