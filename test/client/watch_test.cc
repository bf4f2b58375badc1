// List and watch against a server that keeps Kubernetes' rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/client/watch_env.h"

namespace batholith {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Lines = std::vector<std::string>;

TEST(Watch, lists_pages_then_watches_from_the_version_of_the_list) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (IsWatch(request)) return OpenWatch({EventText("ADDED", ObjectText("c", 9))});
    if (request.Query("continue").empty())
      return Answer(200, ListText(7, {ObjectText("a", 3)}, "to/ken"));
    return Answer(200, ListText(7, {ObjectText("b", 5)}));
  });
  WatchOptions options = QuickOptions();
  options.page_size = 1;
  const WatchRun run(server.url(), options);
  ASSERT_TRUE(run.told().WaitForLine("put ns/c 9"));
  EXPECT_THAT(run.told().lines(), ElementsAre("state syncing", "put ns/a 3", "put ns/b 5",
                                              "state synced", "put ns/c 9"));
  const std::vector<ScriptedRequest> requests = server.requests();
  EXPECT_EQ(requests[0].target, kThings + "?limit=1&resourceVersion=0");
  EXPECT_EQ(requests[1].target, kThings + "?limit=1&continue=to%2Fken");
  EXPECT_EQ(requests[2].Query("resourceVersion"), "7");
  EXPECT_EQ(requests[2].Query("allowWatchBookmarks"), "true");
  const int timeout = std::stoi(requests[2].Query("timeoutSeconds"));
  EXPECT_TRUE(timeout >= 300 && timeout <= 600) << timeout;
}

TEST(Watch, items_of_built_in_lists_get_the_kind_of_the_list) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (IsWatch(request)) return OpenWatch({});
    return Answer(200, R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},)"
                       R"("items":[{"metadata":{"name":"p","resourceVersion":"1"}}]})");
  });
  Record kinds;
  HttpClient client(AccessTo(server.url()), {});
  WatchListener listener;
  listener.on_put = [&](boost::json::value&& object) {
    kinds.Add(std::string(object.at("kind").as_string()) + " " +
              std::string(object.at("apiVersion").as_string()));
  };
  listener.on_gone = [](const std::string&, const std::string&) {};
  WatchTarget target;
  target.path = "/api/v1/pods";
  auto watch = std::make_unique<Watch>(client, target, QuickOptions(), listener);
  watch->Start();
  EXPECT_TRUE(kinds.WaitForLine("Pod v1"));
  // Its owner lets go of it on the client's thread.
  Record gone;
  client.Post([&] {
    watch.reset();
    gone.Add("gone");
  });
  EXPECT_TRUE(gone.WaitForLine("gone"));
}

TEST(Watch, deletes_name_the_object_and_the_same_version_is_told_once) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (!IsWatch(request)) return Answer(200, ListText(7, {ObjectText("a", 3)}));
    return OpenWatch(
        {EventText("ADDED", ObjectText("a", 3)), EventText("MODIFIED", ObjectText("a", 8)),
         EventText("DELETED", ObjectText("a", 9)), EventText("DELETED", ObjectText("x", 9)),
         EventText("ADDED", ObjectText("a", 10, "another")),
         EventText("ADDED", ObjectText("a", 11, "third"))});
  });
  const WatchRun run(server.url(), QuickOptions());
  ASSERT_TRUE(run.told().WaitForLine("put ns/a 11"));
  // The third "a" shows that the second went away, although no event said so.
  EXPECT_THAT(run.told().lines(),
              ElementsAre("state syncing", "put ns/a 3", "state synced", "put ns/a 8",
                          "gone ns/a ua", "put ns/a 10", "gone ns/a another", "put ns/a 11"));
}

TEST(Watch, resumes_after_the_end_from_the_last_bookmark_without_a_list) {
  ScriptedServer server([](const ScriptedRequest& request) -> Actions {
    if (!IsWatch(request)) return Answer(200, ListText(7, {}));
    if (request.number == 1)
      return {Head(200), Chunk(EventText("ADDED", ObjectText("a", 8))), Last()};
    if (request.number == 2) return {Head(200), Chunk(BookmarkText(20)), Last()};
    return OpenWatch({EventText("ADDED", ObjectText("b", 21))});
  });
  const WatchRun run(server.url(), QuickOptions());
  ASSERT_TRUE(run.told().WaitForLine("put ns/b 21"));
  EXPECT_THAT(run.told().lines(),
              ElementsAre("state syncing", "state synced", "put ns/a 8", "put ns/b 21"));
  Lines versions;
  for (const ScriptedRequest& request : server.requests())
    versions.push_back(request.Query("resourceVersion"));
  EXPECT_THAT(versions, ElementsAre("0", "7", "8", "20"));
}

TEST(Watch, streams_the_list_and_watches_on_in_the_same_stream) {
  ScriptedServer server([](const ScriptedRequest& request) -> Actions {
    if (IsInitial(request)) {
      return {Head(200), Chunk(EventText("ADDED", ObjectText("b", 9))),
              Chunk(EventText("ADDED", ObjectText("a", 3)) + BookmarkText(12, true)),
              Chunk(EventText("MODIFIED", ObjectText("a", 13))), Last()};
    }
    return OpenWatch({EventText("ADDED", ObjectText("c", 14))});
  });
  WatchOptions options = QuickOptions();
  options.stream_list = true;
  const WatchRun run(server.url(), options);
  ASSERT_TRUE(run.told().WaitForLine("put ns/c 14"));
  EXPECT_THAT(run.told().lines(), ElementsAre("state syncing", "put ns/b 9", "put ns/a 3",
                                              "state synced", "put ns/a 13", "put ns/c 14"));
  const std::vector<ScriptedRequest> requests = server.requests();
  EXPECT_EQ(requests[0].Query("resourceVersionMatch"), "NotOlderThan");
  EXPECT_EQ(requests[0].Query("allowWatchBookmarks"), "true");
  EXPECT_EQ(requests[1].Query("resourceVersion"), "13");
}

// Servers that do not know it refuse it, or take it for a watch.
TEST(Watch, lists_where_the_server_has_no_streaming_list) {
  const std::vector<Actions> refusals{
      Answer(422, R"({"kind":"Status","code":422,"message":"sendInitialEvents is forbidden"})"),
      Answer(400, ""),
      {Head(200), Chunk(EventText("ADDED", ObjectText("early", 1))), Last()},
      {Head(200), Chunk(BookmarkText(1)), WaitFor("end")},
  };
  for (const Actions& refusal : refusals) {
    ScriptedServer server([&](const ScriptedRequest& request) {
      if (IsInitial(request)) return refusal;
      if (IsWatch(request)) return OpenWatch({});
      return Answer(200, ListText(7, {ObjectText("a", 3)}));
    });
    WatchOptions options = QuickOptions();
    options.stream_list = true;
    const WatchRun run(server.url(), options);
    ASSERT_TRUE(run.told().WaitForLine("state synced"));
    EXPECT_THAT(server.requests()[1].target, HasSubstr("resourceVersion=0"));
  }
}

// a is deleted in the gap, b changes, c stays, d comes.
TEST(Watch, a_version_that_expired_lists_again_and_computes_what_went_away) {
  const std::vector<Actions> expiries{
      Answer(410, R"({"kind":"Status","code":410,"reason":"Expired","message":"too old"})"),
      {Head(200), Chunk(ErrorText(410, "Expired")), WaitFor("end")},
      // A restored backup: the version is beyond the newest one.
      Answer(504, R"({"kind":"Status","code":504,"message":"Too large resource version",)"
                  R"("details":{"causes":[{"reason":"ResourceVersionTooLarge"}]}})"),
  };
  for (const Actions& expiry : expiries) {
    ScriptedServer server([&](const ScriptedRequest& request) {
      if (IsWatch(request)) return request.number == 1 ? expiry : OpenWatch({});
      if (request.number == 0)
        return Answer(200,
                      ListText(7, {ObjectText("a", 3), ObjectText("b", 4), ObjectText("c", 5)}));
      return Answer(200,
                    ListText(30, {ObjectText("b", 20), ObjectText("c", 5), ObjectText("d", 21)}));
    });
    const WatchRun run(server.url(), QuickOptions());
    ASSERT_TRUE(run.told().WaitUntil([](const Lines& lines) {
      return std::ranges::count(lines, "gone ns/a ua") == 1 && lines.back() == "state synced";
    }));
    const Lines lines = run.told().lines();
    const auto again = std::ranges::find(lines, "put ns/b 20");
    EXPECT_THAT(Lines(again, lines.end()),
                ElementsAre("put ns/b 20", "put ns/d 21", "gone ns/a ua", "state synced"));
    EXPECT_EQ(*(again - 1), "state syncing");
    // The newest list: the server's cache may be as old as what is known.
    EXPECT_EQ(server.requests()[2].Query("resourceVersion"), "");
  }
}

TEST(Watch, an_expired_streaming_list_is_streamed_again) {
  ScriptedServer server([](const ScriptedRequest& request) -> Actions {
    if (IsInitial(request) && request.number == 0)
      return OpenWatch(
          {EventText("ADDED", ObjectText("a", 3)), BookmarkText(5, true), ErrorText(410)});
    return OpenWatch({EventText("ADDED", ObjectText("b", 9)), BookmarkText(12, true)});
  });
  WatchOptions options = QuickOptions();
  options.stream_list = true;
  const WatchRun run(server.url(), options);
  ASSERT_TRUE(run.told().WaitForLine("gone ns/a ua"));
  EXPECT_TRUE(IsInitial(server.requests()[1]));
}

TEST(Watch, pages_that_expire_are_listed_again_as_a_whole) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (IsWatch(request)) return OpenWatch({});
    if (!request.Query("continue").empty()) return Answer(410, "{}");
    if (request.Query("limit").empty()) return Answer(200, ListText(9, {ObjectText("b", 5)}));
    return Answer(200, ListText(7, {ObjectText("a", 3)}, "more"));
  });
  const WatchRun run(server.url(), QuickOptions());
  ASSERT_TRUE(run.told().WaitForLine("state synced"));
  EXPECT_THAT(run.told().lines(), ElementsAre("state syncing", "put ns/a 3", "put ns/b 5",
                                              "gone ns/a ua", "state synced"));
}

TEST(Watch, a_missing_kind_is_told_once_and_looked_for_again) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (IsWatch(request)) return OpenWatch({});
    if (request.number < 5) return Answer(404, "404 page not found\n");
    return Answer(200, ListText(7, {}));
  });
  const WatchRun run(server.url(), QuickOptions());
  ASSERT_TRUE(run.told().WaitForLine("state synced"));
  EXPECT_THAT(run.told().lines(), ElementsAre("state syncing", "state missing", "state synced"));
  EXPECT_EQ(run.whys().lines()[1],
            "Thing.x: /apis/x/v1/things is not served: 404: 404 page not found");
}

// A server that has just started answers 404 for a moment; only the second one counts.
TEST(Watch, a_kind_with_objects_must_be_missing_twice) {
  ScriptedServer server([](const ScriptedRequest& request) -> Actions {
    switch (request.number) {
      case 0:
        return Answer(200, ListText(7, {ObjectText("a", 3)}));
      case 1:
      case 4:
        return Answer(404, "");
      case 2:
        return Answer(200, ListText(7, {ObjectText("a", 3)}));
      case 3:
        return {Head(200), Chunk(BookmarkText(8)), Last()};
      default:
        return Answer(404, "");
    }
  });
  const WatchRun run(server.url(), QuickOptions());
  ASSERT_TRUE(run.told().WaitForLine("state missing"));
  EXPECT_THAT(run.told().lines(),
              ElementsAre("state syncing", "put ns/a 3", "state synced", "state failing",
                          "state synced", "state failing", "gone ns/a ua", "state missing"));
}

TEST(Watch, a_missing_rule_names_verb_and_resource_and_is_tried_again) {
  for (const bool may_list : {false, true}) {
    ScriptedServer server([&](const ScriptedRequest& request) {
      const bool first = request.number < 4;
      if (IsWatch(request)) return first ? Answer(403, R"({"message":"no"})") : OpenWatch({});
      return may_list || !first ? Answer(200, ListText(7, {})) : Answer(403, R"({"message":"no"})");
    });
    const WatchRun run(server.url(), QuickOptions());
    ASSERT_TRUE(run.told().WaitUntil([&](const Lines& lines) {
      return std::ranges::count(lines, "state forbidden") == 1 && lines.back() == "state synced";
    }));
    const Lines whys = run.whys().lines();
    const std::string verb = may_list ? "watch" : "list";
    EXPECT_EQ(std::ranges::count(whys, "Thing.x: may not " + verb +
                                           " x/things (rules need get, list and watch): no"),
              1);
  }
}

TEST(Watch, a_hundred_thousand_objects_are_told) {
  constexpr int kObjects = 100'000;
  std::vector<std::string> items;
  for (int i = 0; i < kObjects; ++i) items.push_back(ObjectText("o" + std::to_string(i), i + 1));
  const std::string body = ListText(kObjects, items);
  ScriptedServer server([&](const ScriptedRequest& request) {
    return IsWatch(request) ? OpenWatch({}) : Answer(200, body);
  });
  const WatchRun run(server.url(), QuickOptions());
  ASSERT_TRUE(run.told().WaitForLine("state synced"));
  EXPECT_EQ(run.told().lines().size(), kObjects + 2U);
}

}  // namespace
}  // namespace batholith
