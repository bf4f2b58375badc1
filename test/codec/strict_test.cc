#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/schema/schema.h"
#include "test/codec/decode_env.h"

namespace batholith {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Loaded Strictly(std::string_view text) {
  ManifestDecoder decoder({.now = kNow, .strict = true});
  const auto documents = ParseDocuments(text, "f.yaml");
  for (std::size_t i = 0; i < documents->size(); ++i)
    decoder.Add((*documents)[i], "f.yaml: document " + std::to_string(i + 1));
  return decoder.Finish();
}

TEST(Strict, a_field_that_a_kind_does_not_have_is_named_with_its_neighbour) {
  struct Row {
    std::string text;
    std::string expected;
  };
  const std::vector<Row> rows{
      {PodWith("nodeSelectr: {a: b}"),
       "Pod ns/p: spec.nodeSelectr: unknown field; did you mean \"nodeSelector\"?"},
      {PodWith("containers: [{name: a, resources: {request: {cpu: 1}}}]"),
       "Pod ns/p: spec.containers[0].resources.request: unknown field; did you mean \"requests\"?"},
      {"{apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: ns}, spec: "
       "{replica: "
       "2, template: {spec: {containers: []}}}}",
       "Deployment ns/d: spec.replica: unknown field; did you mean \"replicas\"?"},
      {"{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q}, spec: "
       "{capabilty: {cpu: 1}}}",
       "Queue q: spec.capabilty: unknown field; did you mean \"capability\"?"},
      {"{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: j, namespace: ns}, "
       "spec: {tasks: [{name: w, replicas: 1, templte: {}, template: {spec: {containers: []}}}]}}",
       "Job ns/j: spec.tasks[0].templte: unknown field; did you mean \"template\"?"},
      {"{apiVersion: v1, kind: Node, metadata: {name: n}, foo: 1}", "Node n: foo: unknown field"},
  };
  for (const Row& row : rows) {
    const Loaded loaded = Decode(row.text);
    EXPECT_THAT(loaded.refused, IsEmpty()) << row.text;
    EXPECT_THAT(loaded.warnings, ElementsAre("f.yaml: document 1: " + row.expected));
    EXPECT_THAT(Strictly(row.text).refused, ElementsAre("f.yaml: document 1: " + row.expected));
  }
}

// Names of a mapping are anybody's, and so is what an API does not describe.
TEST(Strict, labels_and_amounts_have_any_name) {
  const Loaded loaded = Strictly(PodWith(
      "nodeSelector: {any: thing}, overhead: {x.io/y: 1}, volumes: [{name: v, csi: {driver: "
      "d, volumeAttributes: {any: thing}}}]"));
  EXPECT_THAT(loaded.refused, IsEmpty());
}

TEST(Strict, a_kind_that_nobody_reads_is_named_once_and_counted) {
  const std::string text =
      "{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: a}}\n---\n"
      "{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: b}}\n---\n"
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}\n---\n"
      "{apiVersion: v1, kind: Podd, metadata: {name: d}}\n---\n"
      "{apiVersion: app/v1, kind: Deployment, metadata: {name: e}}\n";
  const Loaded loaded = Decode(text);
  EXPECT_THAT(loaded.refused, IsEmpty());
  EXPECT_THAT(
      loaded.warnings,
      ElementsAre("f.yaml: document 1: PyTorchJob a: kind PyTorchJob of group kubeflow.org is not "
                  "read: left out",
                  "f.yaml: document 4: Podd d: kind Podd of v1 is not read; did you mean \"Pod\"?: "
                  "left out",
                  "f.yaml: document 5: Deployment e: kind Deployment of group app is not read; did "
                  "you mean group \"apps\"?: left out"));
  EXPECT_EQ(loaded.left_out.at("PyTorchJob.kubeflow.org"), 2);
  EXPECT_EQ(loaded.left_out.at("ConfigMap"), 1);
  EXPECT_EQ(loaded.left_out.size(), 4U);
  // A ConfigMap is no mistake.
  EXPECT_EQ(Strictly(text).refused.size(), 4U);
}

TEST(Strict, weights_of_namespaces_that_are_none_are_told) {
  const auto quota = [](const std::string& hard) {
    return JoinedLines(
        Decode("{apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: ns}, "
               "spec: {hard: {" +
               hard + "}}}")
            .warnings);
  };
  EXPECT_EQ(quota("volcano.sh/namespace.weight: 3, requests.volcano.sh/vgpu-memory: 4"), "");
  EXPECT_THAT(quota("volcano.sh/namespace.weight: 0"),
              HasSubstr("\"0\" is not a whole number from 1 on: the namespace counts with 1"));
  EXPECT_THAT(quota("volcano.sh/namespace.weight: 2500m"), HasSubstr("counts with 2"));
  EXPECT_THAT(quota("volcano.sh/namespace-weight: 3"),
              HasSubstr("counts nothing; did you mean \"volcano.sh/namespace.weight\"?"));
}

}  // namespace
}  // namespace batholith
