#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "api/time_text.h"
#include "codec/load.h"
#include "test/codec/decode_env.h"
#include "test/cost.h"
#include "test/hostile_yaml.h"

namespace batholith {
namespace {

// The error of a text that must not be read.
std::string ErrorOf(std::string_view text) {
  const auto documents = ParseDocuments(text, "f.yaml");
  return documents ? "no error" : documents.error().message;
}

std::string Repeated(std::string_view part, std::size_t times) {
  std::string out;
  out.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

TEST(Hostile, empty_texts_have_no_objects) {
  for (const std::string_view text :
       {"", " \n\t\n", "\xef\xbb\xbf", "# nothing\n", "---\n", "---\n---\n"}) {
    const Loaded loaded = Decode(text);
    EXPECT_TRUE(loaded.refused.empty()) << JoinedLines(loaded.refused);
  }
}

TEST(Hostile, the_last_line_break_of_a_block_is_kept) {
  for (const auto& [text, value] :
       std::vector<std::pair<std::string_view, std::string_view>>{{"a: |\n  b\n", "b\n"},
                                                                  {"a: |+\n  b\n\n", "b\n\n"},
                                                                  {"a: b", "b"},
                                                                  {"a: b\n...\n", "b"}}) {
    const auto documents = ParseDocuments(text, "f.yaml");
    ASSERT_TRUE(documents.has_value()) << text;
    ASSERT_EQ(documents->size(), 1U) << text;
    EXPECT_EQ(documents->at(0).as_object().at("a").as_string(), value) << text;
  }
}

TEST(Hostile, broken_texts_are_errors_with_file_and_line) {
  struct Row {
    std::string name;
    std::string text;
    std::string_view expected;
  };
  const std::vector<Row> rows{
      {"a NUL", std::string("a: b\nc: \0d", 10), "f.yaml: line 2: binary data"},
      {"no UTF-8", "a: \xff\xfe", "f.yaml: line 1: binary data"},
      {"an overlong form", "a: \xc0\xaf", "binary data"},
      {"a surrogate", "a: \xed\xa0\x80", "binary data"},
      {"a cut character", "a: \xe2\x82", "binary data"},
      {"an open quote", "a: \"b\nc: d\n", "f.yaml: line"},
      {"an open quote at the end", "a: 'b", "f.yaml: line"},
      {"a tab as indentation", "a:\n\tb: c\n", "f.yaml: line"},
      {"a key twice", "a: 1\nb: 2\na: 3\n", "f.yaml: line 3: key a appears twice"},
      {"a JSON key twice", "{\"a\": 1,\n \"a\": 2}", "f.yaml: line 2: key a appears twice"},
      {"cut JSON", "{\"a\": [1, 2", "f.yaml: line 1: ends too early"},
      {"JSON and more", "{\"a\": 1}\n}", "f.yaml: line 2: no JSON"},
      {"an unknown alias", "a: *b\n", "f.yaml: line 1"},
      {"a list as a key", "? [a]\n: b\n", "a key must be a plain text"},
      {"a bad merge", "a: {<<: 5}\n", "<< must name a mapping"},
      {"brackets", Repeated("[", 101), "nested deeper than 100"},
      {"lists of lists", Repeated("- ", 101) + "a", "nested deeper than 100"},
      {"lists of lists, JSON", Repeated("[\"a\",", 101), "nested deeper than 100"},
      {"mappings in flow style", "a: " + Repeated("{a: ", 200) + "1" + Repeated("}", 200),
       "nested deeper than 100"},
      {"a cycle", "a: &x {b: *x}\n", "f.yaml: line 1"},
  };
  for (const Row& row : rows) {
    EXPECT_NE(ErrorOf(row.text).find(row.expected), std::string::npos)
        << row.name << ": " << ErrorOf(row.text);
  }
}

TEST(Hostile, brackets_in_text_are_no_nesting) {
  std::string text = "a: '";
  text += Repeated("x [ { ", 500) + "'\nb: |\n";
  for (int i = 0; i < 200; ++i) text += "  if [ $x  # {\n";
  EXPECT_EQ(ErrorOf(text), "no error");
  EXPECT_EQ(ErrorOf(Repeated("{\"a\":", 99) + "1" + Repeated("}", 99)), "no error");
}

TEST(Hostile, a_hundred_megabytes_of_brackets_end_at_once) {
  EXPECT_NE(ErrorOf(std::string(100'000'000, '[')).find("deeper than 100"), std::string::npos);
  EXPECT_NE(ErrorOf("a: " + Repeated("[x, ", 25'000'000)).find("deeper than 100"),
            std::string::npos);
  EXPECT_NE(ErrorOf("a: " + Repeated("{a: ", 25'000'000)).find("deeper than 100"),
            std::string::npos);
}

// What was found to give yaml-cpp's loader empty documents for ever, and others of the kind.
TEST(Hostile, what_stands_behind_a_document_is_refused_with_its_line) {
  const std::vector<std::pair<std::string, std::string_view>> rows{
      {"---\n,\n", "f.yaml: line 2: "},
      {"\"a\" , \"b\"\n", "f.yaml: line 1: did not find expected <document start>"},
      {"{apiVersion: v1, kind: Node, metadata: {name: n}}\n,\n{kind: Node}\n",
       "f.yaml: line 2: did not find expected <document start>"},
      {"\"\x04\x04\x04J{\"apiV\n\n\n?\n", "f.yaml: line 1: has the control character U+0004"},
      {"[7]6\n?\n3[7]6\n.\n31", "f.yaml: line 2: no JSON"},
      {",c", "f.yaml: line 1: "},
      {"{actions: allocate},", "f.yaml: line 1: did not find expected <document start>"},
      {"[a],[b]", "f.yaml: line 1: did not find expected <document start>"},
      {"{a: b}, {c: d}", "f.yaml: line 1: did not find expected <document start>"},
      {"a: b\n---\n]\n", "f.yaml: line 3: "},
      {"a: b\n--- }\n", "f.yaml: line 2: "},
      {"--- ,\n--- ,\n", "f.yaml: line 1: "},
      {"'a'\n?\n", "f.yaml: line 2: "},
      {"a: b\n... ]\n", "f.yaml: line 2: "},
      {"\x01", "f.yaml: line 1: has the control character U+0001"},
      {"a: \x1b[2J\n", "f.yaml: line 1: has the control character U+001B"},
  };
  for (const auto& [text, expected] : rows)
    EXPECT_NE(ErrorOf(text).find(expected), std::string::npos) << text << "\n" << ErrorOf(text);
}

TEST(Hostile, whatever_comes_is_read_in_time_and_memory_of_its_size) {
  for (const std::size_t size : {std::size_t{256} << 10U, std::size_t{1} << 20U}) {
    for (const auto& [name, text] : HostileYamls(size))
      ExpectBounded(name, size, [&text = text] { return ErrorOf(text); });
  }
}

TEST(Hostile, deep_indentation_ends) {
  std::string text;
  for (std::size_t i = 0; i < 2000; ++i) text += std::string(i, ' ') + "a:\n";
  EXPECT_NE(ErrorOf(text).find("nested deeper than 100"), std::string::npos) << ErrorOf(text);
}

TEST(Hostile, aliases_that_expand_are_refused) {
  std::string many = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    many += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 9; ++k) many += alias + ", ";
    many += alias + "]\n";
  }
  EXPECT_NE(ErrorOf(many).find("aliases expand"), std::string::npos);
  std::string large = "a: &a " + std::string(1'000'000, 'x') + "\nb: [";
  for (int i = 0; i < 1000; ++i) large += "*a, ";
  EXPECT_NE(ErrorOf(large + "*a]\n").find("aliases expand"), std::string::npos);
}

struct BadObject {
  std::string text;
  std::string_view expected;
};

void ExpectRefused(const std::vector<BadObject>& rows) {
  for (const BadObject& row : rows) {
    const Loaded loaded = Decode(row.text);
    ASSERT_EQ(loaded.refused.size(), 1U) << row.text;
    EXPECT_NE(loaded.refused[0].find(row.expected), std::string::npos) << row.expected << "\n"
                                                                       << loaded.refused[0];
    EXPECT_TRUE(loaded.objects.pods.empty() && loaded.objects.nodes.empty() &&
                loaded.objects.queues.empty() && loaded.objects.pod_groups.empty());
  }
}

TEST(Hostile, a_bad_pod_is_refused_by_field_and_reason) {
  const auto pod = [](std::string_view requests) {
    return PodWith(
        "containers: [{name: a}, {name: b, resources: {requests: " + std::string(requests) + "}}]");
  };
  const std::string_view where = "spec.containers[1].resources.requests";
  ExpectRefused({
      {"- a\n", "f.yaml: document 1: must be an object"},
      {"---\n---\n5\n", "must be an object"},
      {"{apiVersion: v1, metadata: {name: x}}", "document 1: object: kind: is missing"},
      {"{kind: Pod, metadata: {name: x}}", "Pod x: apiVersion: is missing"},
      {"{apiVersion: v1, kind: Pod}", "Pod: metadata.name: is missing"},
      {"{apiVersion: apps/v1, kind: Deployment}", "Deployment: metadata.name: is missing"},
      {"{apiVersion: v1, kind: Pod, metadata: 5}", "Pod: metadata: must be an object"},
      {"{apiVersion: v1, kind: [Pod], metadata: {name: x}}", "kind: must be a text"},
      {"{apiVersion: v1, kind: List, items: {}}", "List: items: must be a list"},
      {pod("{cpu: 2c}"),
       "Pod ns/p: spec.containers[1].resources.requests.cpu: \"2c\" is not a quantity"},
      {pod("{cpu: -1}"), "requests.cpu: must not be negative"},
      {pod("{cpu: true}"), "requests.cpu: must be a text or a number"},
      {pod("{cpu: [1]}"), "requests.cpu: must be a text or a number"},
      {pod("[1]"), where},
      {PodWith("containers: text"), "spec.containers: must be a list"},
      {PodWith("priority: '5'"), "spec.priority: must be a whole number"},
      {PodWith("priority: 3000000000"), "spec.priority: 3000000000 is out of range"},
      {PodWith("priority: 99999999999999999999"),
       "spec.priority: \"99999999999999999999\" is out of range"},
      {PodWith("nodeName: 5"), "spec.nodeName: must be a text"},
      {PodWith("tolerations: [{operator: Is}]"),
       "spec.tolerations[0].operator: \"Is\" must be one of"},
      {PodWith("initContainers: [{name: i, restartPolicy: always}]"),
       "spec.initContainers[0].restartPolicy: \"always\" must be one of Always, OnFailure, Never"},
      {PodWith("preemptionPolicy: never"), "\"never\" must be one of Never, PreemptLowerPriority"},
      {PodWith("containers: [{ports: [{hostPort: 80, protocol: tcp}]}]"),
       "spec.containers[0].ports[0].protocol: \"tcp\" must be one of TCP, UDP, SCTP"},
      {"{apiVersion: v1, kind: Pod, metadata: {name: x}, status: {phase: Sleeping}}",
       "status.phase: \"Sleeping\" must be one of Pending, Running, Succeeded, Failed, Unknown"},
      {"{apiVersion: v1, kind: Pod, metadata: {name: x, creationTimestamp: yesterday}}",
       "metadata.creationTimestamp: \"yesterday\" is not a time"},
      {"{apiVersion: v1, kind: Pod, metadata: {name: x, creationTimestamp: "
       "'2026-02-31T00:00:00Z'}}",
       "is not a time"},
      {"{apiVersion: v1, kind: Pod, metadata: {name: x, creationTimestamp: "
       "'9999-02-31T00:00:00Z'}}",
       "is not a time"},
      {"{apiVersion: v1, kind: Pod, metadata: {name: x, labels: {a: 1}}}",
       "metadata.labels.a: must be a text"},
  });
}

TEST(Hostile, what_api_servers_take_is_cut_off_and_not_refused) {
  const auto request = [](const std::string& requests) {
    const Loaded loaded = Decode(PodWith("containers: [" + requests + "]"));
    EXPECT_EQ(JoinedLines(loaded.refused), "") << requests;
    return loaded.objects.pods.empty() ? ResourceList() : *loaded.objects.pods.front().request;
  };
  EXPECT_EQ(request("{resources: {requests: {memory: 9Ei}}}"),
            (ResourceList{{"memory", INT64_MAX}}));
  EXPECT_EQ(request("{resources: {requests: {cpu: 1e400}}}"), (ResourceList{{"cpu", INT64_MAX}}));
  // 9e18 + 9e18 thousandths > 2^63.
  EXPECT_EQ(request("{resources: {requests: {cpu: 9P}}}, {resources: {requests: {cpu: 9P}}}"),
            (ResourceList{{"cpu", INT64_MAX}}));
  const auto grace = [](const std::string& seconds) {
    const Loaded loaded = Decode(PodWith("terminationGracePeriodSeconds: " + seconds));
    EXPECT_EQ(JoinedLines(loaded.refused), "") << seconds;
    return loaded.objects.pods.empty() ? 0 : loaded.objects.pods.front().grace_period_s;
  };
  EXPECT_EQ(grace("9223372036854775807"), INT32_MAX);
  EXPECT_EQ(grace("2147483648"), INT32_MAX);
  EXPECT_EQ(grace("-1"), 1) << "as kubelets take it";
  const auto created = [](const std::string& time) {
    const Loaded loaded = Decode(
        "{apiVersion: v1, kind: Pod, metadata: {name: x, creationTimestamp: '" + time + "'}}");
    EXPECT_EQ(JoinedLines(loaded.refused), "") << time;
    return loaded.objects.pods.empty() ? 0 : loaded.objects.pods.front().meta.creation;
  };
  EXPECT_EQ(created("9999-12-31T23:59:59Z"), ParseTime("2190-01-01T00:00:00Z"));
  EXPECT_EQ(created("0001-01-01T00:00:00Z"), ParseTime("1900-01-01T00:00:00Z"));
  // In UTC these are a day beyond the ends, and would not be read back as what they are.
  EXPECT_EQ(created("2189-12-31T23:59:59-23:59"), ParseTime("2190-01-01T00:00:00Z"));
  EXPECT_EQ(created("1900-01-01T00:00:00+23:59"), ParseTime("1900-01-01T00:00:00Z"));
}

TEST(Hostile, a_bad_object_of_another_kind_is_refused_by_field_and_reason) {
  const std::string queue =
      "{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q}, ";
  const std::string group =
      "{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g}, ";
  ExpectRefused({
      {queue + "spec: {weight: 0}}", "Queue q: spec.weight: 0 is out of range 1 to 1000000000"},
      {queue + "spec: {weight: 1000000001}}", "spec.weight: 1000000001 is out of range"},
      {queue + "spec: {weight: '5'}}", "spec.weight: must be a whole number"},
      {queue + "spec: {capability: {cpu: -5}}}", "spec.capability.cpu: must not be negative"},
      {queue + "status: {state: Ajar}}", "status.state: \"Ajar\" must be one of Open"},
      {group + "spec: {minMember: -1}}", "PodGroup g: spec.minMember: -1 is out of range"},
      {group + "spec: {minMember: 2147483648}}", "spec.minMember: 2147483648 is out of range"},
      {group + "spec: {minMember: 1.5}}", "spec.minMember: must be a whole number"},
      {"{apiVersion: v1, kind: Node, metadata: {name: n}, spec: {unschedulable: 'yes'}}",
       "Node n: spec.unschedulable: must be true or false"},
      {"{apiVersion: v1, kind: Node, metadata: {name: n}, spec: {taints: [{key: k}]}}",
       "spec.taints[0].effect: \"\" must be one of"},
      {"{apiVersion: v1, kind: Node, metadata: {name: n}, spec: {taints: [{effect: NoSchedule}]}}",
       "spec.taints[0].key: is missing"},
      {"{apiVersion: v1, kind: ResourceQuota, metadata: {name: r}, spec: {hard: {cpu: -1}}}",
       "ResourceQuota r: spec.hard.cpu: must not be negative"},
      {"{apiVersion: v1, kind: Pod, metadata: {name: x, ownerReferences: [{uid: u, controller: "
       "1}]}}",
       "metadata.ownerReferences[0].controller: must be true or false"},
      {group + "status: {phase: Waiting}}",
       "status.phase: \"Waiting\" must be one of Pending, Inqueue, Running, Unknown, Completed"},
      {"{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: c}, value: 1, "
       "preemptionPolicy: Sometimes}",
       "PriorityClass c: preemptionPolicy: \"Sometimes\" must be one of"},
  });
}

TEST(Hostile, a_null_is_as_good_as_nothing) {
  const Loaded loaded = Decode(
      PodWith("nodeName: null, priority: ~, overhead: {cpu: null}, affinity: {podAffinity: null}, "
              "tolerations: null, initContainers: null, containers: [{name: a, resources: "
              "{requests: {cpu: null, memory: 1Ki}, limits: {cpu: 2}}}]"));
  ASSERT_EQ(loaded.objects.pods.size(), 1U) << JoinedLines(loaded.refused);
  EXPECT_EQ(loaded.objects.pods[0].request, (ResourceList{{"cpu", 2000}, {"memory", 1024}}));
}

TEST(Hostile, a_good_object_beside_a_bad_one_is_loaded) {
  const Loaded loaded =
      Decode(PodWith("priority: x") + "---\n{apiVersion: v1, kind: Node, metadata: {name: n}}\n");
  EXPECT_EQ(loaded.refused.size(), 1U);
  EXPECT_EQ(loaded.objects.nodes.size(), 1U);
}

TEST(Hostile, a_duplicate_names_both_places) {
  const Loaded loaded = Decode(PodWith("priority: 1") + "---\n" + PodWith("priority: 2") + "---\n" +
                               PodWith("priority: x"));
  ASSERT_EQ(loaded.objects.pods.size(), 1U);
  EXPECT_EQ(loaded.objects.pods[0].priority, 1);
  ASSERT_EQ(loaded.refused.size(), 2U);
  EXPECT_EQ(loaded.refused[0],
            "f.yaml: document 2: Pod ns/p: metadata.name: the same object is already defined in "
            "f.yaml: document 1");
}

TEST(Hostile, messages_stay_short_and_printable) {
  const Loaded loaded =
      Decode("{\"apiVersion\": \"x\\u001b.com/v1\", \"kind\": \"" + std::string(1'000'000, 'K') +
             "\", \"metadata\": {\"name\": \"a\\nb\\u001b\"}}");
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_LT(loaded.warnings[0].size(), 1'000U);
  for (const char c : loaded.warnings[0]) EXPECT_GE(c, ' ');
}

TEST(Hostile, absurd_minimums_do_not_overflow) {
  const Loaded loaded = Decode(
      "{apiVersion: v1, kind: Pod, metadata: {name: p, annotations: "
      "{scheduling.volcano.sh/group-min-member: '2147483647'}}, spec: {schedulerName: volcano, "
      "containers: [{resources: {requests: {cpu: 9P}}}]}}\n---\n"
      "{apiVersion: v1, kind: Pod, metadata: {name: q, annotations: "
      "{scheduling.volcano.sh/group-min-member: '99999999999'}}, spec: {schedulerName: volcano}}");
  ASSERT_EQ(loaded.objects.pod_groups.size(), 2U) << JoinedLines(loaded.refused);
  EXPECT_EQ(loaded.objects.pod_groups[0].min_resources, (ResourceList{{"cpu", INT64_MAX}}));
  EXPECT_EQ(loaded.objects.pod_groups[1].min_member, 1);
  EXPECT_EQ(loaded.warnings.size(), 1U);
}

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("codec_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_ / "sub");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  void Write(const std::string& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  std::string Path(const std::string& name = "") const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

TEST(Hostile, a_folder_is_read_in_order_and_a_broken_file_loads_nothing) {
  const Folder folder;
  folder.Write("b.json", R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"b"}})");
  folder.Write("a.yml", "{apiVersion: v1, kind: Node, metadata: {name: a}}");
  folder.Write("sub/c.yaml", "{apiVersion: v1, kind: Node, metadata: {name: c}}");
  folder.Write("notes.txt", "\xff");
  const Result<Loaded> loaded = LoadManifests({folder.Path()}, {});
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  ASSERT_EQ(loaded->objects.nodes.size(), 3U);
  EXPECT_EQ(loaded->objects.nodes[0].meta.name, "a");
  EXPECT_EQ(loaded->objects.nodes[2].meta.name, "c");
  EXPECT_EQ(JoinedLines(loaded->warnings), "");
  folder.Write("d.yaml", "# nothing yet\n");
  const Result<Loaded> partly = LoadManifests({folder.Path()}, {});
  ASSERT_TRUE(partly.has_value()) << partly.error().message;
  EXPECT_EQ(JoinedLines(partly->warnings), folder.Path("d.yaml") + ": holds no object\n");
  const Result<Loaded> empty = LoadManifests({folder.Path(), folder.Path("d.yaml")}, {});
  ASSERT_FALSE(empty.has_value());
  EXPECT_EQ(empty.error().message, folder.Path("d.yaml") + ": holds no object");
  folder.Write("z.yaml", "a: [");
  const Result<Loaded> broken = LoadManifests({folder.Path()}, {});
  ASSERT_FALSE(broken.has_value());
  EXPECT_NE(broken.error().message.find("z.yaml: line"), std::string::npos);
  EXPECT_FALSE(LoadManifests({folder.Path("missing.yaml")}, {}).has_value());
}

}  // namespace
}  // namespace batholith
