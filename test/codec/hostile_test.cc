// Input that must end in a clear message, never in a crash or a silent guess.
#include <gtest/gtest.h>

#include "test/codec/decode_env.h"

namespace batholith {
namespace {

std::string ParseError(const std::string& text) {
  const auto documents = ParseDocuments(text, "f.yaml");
  return documents ? "" : documents.error().message;
}

TEST(Hostile, an_empty_file_holds_nothing) {
  EXPECT_EQ(ParseError(""), "");
  EXPECT_EQ(ParseError("\n---\n---\n"), "");
}

TEST(Hostile, binary_bytes_are_named) {
  EXPECT_NE(ParseError(std::string("a: \0b", 5)).find("binary"), std::string::npos);
  EXPECT_NE(ParseError("a: \xff\xfe").find("binary"), std::string::npos);
}

TEST(Hostile, a_hundred_megabytes_of_brackets_are_refused_at_once) {
  EXPECT_NE(ParseError(std::string(100'000'000, '[')).find("nested"), std::string::npos);
}

TEST(Hostile, aliases_that_expand_are_counted) {
  std::string bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n";
  char last = 'a';
  for (char c = 'b'; c <= 'j'; ++c) {
    bomb += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 10; ++i) bomb += std::string(i == 0 ? "" : ",") + "*" + last;
    bomb += "]\n";
    last = c;
  }
  EXPECT_NE(ParseError(bomb).find("aliases"), std::string::npos);
}

TEST(Hostile, a_broken_text_names_file_and_line) {
  EXPECT_NE(ParseError("a: 1\nb: [1,\n").find("f.yaml: line"), std::string::npos);
}

TEST(Hostile, a_bad_object_is_refused_with_its_field_and_the_rest_stays) {
  const Loaded loaded = Decode(R"(
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: q1}
spec: {guarantee: {resource: {cpu: 2c}}}
---
apiVersion: v1
kind: Namespace
metadata: {name: fine}
)");
  ASSERT_EQ(loaded.refused.size(), 1U);
  EXPECT_NE(loaded.refused[0].find("Queue q1: spec.guarantee.resource.cpu: \"2c\""),
            std::string::npos)
      << loaded.refused[0];
  EXPECT_EQ(loaded.objects.namespaces.size(), 1U);
}

TEST(Hostile, the_same_object_twice_is_refused) {
  const std::string one = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\n";
  EXPECT_EQ(Decode(one + one).refused.size(), 1U);
}

TEST(Hostile, numbers_out_of_range_and_wrong_types_are_refused) {
  const std::string head =
      "apiVersion: scheduling.volcano.sh/v1beta1\nkind: PodGroup\nmetadata: {name: g}\n";
  EXPECT_EQ(Decode(head + "spec: {minMember: 99999999999}\n").refused.size(), 1U);
  EXPECT_EQ(Decode(head + "spec: {minMember: -1}\n").refused.size(), 1U);
  EXPECT_EQ(Decode(head + "spec: {minMember: many}\n").refused.size(), 1U);
  EXPECT_EQ(Decode(head + "spec: [1]\n").refused.size(), 1U);
  EXPECT_EQ(Decode("kind: Pod\nmetadata: {name: g}\n").refused.size(), 1U);
}

// Sidecar 100m stays on while the init container runs: max(200 + 100, 100 + 500) + overhead 50 =
// 650.
TEST(Pods, the_request_counts_init_containers_sidecars_limits_and_overhead) {
  const Loaded loaded = Decode(R"(
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  overhead: {cpu: 50m}
  initContainers:
  - {name: side, restartPolicy: Always, resources: {requests: {cpu: 100m}}}
  - {name: init, resources: {requests: {cpu: 500m}}}
  containers:
  - {name: main, resources: {limits: {cpu: 200m}}}
)");
  ASSERT_EQ(loaded.objects.pods.size(), 1U);
  EXPECT_EQ(loaded.objects.pods[0].request.at("cpu"), 650);
}

}  // namespace
}  // namespace batholith
