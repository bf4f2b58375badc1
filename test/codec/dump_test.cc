#include "codec/dump.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "codec/dump_text.h"
#include "codec/encode.h"
#include "test/codec/decode_env.h"
#include "test/codec/same_objects.h"

namespace batholith {
namespace {

// What the reader says of a dump: its first complaint, or how many sessions there are.
std::string Word(const std::string& text) {
  std::istringstream in(text);
  DumpReader reader(in, "d");
  while (true) {
    const auto dump = reader.Next();
    if (!dump) return dump.error().message;
    if (!*dump) return std::to_string(reader.sessions()) + " sessions";
  }
}

// A session with these items (JSON); `more` stands before them.
std::string Session(std::string_view items, std::string_view more = R"("version":1)") {
  return "{" + std::string(more) +
         R"(,"cycle":1,"now":"2026-01-01T00:00:00Z","conf":"","options":{"schedulerNames":[],)" +
         R"("defaultQueue":"q"},"objects":{"items":[)" + std::string(items) + "]}}\n";
}

std::string Item(std::string_view type, std::string_view meta, std::string_view more = "") {
  return "{" + std::string(type) + R"(,"metadata":{)" + std::string(meta) + "}" +
         std::string(more) + "}";
}

constexpr std::string_view kPod = R"("apiVersion":"v1","kind":"Pod")";
constexpr std::string_view kNode = R"("apiVersion":"v1","kind":"Node")";

TEST(Dump, sessions_stand_one_a_line) {
  EXPECT_EQ(Word(""), "0 sessions");
  EXPECT_EQ(Word(Session("") + "\n  \r\n" + Session("")), "2 sessions");
  std::string last = Session("");
  last.pop_back();  // no end of the line
  EXPECT_EQ(Word(Session("") + last), "2 sessions");
}

TEST(Dump, what_is_broken_is_named_by_line_and_field) {
  const std::string node = Item(kNode, R"("name":"n")");
  struct Row {
    std::string text;
    std::string_view word;
  };
  const std::vector<Row> rows{
      {"\n" + Session("").substr(0, 30), "d: line 2: column 31: ends too early"},
      {Session("") + "null", "d: line 2: must be one JSON object"},
      {"{} {}", "d: line 1: must be one JSON object"},
      {"{\"a\":\"\xff\"}", "d: line 1: column 7: no JSON: syntax error"},
      {Session("", R"("version":2)"), "d: line 1: version: 2 is not supported, expected 1"},
      {Session("", R"("kind":"List")"), "d: line 1: version: is missing"},
      {Session("", R"("version":1,"cycle":2)"), "d: line 1: column 33: key cycle appears twice"},
      {Session("", R"("version":1,"decisions":7)"),
       "d: line 1: decisions: must be an object, not a number"},
      {Session("{}"), R"(d: line 1: objects.items[0].kind: "" of "" is not a kind of a dump)"},
      {Session(node + R"(,{"kind":"Node","apiVersion":"v2"})"),
       R"(d: line 1: objects.items[1].kind: "Node" of "v2" is not a kind of a dump)"},
      {Session(Item(kNode, "")), "d: line 1: objects.items[0].metadata.name: is missing"},
      {Session(node + "," + node), "d: line 1: objects.items[1].metadata.name: n appears twice"},
      {Session(Item(kPod, R"("name":"p")")),
       "d: line 1: objects.items[0].metadata.namespace: is missing"},
      {Session(Item(kNode, R"("name":"n","namespace":"ns")")),
       "d: line 1: objects.items[0].metadata.namespace: must not be set"},
      {Session(Item(kPod, R"("name":"p","namespace":"ns")", R"(,"spec":{"priority":"high"})")),
       "d: line 1: objects.items[0].spec.priority: must be a whole number, is \"high\""},
      {Session(Item(kPod, R"("name":"p","namespace":"ns")", R"(,"batholith":{"group":[]})")),
       "d: line 1: objects.items[0].batholith.group: must be a text, not a list"},
  };
  for (const Row& row : rows) EXPECT_EQ(Word(row.text), row.word) << row.text;
  for (const char* field : {"cycle", "now", "conf", "options", "objects"}) {
    boost::json::value session = boost::json::parse(Session(""));
    session.as_object().erase(field);
    EXPECT_EQ(Word(boost::json::serialize(session)),
              "d: line 1: " + std::string(field) + ": is missing");
  }
}

TEST(Dump, every_cut_of_a_line_is_refused) {
  const std::string text = Session(Item(kNode, R"("name":"n")"));
  for (std::size_t n = 1; n + 1 < text.size(); ++n) {
    EXPECT_TRUE(Word(text.substr(0, n)).starts_with("d: line 1: column ")) << n;
  }
}

// A bare pod's group is not in its annotations, and nothing in a manifest says that it was made.
TEST(Dump, what_was_derived_is_not_derived_again) {
  Loaded loaded = Decode(PodWith("containers: [{name: a, resources: {requests: {cpu: 1}}}]"));
  ASSERT_EQ(loaded.objects.pod_groups.size(), 1U) << JoinedLines(loaded.refused);
  loaded.objects.pods[0].meta.uid = "another";  // would give another group
  loaded.objects.pod_groups[0].queue.clear();
  PriorityClassRecord by_default;  // would give the pod its priority
  by_default.meta.name = "c";
  by_default.value = 7;
  by_default.global_default = true;
  loaded.objects.priority_classes.push_back(by_default);
  SessionDump dump;
  dump.objects = std::make_shared<const ClusterObjects>(std::move(loaded.objects));
  std::stringstream text;
  WriteDump(dump, text);
  const auto read = DumpReader(text, "d").Next();
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_TRUE(*read);
  EXPECT_EQ(FirstDifference(*(*read)->objects, *dump.objects), "");
  EXPECT_EQ((*read)->objects->pods[0].group, "podgroup-ns-p");
  EXPECT_EQ((*read)->objects->pods[0].priority, std::nullopt);
  EXPECT_TRUE((*read)->objects->pod_groups[0].made_for_pod);
}

// However small the parts, they are the line; none is larger than asked for and one object.
TEST(DumpText, parts_are_the_line_in_order) {
  Loaded loaded = Decode(PodWith("containers: [{name: a, resources: {requests: {cpu: 1}}}]"));
  for (int i = 0; i < 20; ++i) {
    loaded.objects.pods.push_back(loaded.objects.pods[0]);
    loaded.objects.pods.back().meta.name = "p" + std::to_string(i);
  }
  SessionDump dump;
  dump.objects = std::make_shared<const ClusterObjects>(std::move(loaded.objects));
  std::stringstream whole;
  WriteDump(dump, whole);
  for (const std::size_t bytes : {1U, 100U, 5'000U}) {
    DumpText text(dump);
    std::string all;
    for (std::string part = text.Next(bytes); !part.empty(); part = text.Next(bytes)) {
      EXPECT_LT(part.size(), bytes + 1'500) << bytes;
      all += part;
    }
    EXPECT_EQ(all, whole.str()) << bytes;
    EXPECT_EQ(text.Next(bytes), "");
  }
}

// Nothing has such a label, but a server stores it where a custom resource has a selector.
TEST(Dump, a_selector_of_a_label_without_a_name_reads_back) {
  Loaded loaded = Decode(
      "{apiVersion: quota.koordinator.sh/v1alpha1, kind: ElasticQuotaProfile, metadata: {name: p}, "
      "spec: {quotaName: q, nodeSelector: {matchLabels: {\"\": a, z: b}}}}");
  ASSERT_EQ(loaded.refused, std::vector<std::string>());
  SessionDump dump;
  dump.objects = std::make_shared<const ClusterObjects>(std::move(loaded.objects));
  std::stringstream text;
  WriteDump(dump, text);
  const auto read = DumpReader(text, "d").Next();
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(FirstDifference(*(*read)->objects, *dump.objects), "");
}

TEST(Encode, a_pod_is_a_manifest_that_a_person_can_read) {
  const Loaded loaded = Decode(PodWith(
      "priority: 5, nodeSelector: {zone: a}, tolerations: [{key: k, operator: Exists}], "
      "containers: [{name: a, image: img, resources: {requests: {cpu: 1500m, memory: 1Gi}}}]"));
  ASSERT_EQ(loaded.objects.pods.size(), 1U) << JoinedLines(loaded.refused);
  EXPECT_EQ(boost::json::serialize(Encode(loaded.objects.pods[0])),
            R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"ns",)"
            R"("uid":"ns-p","creationTimestamp":"2025-12-31T23:00:01Z","labels":{"app":"web"}},)"
            R"("spec":{"schedulerName":"volcano","priority":5,)"
            R"("preemptionPolicy":"PreemptLowerPriority","nodeSelector":{"zone":"a"},)"
            R"("tolerations":[{"key":"k","operator":"Exists"}],"containers":[{"name":"c0",)"
            R"("image":"img","resources":{"requests":{"cpu":"1500m","memory":"1Gi"}}}]},)"
            R"("status":{"phase":"Pending"},"batholith":{"group":"podgroup-ns-p"}})");
}

}  // namespace
}  // namespace batholith
