// Sessions in which pods have claims for devices: nothing that was bound holds a device that
// another claim has, and the number of threads does not show. Judged from the objects alone.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/node_match.h"
#include "cache/snapshot_builder.h"
#include "framework/cycle.h"
#include "test/property/draws.h"
#include "test/property/invariants.h"
#include "test/property/property_env.h"
#include "test/property/random_cluster.h"

namespace batholith::property {
namespace {

constexpr const char* kGpuDriver = "gpu.acme.example";

class DeviceCluster {
 public:
  DeviceCluster(std::uint64_t seed, ClusterObjects& objects) : o_(objects), draws_(seed + 77) {}

  void Add() {
    o_.device_classes.push_back({Meta("gpu"), {"device.driver == \"gpu.acme.example\""}, {}, ""});
    for (const NodeRecord& node : o_.nodes) {
      if (draws_.Chance(70)) AddSlice(node.meta.name, "");
    }
    if (draws_.Chance(30)) AddSlice("fabric", "all");
    const int shared = draws_.Int(0, 2);
    for (int c = 0; c < shared; ++c) AddClaim("shared" + std::to_string(c), "ns0", "");
    for (PodRecord& pod : o_.pods) {
      if (draws_.Chance(60)) AddTo(pod);
    }
  }

 private:
  static ObjectMeta Meta(std::string name, std::string namespace_ = {}) {
    ObjectMeta meta;
    meta.name = std::move(name);
    meta.namespace_ = std::move(namespace_);
    meta.uid = "device-" + meta.Key();
    return meta;
  }

  void AddSlice(const std::string& pool, const std::string& all) {
    ResourceSliceRecord& slice = o_.resource_slices.emplace_back();
    slice.meta = Meta(pool + "-gpu");
    slice.driver = kGpuDriver;
    slice.pool = pool;
    slice.generation = slice.slices_in_pool = 1;
    if (all.empty()) slice.nodes.node = pool;
    slice.nodes.all = !all.empty();
    const int devices = draws_.Int(1, 4);
    for (int d = 0; d < devices; ++d) {
      Device& device = slice.devices.emplace_back();
      device.name = "g" + std::to_string(d);
      device.attributes["numa"] = draws_.Between(0, 1);
    }
  }

  ResourceClaimRecord& AddClaim(const std::string& name, const std::string& namespace_,
                                const std::string& owner) {
    ResourceClaimRecord& claim = o_.device_claims.emplace_back();
    claim.meta = Meta(name, namespace_);
    if (!owner.empty()) claim.meta.owner.Edit().uid = owner;
    DeviceAsk ask;
    ask.device_class = "gpu";
    ask.count = draws_.Int(1, 2);
    claim.spec.requests = {{"r", {ask}, false}};
    if (draws_.Chance(30)) claim.spec.constraints = {{{}, "gpu.acme.example/numa", ""}};
    return claim;
  }

  void AddTo(PodRecord& pod) {
    if (pod.meta.namespace_ == "ns0" && draws_.Chance(30)) {
      pod.device_claims.Edit().push_back({"s", "shared0", "", std::nullopt});
      return;
    }
    const std::string name = pod.meta.name + "-own";
    ResourceClaimRecord& claim = AddClaim(name, pod.meta.namespace_, pod.meta.uid);
    pod.device_claims.Edit().push_back({"own", "", "template", name});
    if (!pod.node_name.empty()) Give(claim, pod);
  }

  // What runs has devices, if any are free.
  void Give(ResourceClaimRecord& claim, const PodRecord& pod) {
    for (const ResourceSliceRecord& slice : o_.resource_slices) {
      if (slice.pool != pod.node_name) continue;
      for (const Device& device : slice.devices) {
        if (!given_.insert(slice.pool + "/" + device.name).second) continue;
        claim.allocation.emplace().devices = {
            {"r", slice.driver, slice.pool, device.name, false, {}, {}, {}, "", {}}};
        claim.reserved_for = {{"", "pods", pod.meta.name, pod.meta.uid}};
        return;
      }
    }
  }

  ClusterObjects& o_;
  Draws draws_;
  std::set<std::string> given_;
};

ClusterObjects DevicesOf(std::uint64_t seed) {
  ClusterObjects out = RandomCluster(seed);
  DeviceCluster(seed, out).Add();
  return out;
}

CycleResult DecideDevices(const ClusterObjects& objects, std::uint64_t seed, int threads) {
  CycleOptions options;
  options.verify = true;
  options.threads = threads;
  SnapshotOptions snapshot;
  snapshot.now = 1'800'000'000LL * 1'000'000'000;
  snapshot.hold_device_claims = false;
  return RunCycle(*BuildSnapshot(std::make_shared<const ClusterObjects>(objects), snapshot),
                  PipelineOf(ConfKindOf(seed)), options);
}

// By claim, what each has after the binds.
std::vector<std::string> Problems(const ClusterObjects& objects, const CycleResult& result) {
  std::vector<std::string> out;
  std::map<std::string, DeviceAllocation> decided;
  std::map<std::string, std::string> node_of;
  for (const Bind& bind : result.binds) {
    node_of[bind.pod] = bind.node;
    for (const DeviceChoice& choice : bind.devices) {
      if (!choice.allocation) continue;
      const auto [it, added] = decided.emplace(choice.claim, *choice.allocation);
      if (!added && it->second != *choice.allocation)
        out.push_back(choice.claim + " gets two allocations");
    }
  }
  std::map<std::string, const ResourceClaimRecord*> claims;
  std::map<std::string, std::string> holder;
  for (const ResourceClaimRecord& claim : objects.device_claims) {
    const std::string key = claim.meta.Key();
    claims[key] = &claim;
    const auto it = decided.find(key);
    if (it != decided.end() && claim.allocation) out.push_back(key + " had devices before");
    if (it == decided.end() && !claim.allocation) continue;
    const DeviceAllocation& has = claim.allocation ? *claim.allocation : it->second;
    if (it != decided.end() &&
        std::ssize(has.devices) != claim.spec.requests.front().asks.front().count)
      out.push_back(key + " has another number of devices than it asks for");
    for (const AllocatedDevice& device : has.devices) {
      const auto [owner, added] = holder.emplace(device.pool + "/" + device.device, key);
      if (!added) out.push_back(owner->first + " is given to " + owner->second + " and " + key);
    }
  }
  for (const PodRecord& pod : objects.pods) {
    const auto bound = node_of.find(pod.meta.Key());
    if (bound == node_of.end()) continue;
    const NodeRecord& node = *std::ranges::find(objects.nodes, bound->second,
                                                [](const NodeRecord& n) { return n.meta.name; });
    for (const PodDeviceClaim& named : *pod.device_claims) {
      const std::string key =
          pod.meta.namespace_ + "/" + (named.claim.empty() ? *named.made : named.claim);
      const auto claim = claims.find(key);
      const auto given = decided.find(key);
      if (claim == claims.end()) {
        out.push_back(pod.meta.Key() + " runs without " + key);
      } else if (!claim->second->allocation && given == decided.end()) {
        out.push_back(key + " has no devices");
      } else if (given != decided.end() && given->second.nodes &&
                 !MatchesAnyTerm(*given->second.nodes, node)) {
        out.push_back(key + " has its devices on another node than " + pod.meta.Key());
      }
    }
  }
  return out;
}

TEST(DeviceSessions, nothing_that_is_bound_holds_a_device_of_another) {
  std::size_t given = 0;
  ForEachSeed([&](std::uint64_t seed) {
    const ClusterObjects objects = DevicesOf(seed);
    const CycleResult result = DecideDevices(objects, seed, 1);
    for (const Bind& bind : result.binds) given += bind.devices.size();
    std::vector<std::string> problems = CheckResult(objects, result);
    std::ranges::move(Problems(objects, result), std::back_inserter(problems));
    ASSERT_TRUE(problems.empty()) << fmt::format("{}", fmt::join(problems, "\n"));
  });
  EXPECT_GT(given, static_cast<std::size_t>(Rounds() / 4));
}

TEST(DeviceSessions, the_number_of_threads_does_not_show) {
  ForEachSeed([](std::uint64_t seed) {
    const ClusterObjects objects = DevicesOf(seed);
    ASSERT_TRUE(DecideDevices(objects, seed, 4) == DecideDevices(objects, seed, 1));
  });
}

}  // namespace
}  // namespace batholith::property
