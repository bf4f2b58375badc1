#include "quota/gpu_memory.h"

#include <gtest/gtest.h>

#include "test/quota/vectors.h"

namespace batholith {
namespace {

class GpuMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasQuotaVectors()) GTEST_SKIP() << "no folder with vectors beside the project";
  }
};

TEST_F(GpuMemory, vectors_of_requests) {
  for (const QuotaVector& v : LoadQuotaVectors("nos", "gpu_memory")) {
    const auto gigabytes = v.inputs["gb_per_gpu"].as<std::int64_t>();
    EXPECT_EQ(GpuMemoryOf(AmountsOf(v.inputs["request"]), {gigabytes, false}),
              v.expected["gpu_memory_gb"].as<std::int64_t>() * 1000)
        << v.id;
  }
}

TEST_F(GpuMemory, vectors_of_names) {
  for (const QuotaVector& v : LoadQuotaVectors("nos", "is_mig")) {
    EXPECT_EQ(IsMigSlice(TextOf(v.inputs["resource"])), v.expected["is_mig"].as<bool>()) << v.id;
  }
  for (const QuotaVector& v : LoadQuotaVectors("nos", "mig_memory")) {
    const std::optional<std::int64_t> gigabytes = MigGigabytes(TextOf(v.inputs["resource"]));
    EXPECT_EQ(!gigabytes, v.expected["error"].as<bool>()) << v.id;
    if (!gigabytes) continue;
    EXPECT_EQ(*gigabytes, v.expected["gb"].as<std::int64_t>()) << v.id;
  }
}

TEST(GpuMemoryOf, counts_what_a_pod_has_no_gpus_for_only_where_it_asks_for_it) {
  struct Row {
    std::string name;
    ResourceList request;
    GpuMemoryOptions options;
    std::int64_t expected;
  };
  const std::vector<Row> rows{
      {"asked for without GPUs", {{"nos.nebuly.com/gpu-memory", 8000}}, {}, 8000},
      {"in the old spelling", {{"n8s.nebuly.ai/gpu-memory", 8000}}, {}, 8000},
      {"the GPU's own counts",
       {{"nos.nebuly.com/gpu-memory", 8000}, {"nvidia.com/gpu", 1000}},
       {},
       16000},
      {"a slice of no single size has none",
       {{"nos.nebuly.com/gpu-memory", 8000}, {"nvidia.com/mig-1g.1gb15gb", 1000}},
       {},
       0},
      {"no GPU is none asked for",
       {{"nos.nebuly.com/gpu-memory", 8000}, {"nvidia.com/gpu", 0}},
       {},
       8000},
      {"slices of MPS where they count", {{"nvidia.com/gpu-10gb", 3000}}, {16, true}, 30000},
      {"and not by default", {{"nvidia.com/gpu-10gb", 3000}}, {}, 0},
      {"what is no slice of MPS",
       {{"nvidia.com/gpu-gb", 1000}, {"nvidia.com/gpu-1a0gb", 1000}},
       {16, true},
       0},
      {"MIG's names may stand inside others",
       {{"x.nvidia.com/mig-1g.5gb.shared", 2000}},
       {},
       10000},
      {"cut off at 64 bits",
       {{"nvidia.com/mig-1g.99999999999999999999gb", 1000}, {"nvidia.com/gpu", 1000}},
       {},
       INT64_MAX},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(GpuMemoryOf(row.request, row.options), row.expected) << row.name;
  }
}

}  // namespace
}  // namespace batholith
