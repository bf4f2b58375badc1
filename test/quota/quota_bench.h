#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "quota/forest.h"
#include "quota/gpu_memory.h"
#include "test/quota/quota_env.h"
#include "test/quota/vectors.h"

namespace batholith {

class QuotaVectorTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasQuotaVectors()) GTEST_SKIP() << "no folder with vectors beside the project";
  }
};

// Expected amounts: what is absent is 0.
inline ResourceList NonZero(ResourceList list) {
  std::erase_if(list, [](const auto& entry) { return entry.second == 0; });
  return list;
}
inline ResourceList NonZero(const YAML::Node& list) { return NonZero(AmountsOf(list)); }

// A forest of a few quotas by the strict rules, to which pods are charged by hand. All resources
// that vectors name are dimensions.
class QuotaBench {
 public:
  explicit QuotaBench(ClusterObjects objects, const ResourceList& total = {},
                      QuotaOptions options = QuotaOptions::Defaults(true))
      : objects_(std::move(objects)),
        forest_(objects_, schema_, BaseUnits(total), std::move(options)) {}
  QuotaBench(const QuotaBench&) = delete;
  QuotaBench& operator=(const QuotaBench&) = delete;

  QuotaForest& forest() { return forest_; }
  const QuotaForest& forest() const { return forest_; }
  const ResourceSchema& schema() const { return schema_; }
  const QuotaNode& node(std::string_view name) const { return forest_.node(At(name)); }

  // The quota whose object has this name, or lives in this namespace; none: there is no such one.
  QuotaIndex At(std::string_view name) const {
    for (std::size_t i = 0; i < forest_.size(); ++i) {
      const QuotaNode& node = forest_.node(QuotaIndex(i));
      const bool found = node.record != nullptr ? node.record->meta.name == name ||
                                                      node.record->meta.namespace_ == name
                                                : node.name.ends_with("/" + std::string(name));
      if (found) return QuotaIndex(i);
    }
    return {};
  }

  ResourceVector Units(const ResourceList& list) const {
    return ToTreeUnits(BaseUnits(list), schema_.size());
  }
  ResourceVector Units(const YAML::Node& list) const { return Units(AmountsOf(list)); }
  // Base units again, without zeros.
  ResourceList List(const ResourceVector& units) const {
    ResourceList out;
    for (std::size_t r = 0; r < schema_.size(); ++r)
      out[schema_.name(r)] = ToBaseUnits(r, units[r]);
    return NonZero(std::move(out));
  }
  // A limit, in what it limits.
  ResourceList List(const QuotaLimit& limit) const { return List(limit.Copy()); }
  ResourceList List(const ResourceLimits& limits) const {
    ResourceList out;
    for (std::size_t r = 0; r < schema_.size(); ++r) {
      if (limits[r] != ResourceLimits::kUnlimited) out[schema_.name(r)] = ToBaseUnits(r, limits[r]);
    }
    return out;
  }

  // What weighs exactly this.
  QuotaPod Weight(const YAML::Node& list, bool preemptible = true) const {
    return {Units(list), 0, preemptible};
  }
  // A pod of the quota that asks for this; for nos its GPU memory is derived.
  QuotaPod Pod(QuotaIndex q, const YAML::Node& request, std::int32_t priority = 0) const {
    ResourceList list = AmountsOf(request);
    if (forest_.node(q).dialect == QuotaDialect::kNos)
      list[std::string(kGpuMemory)] = GpuMemoryOf(list, {forest_.options().gb_per_gpu, false});
    return {Units(list), priority, true};
  }

  void Use(std::string_view quota, const YAML::Node& amounts) {
    forest_.Charge(At(quota), Weight(amounts), QuotaHold::kAssigned, 1);
  }
  // {namespace: {used}}
  void UseAll(const YAML::Node& quotas) {
    for (const auto& entry : quotas) Use(entry.first.as<std::string>(), entry.second["used"]);
  }

 private:
  ResourceVector BaseUnits(const ResourceList& list) const {
    ResourceVector out;
    for (const auto& [name, amount] : list) {
      const auto r = schema_.Find(name);
      EXPECT_TRUE(r) << name << " is no dimension of the bench";
      if (r) out[*r] = amount;
    }
    return out;
  }

  ClusterObjects objects_;
  ResourceSchema schema_{{"ephemeral-storage", "nvidia.com/gpu", "nos.nebuly.com/gpu-memory",
                          "nvidia.com/mig-1g.10gb", "nvidia.com/mig-1g.1gb", "x-cpu", "GPU",
                          "nebuly.com/new-resource", "nos.nebuly.com/custom"}};
  QuotaForest forest_;
};

// {namespace: {min, max}} as quotas of a flat dialect.
inline ClusterObjects FlatQuotas(std::string_view group, const YAML::Node& quotas) {
  ClusterObjects objects;
  for (const auto& entry : quotas) {
    ElasticQuotaRecord& quota =
        objects.elastic_quotas.emplace_back(QuotaIn(group, entry.first.as<std::string>(), "quota"));
    quota.min = OptionalAmountsOf(entry.second["min"]);
    quota.max = OptionalAmountsOf(entry.second["max"]);
  }
  return objects;
}

}  // namespace batholith
