#include "actions/slack/model/buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "test/actions/slack/vectors.h"

namespace batholith {
namespace {

// {cpu_m, mem_mib, and other resources by name}.
ResourceList ListOf(const YAML::Node& amounts) {
  ResourceList out;
  for (const auto& entry : amounts) {
    const auto name = entry.first.as<std::string>();
    const auto amount = entry.second.as<std::int64_t>();
    if (name == "cpu_m") {
      out["cpu"] = amount;
    } else if (name == "mem_mib") {
      out["memory"] = amount * kMiB;
    } else {
      out[name] = amount * ResourceScale(name);
    }
  }
  return out;
}

void CheckSize(const YAML::Node& v) {
  SCOPED_TRACE(v["id"].as<std::string>());
  const YAML::Node in = v["input"];
  CapacityBufferRecord buffer;
  if (in["replicas"]) buffer.replicas = in["replicas"].as<std::int32_t>();
  if (in["pct"]) buffer.percentage = in["pct"].as<std::int32_t>();
  buffer.limits = ListOf(in["limits"]);
  std::optional<std::int64_t> current;
  if (in["scalable"]) current = in["scalable"].as<std::int64_t>();
  const Result<std::int64_t> got = BufferSize(buffer, current, ListOf(in["pod"]));
  const YAML::Node want = v["expect"]["replicas"];
  ASSERT_EQ(got.has_value(), !want.IsNull());
  if (got) {
    EXPECT_EQ(*got, want.as<std::int64_t>());
  }
}

TEST(BufferTest, EverySizeVector) {
  if (!HasSlackVectors()) GTEST_SKIP() << "no slack vectors beside the project";
  for (const YAML::Node& v : SlackVectors("capacity_buffer_replicas")) CheckSize(v);
}

PodRecord PodOf(std::int64_t cpu_m) {
  PodRecord pod;
  pod.request["cpu"] = cpu_m;
  pod.constraints = std::make_shared<const PodConstraints>();
  return pod;
}

struct WaitingBuffer {
  CapacityBufferRecord record;
  std::int64_t want = 0;
  PodRecord pod;
};

void CheckQuota(const YAML::Node& v) {
  SCOPED_TRACE(v["id"].as<std::string>());
  ResourceQuotaRecord quota;
  quota.meta.name = "q";
  const YAML::Node q = v["quota"];
  const auto amount = [&](const char* name) { return q[name].as<std::int64_t>(0); };
  if (q["hard_cpu_m"]) quota.hard["requests.cpu"] = amount("hard_cpu_m");
  if (q["hard_pods"]) quota.hard["pods"] = amount("hard_pods");
  quota.used["requests.cpu"] = amount("used_cpu_m");
  quota.used["pods"] = amount("used_pods");
  if (q["scope"])
    quota.scopes.push_back({q["scope"].as<std::string>(), QuotaScope::Op::kExists, {}});
  std::vector<WaitingBuffer> buffers;
  for (const YAML::Node& b : v["buffers"]) {
    WaitingBuffer waiting;
    waiting.record.meta.name = b["name"].as<std::string>();
    waiting.record.meta.creation = b["age_order"].as<std::int64_t>();
    waiting.want = b["want"].as<std::int64_t>();
    waiting.pod = PodOf(b["cpu_m"].as<std::int64_t>());
    buffers.push_back(std::move(waiting));
  }
  std::ranges::sort(buffers, [](const WaitingBuffer& a, const WaitingBuffer& b) {
    return IsServedBefore(a.record, b.record);
  });
  const std::vector<ResourceQuotaRecord> quotas{quota};
  QuotaShares shares(quotas);
  for (const WaitingBuffer& waiting : buffers) {
    const QuotaShares::Share got = shares.Take({"", "", &waiting.pod}, waiting.want);
    const YAML::Node want = v["expect"][waiting.record.meta.name];
    EXPECT_EQ(got.count, want["replicas"].as<std::int64_t>()) << waiting.record.meta.name;
    EXPECT_EQ(!got.limited_by.empty(), want["LimitedByQuotas"].as<bool>());
  }
}

TEST(BufferTest, EveryQuotaVector) {
  if (!HasSlackVectors()) GTEST_SKIP() << "no slack vectors beside the project";
  for (const YAML::Node& v : SlackVectors("capacity_buffer_quota")) CheckQuota(v);
}

// 5 chunks of 1 cpu are wanted, quota a leaves 2 and quota b 3: both are named, whichever is read
// first.
TEST(BufferTest, QuotasThatLimitAreToldByName) {
  std::vector<ResourceQuotaRecord> quotas(2);
  quotas[0].meta.name = "b";
  quotas[0].hard["cpu"] = 3000;
  quotas[1].meta.name = "a";
  quotas[1].hard["cpu"] = 2000;
  const PodRecord pod = PodOf(1000);
  for (int order = 0; order < 2; ++order) {
    QuotaShares shares(quotas);
    const QuotaShares::Share got = shares.Take({"", "", &pod}, 5);
    EXPECT_EQ(got.count, 2);
    EXPECT_EQ(got.limited_by, (std::vector<std::string>{"a", "b"}));
    std::ranges::reverse(quotas);
  }
}

// Whatever the numbers are, chunks stay within the limits of their buffer and, all together, within
// what the quota has left.
TEST(BufferTest, ChunksNeverExceedLimitsOrQuotas) {
  std::mt19937_64 random(7);
  const auto number = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1));
  };
  for (int round = 0; round < 2000; ++round) {
    ResourceQuotaRecord quota;
    quota.hard["cpu"] = number(20'000);
    quota.used["cpu"] = number(20'000);
    const std::vector<ResourceQuotaRecord> quotas{quota};
    QuotaShares shares(quotas);
    std::int64_t taken = 0;
    for (int b = 0; b < 4; ++b) {
      CapacityBufferRecord buffer;
      buffer.replicas = static_cast<std::int32_t>(number(30));
      buffer.percentage = static_cast<std::int32_t>(number(300));
      buffer.limits["cpu"] = number(9000);
      const PodRecord pod = PodOf(1 + number(2000));
      const std::int64_t cpu = pod.request.at("cpu");
      const Result<std::int64_t> size = BufferSize(buffer, number(50), pod.request);
      ASSERT_TRUE(size.has_value());
      EXPECT_LE(*size * cpu, buffer.limits["cpu"]);
      const std::int64_t count = shares.Take({"", "", &pod}, *size).count;
      EXPECT_LE(count, *size);
      taken += count * cpu;
    }
    EXPECT_LE(taken, std::max<std::int64_t>(0, quota.hard["cpu"] - quota.used["cpu"]));
  }
}

}  // namespace
}  // namespace batholith
