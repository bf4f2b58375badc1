// Objects that write every field of their kind, which test/e2e/smoke.sh gives to a real API server,
// are read too.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "codec/load.h"
#include "test/source_dir.h"

namespace batholith {
namespace {

std::size_t CustomObjectsOf(const ClusterObjects& objects) {
  return objects.queues.size() + objects.pod_groups.size() + objects.elastic_quotas.size() +
         objects.quota_profiles.size() + objects.capacity_buffers.size() +
         objects.hyper_nodes.size() + objects.node_shards.size();
}

TEST(WholeObjects, are_read_without_a_complaint) {
  const std::filesystem::path folder = std::filesystem::path(SourceDir()) / "test/e2e/objects";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string kind = entry.path().stem().string();
    const Result<Loaded> loaded = LoadManifests({entry.path().string()}, {});
    ASSERT_TRUE(loaded.has_value()) << kind << ": " << loaded.error().message;
    EXPECT_TRUE(loaded->refused.empty()) << loaded->refused.front();
    // A command is for a controller; a job stands as the PodGroup that it makes.
    EXPECT_EQ(CustomObjectsOf(loaded->objects), kind == "command" ? 0U : 1U) << kind;
  }
}

}  // namespace
}  // namespace batholith
