#include "client/write/wanted_topology.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "codec/json/parse.h"
#include "test/client/wanted_env.h"

namespace batholith {
namespace {

constexpr const char* kKey = "volcano.sh/job-allocated-hypernode";

std::string PatchText(const std::optional<Patch>& patch) {
  return patch ? patch->path + " " + boost::json::serialize(patch->body) : "";
}

std::string WantedBy(const std::string& known, std::optional<std::string> hyper_node) {
  SeenObject seen;
  seen.path = "/g";
  seen.uid = "u";
  seen.api_version = "scheduling.volcano.sh/v1beta1";
  if (!known.empty()) seen.annotations[kKey] = known;
  JobStatus job;
  job.hyper_node = std::move(hyper_node);
  return PatchText(WantedGroup(seen, job, kStamp));
}

TEST(WantedTopology, the_annotation_of_a_group_follows_what_its_pods_have) {
  EXPECT_EQ(WantedBy("", "rack-1"),
            R"(/g {"metadata":{"uid":"u","annotations":{"volcano.sh/job-allocated-hypernode":)"
            R"("rack-1"}}})");
  EXPECT_EQ(WantedBy("rack-1", "rack-1"), "");
  EXPECT_EQ(WantedBy("rack-1", ""),
            R"(/g {"metadata":{"uid":"u","annotations":{"volcano.sh/job-allocated-hypernode":)"
            R"(null}}})");
  EXPECT_EQ(WantedBy("", ""), "");
  // Who knows of no HyperNode leaves alone what another one wrote.
  EXPECT_EQ(WantedBy("rack-1", std::nullopt), "");
}

TEST(WantedTopology, once_it_is_written_it_is_not_wanted_again) {
  SeenObject seen;
  seen.api_version = "scheduling.volcano.sh/v1beta1";
  JobStatus job;
  job.phase = JobPhase::kRunning;
  job.hyper_node = "rack-1";
  const std::optional<Patch> patch = WantedGroup(seen, job, kStamp);
  ASSERT_TRUE(patch);
  EXPECT_FALSE(patch->may_wait);
  Apply(*patch, seen);
  EXPECT_FALSE(WantedGroup(seen, job, kStamp));
}

std::string Shard(const std::string& status) {
  SeenObject seen;
  seen.path = "/s";
  seen.uid = "u";
  seen.status = ParseJsonValue(status)->as_object();
  return PatchText(WantedShard(seen, {"mine", {"n1", "n2"}, {"n3"}}, kStamp));
}

TEST(WantedTopology, a_shard_says_which_nodes_it_uses_and_which_it_waits_for) {
  const std::string wanted =
      R"(/s/status {"metadata":{"uid":"u"},"status":{"nodesInUse":["n1","n2"],"nodesToAdd":["n3"],)"
      R"("nodesToRemove":[],"lastUpdateTime":"2026-01-01T00:00:00Z"}})";
  EXPECT_EQ(Shard("{}"), wanted);
  EXPECT_EQ(Shard(R"({"nodesInUse":["n2","n1"],"nodesToAdd":["n3"]})"), "");
  EXPECT_EQ(Shard(R"({"nodesInUse":["n1","n2"],"nodesToAdd":["n3"],"nodesToRemove":["n9"]})"),
            wanted);
}

}  // namespace
}  // namespace batholith
