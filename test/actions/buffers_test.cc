#include "actions/slack/buffers.h"

#include <gmock/gmock.h>

#include "codec/decode.h"
#include "scheduler/compile_conf.h"
#include "scheduler/run_outcome.h"
#include "sim/run/run_sessions.h"
#include "test/actions/slack/vectors.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr const char* kBuffersConf = R"(
actions: "slack"
tiers: [{plugins: [{name: gang}, {name: predicates}, {name: binpack}]}]
)";

json::object Meta(const char* name) { return {{"name", name}, {"namespace", "shop"}}; }

// A node with 4 cpu, and template t of pods of 1 cpu.
void AddSurroundings(ManifestDecoder& decoder, std::int64_t priority) {
  decoder.Add({{"apiVersion", "v1"},
               {"kind", "Node"},
               {"metadata", {{"name", "n1"}}},
               {"status", {{"allocatable", {{"cpu", "4"}, {"memory", "8Gi"}, {"pods", "110"}}}}}},
              "node");
  const json::object container{{"name", "c"},
                               {"resources", json::object{{"requests", {{"cpu", "1"}}}}}};
  decoder.Add(
      json::object{{"apiVersion", "v1"},
                   {"kind", "PodTemplate"},
                   {"metadata", Meta("t")},
                   {"template",
                    json::object{{"spec", json::object{{"priority", priority},
                                                       {"containers", json::array{container}}}}}}},
      "template");
}

json::object BufferOf(json::object spec) {
  json::object meta = Meta("b");
  meta["generation"] = 3;
  return {{"apiVersion", "autoscaling.x-k8s.io/v1beta1"},
          {"kind", "CapacityBuffer"},
          {"metadata", std::move(meta)},
          {"spec", std::move(spec)}};
}

struct Ran {
  std::vector<std::string> refused;
  std::vector<BufferStatus> first;  // statuses of the first session
  RunOutcome outcome;               // of two
};

Ran RunBuffer(json::object spec, std::int64_t priority = 0) {
  ManifestDecoder decoder({.now = kDefaultNow});
  AddSurroundings(decoder, priority);
  decoder.Add(BufferOf(std::move(spec)), "buffer");
  Loaded loaded = decoder.Finish();
  Ran out;
  out.refused = loaded.refused;
  RunOptions options;
  options.cycles = 2;
  options.on_session = [&](int cycle, const Snapshot&, const CycleResult& result) {
    if (cycle == 1) out.first = result.buffers;
  };
  out.outcome = RunSessions(std::move(loaded.objects), CompileConf(kBuffersConf, "conf")->pipeline,
                            std::move(options));
  return out;
}

JobCondition Condition(const Ran& ran, const std::string& type) {
  for (const JobCondition& c : ran.outcome.objects->capacity_buffers.at(0).conditions) {
    if (c.type == type) return c;
  }
  return {};
}

json::object SpecOf(const YAML::Node& in) {
  json::object spec;
  if (in["podTemplateRef"])
    spec["podTemplateRef"] = json::object{{"name", in["podTemplateRef"].as<std::string>()}};
  if (in["scalableRef"])
    spec["scalableRef"] = json::object{{"apiGroup", "apps"}, {"kind", "Deployment"}, {"name", "d"}};
  for (const char* name : {"replicas", "percentage"}) {
    if (in[name]) spec[name] = in[name].as<std::int64_t>();
  }
  if (in["provisioningStrategy"])
    spec["provisioningStrategy"] = in["provisioningStrategy"].as<std::string>();
  return spec;
}

TEST(BuffersTest, EveryAdmissionVector) {
  if (!HasSlackVectors()) GTEST_SKIP() << "no slack vectors beside the project";
  for (const YAML::Node& v : SlackVectors("capacity_buffer_admission")) {
    const auto id = v["id"].as<std::string>();
    SCOPED_TRACE(id);
    const YAML::Node in = v["input"];
    const Ran ran = RunBuffer(SpecOf(in), in["priority"].as<std::int64_t>(0));
    const bool rejected = v["expect"].as<std::string>() == "admission rejected";
    ASSERT_EQ(ran.refused.size(), rejected ? 1U : 0U);
    if (rejected) continue;
    const std::string ready = Condition(ran, kReadyForProvisioning).status;
    if (id == "C36") {
      EXPECT_EQ(ready, "");
      EXPECT_TRUE(ran.outcome.last.slack.sources.empty());
    } else if (id == "C33" || id == "C34") {
      EXPECT_EQ(ready, "False");
      EXPECT_EQ(Condition(ran, kReadyForProvisioning).reason, "error");
    } else {
      EXPECT_EQ(ready, "True");
      EXPECT_EQ(ran.outcome.last.slack.sources.size(), 1U);
    }
    EXPECT_EQ(ran.outcome.warnings.empty(), id != "C38");
  }
}

TEST(BuffersTest, AStatusTellsHowManyChunksHaveRoomAndIsToldOnce) {
  const Ran ran = RunBuffer({{"podTemplateRef", {{"name", "t"}}}, {"replicas", 5}});
  ASSERT_EQ(ran.first.size(), 1U);
  EXPECT_EQ(ran.first[0].replicas, 5);
  EXPECT_EQ(ran.first[0].observed_generation, 3);
  EXPECT_EQ(
      Condition(ran, "Provisioning"),
      (JobCondition{"Provisioning", "False", "RequiresNewCapacity", "4 of 5 chunks have room"}));
  EXPECT_EQ(Condition(ran, "LimitedByQuotas").status, "False");
  EXPECT_TRUE(ran.outcome.last.buffers.empty());
}

TEST(BuffersTest, AllChunksHaveRoom) {
  const Ran ran = RunBuffer({{"podTemplateRef", {{"name", "t"}}}, {"replicas", 4}});
  EXPECT_EQ(Condition(ran, "Provisioning").status, "True");
}

TEST(BuffersTest, AnEmptyBufferSaysSo) {
  const Ran ran = RunBuffer({{"podTemplateRef", {{"name", "t"}}}, {"replicas", 0}});
  EXPECT_EQ(Condition(ran, "Provisioning").reason, "BufferIsEmpty");
}

TEST(BuffersTest, ALowPriorityIsSaidThoughAllChunksHaveRoom) {
  const json::object spec{{"podTemplateRef", {{"name", "t"}}}, {"replicas", 4}};
  EXPECT_EQ(Condition(RunBuffer(spec, -11), "Provisioning"),
            (JobCondition{"Provisioning", "False", "Expendable",
                          "4 of 4 chunks have room; their priority -11 is below -10: no node is "
                          "added or kept for them"}));
  EXPECT_EQ(Condition(RunBuffer(spec, -10), "Provisioning").status, "True");
}

TEST(BuffersTest, WhatIsMissingIsNamed) {
  const Ran ran = RunBuffer({{"podTemplateRef", {{"name", "other"}}}, {"replicas", 1}});
  EXPECT_EQ(Condition(ran, kReadyForProvisioning).message, "PodTemplate shop/other does not exist");
  EXPECT_EQ(Condition(ran, "Provisioning").reason, "NotReadyForProvisioning");
}

}  // namespace
}  // namespace batholith
