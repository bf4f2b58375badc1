// Sessions in which pods have volumes: what was bound breaks nothing that the objects say, and
// neither the number of threads nor the order of the input shows.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/label_match.h"
#include "api/node_match.h"
#include "framework/cycle.h"
#include "test/property/invariants.h"
#include "test/property/property_env.h"
#include "test/property/random_cluster.h"
#include "test/property/volume_cluster.h"

namespace batholith::property {
namespace {

ClusterObjects ClusterOf(std::uint64_t seed) {
  ClusterObjects out = RandomCluster(seed);
  AddVolumes(seed, out);
  return out;
}

CycleResult DecideVolumes(const ClusterObjects& objects, std::uint64_t seed, int threads) {
  CycleOptions options;
  options.verify = true;
  options.threads = threads;
  const auto conf = ConfKindOf(seed);
  return RunCycle(*SnapshotOf(objects), PipelineOf(conf), options);
}

template <typename Record>
const Record* Find(const std::vector<Record>& records, const std::string& key) {
  const auto it =
      std::ranges::find_if(records, [&](const Record& r) { return r.meta.Key() == key; });
  return it == records.end() ? nullptr : &*it;
}

// What the objects say against what was bound; shares nothing with the filters.
class Checker {
 public:
  Checker(const ClusterObjects& objects, const CycleResult& result) : o_(objects) {
    for (const PodRecord& pod : o_.pods) {
      const bool over = pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed;
      if (!pod.node_name.empty() && !over) Use(pod, pod.node_name, /*at_start=*/true);
    }
    for (const Bind& bind : result.binds) Check(bind);
    for (const auto& [node, of_node] : attached_) CheckLimits(node, of_node);
  }

  const std::vector<std::string>& problems() const { return problems_; }

 private:
  struct Attached {
    std::set<std::string> at_start;
    std::set<std::string> later;
  };

  void Problem(const Bind& bind, const std::string& what) {
    problems_.push_back(fmt::format("{} on {}: {}", bind.pod, bind.node, what));
  }

  // The volume, of an unbound claim the claim, as far as its driver counts.
  std::string CountedAs(const PersistentVolumeClaimRecord& claim) const {
    if (!claim.volume.empty()) {
      const PersistentVolumeRecord* volume = Find(o_.volumes, claim.volume);
      return volume == nullptr || volume->csi_driver.empty() ? "" : volume->csi_handle;
    }
    return *claim.storage_class == "still" ? "" : "claim " + claim.meta.Key();
  }

  void Use(const PodRecord& pod, const std::string& node, bool at_start) {
    for (const PodClaim& used : pod.volumes->claims) {
      const std::string key = pod.meta.namespace_ + "/" + used.name;
      const PersistentVolumeClaimRecord* claim = Find(o_.volume_claims, key);
      if (claim == nullptr) continue;
      users_[key].insert(pod.meta.Key());
      const std::string counted = CountedAs(*claim);
      if (counted.empty()) continue;
      (at_start ? attached_[node].at_start : attached_[node].later).insert(counted);
    }
  }

  bool CanUse(const PersistentVolumeRecord& volume, const NodeRecord& node) const {
    return !volume.node_affinity ||
           std::ranges::any_of(*volume.node_affinity, [&](const NodeSelectorTerm& term) {
             return MatchesTerm(term, node);
           });
  }

  void Check(const Bind& bind) {
    const PodRecord& pod = *Find(o_.pods, bind.pod);
    const NodeRecord& node = *Find(o_.nodes, bind.node);
    Use(pod, bind.node, /*at_start=*/false);
    std::set<std::string> chosen;
    for (const VolumeChoice& choice : bind.volumes) {
      const PersistentVolumeClaimRecord* claim = Find(o_.volume_claims, choice.claim);
      if (claim == nullptr || claim->bound()) return Problem(bind, choice.claim + " is not open");
      chosen.insert(choice.claim);
      CheckChoice(bind, choice, *claim, node);
    }
    for (const PodClaim& used : pod.volumes->claims) {
      const std::string key = pod.meta.namespace_ + "/" + used.name;
      const PersistentVolumeClaimRecord* claim = Find(o_.volume_claims, key);
      if (claim == nullptr) return Problem(bind, key + " is not there");
      if (!claim->bound() && !chosen.contains(key)) Problem(bind, key + " has no volume");
      if (claim->bound() && !CanUse(*Find(o_.volumes, claim->volume), node))
        Problem(bind, key + " is elsewhere");
      const bool alone = (claim->access_modes & BitOf(AccessMode::kReadWriteOncePod)) != 0;
      if (alone && users_[key].size() > 1) Problem(bind, key + " has several users");
    }
  }

  void CheckChoice(const Bind& bind, const VolumeChoice& choice,
                   const PersistentVolumeClaimRecord& claim, const NodeRecord& node) {
    const auto [known, first] = decided_.try_emplace(choice.claim, choice.volume);
    if (known->second != choice.volume) Problem(bind, choice.claim + " is decided in two ways");
    if (choice.volume.empty()) {
      if (first) Provision(bind, claim, node);
      return;
    }
    const PersistentVolumeRecord* volume = Find(o_.volumes, choice.volume);
    if (volume == nullptr) return Problem(bind, choice.volume + " is not there");
    const auto [owner, fresh] = owner_of_.try_emplace(choice.volume, choice.claim);
    if (owner->second != choice.claim) Problem(bind, choice.volume + " is taken twice");
    const bool kept = volume->claim && volume->claim->name == claim.meta.name;
    if (volume->claim && !kept) Problem(bind, choice.volume + " is somebody else's");
    if (volume->storage_class != *claim.storage_class || volume->capacity < claim.request)
      Problem(bind, choice.volume + " is of another class or too small");
    if (!kept && ((claim.access_modes & ~volume->access_modes) != 0 ||
                  volume->phase != VolumePhase::kAvailable ||
                  (claim.selector && !MatchesSelector(claim.selector, volume->meta.labels))))
      Problem(bind, choice.volume + " does not suit " + choice.claim);
    if (!CanUse(*volume, node)) Problem(bind, choice.volume + " is elsewhere");
  }

  void Provision(const Bind& bind, const PersistentVolumeClaimRecord& claim,
                 const NodeRecord& node) {
    const StorageClassRecord* storage = Find(o_.storage_classes, *claim.storage_class);
    if (storage == nullptr || storage->provisioner == kNoProvisioner)
      return Problem(bind, claim.meta.Key() + " cannot be provisioned");
    const bool allowed = storage->allowed_topologies.empty() ||
                         std::ranges::any_of(storage->allowed_topologies, [&](const auto& t) {
                           return MatchesLabels(t, node.meta.labels);
                         });
    if (!allowed) Problem(bind, claim.meta.Key() + " cannot be provisioned there");
    if (o_.csi_drivers.empty() || claim.request == 0) return;
    for (const CsiStorageCapacityRecord& pool : o_.storage_capacities) {
      if (!MatchesSelector(pool.nodes, node.meta.labels)) continue;
      std::int64_t& used = used_[pool.meta.name];
      const bool first = used == 0;
      used += claim.request;
      const std::int64_t most =
          first ? pool.maximum_volume.value_or(*pool.capacity) : *pool.capacity;
      if (used > most) Problem(bind, claim.meta.Key() + " has no room");
      return;
    }
    Problem(bind, claim.meta.Key() + " has no pool");
  }

  void CheckLimits(const std::string& node, const Attached& of_node) {
    const CsiNodeRecord* csi = Find(o_.csi_nodes, node);
    if (csi == nullptr) return;
    std::set<std::string> all = of_node.at_start;
    all.insert(of_node.later.begin(), of_node.later.end());
    const auto count = static_cast<std::size_t>(*csi->drivers.front().count);
    if (all.size() > of_node.at_start.size() && all.size() > count)
      problems_.push_back(fmt::format("{} attaches {} of {}", node, all.size(), count));
  }

  const ClusterObjects& o_;
  std::vector<std::string> problems_;
  std::map<std::string, std::set<std::string>> users_;  // of claims
  std::map<std::string, Attached> attached_;            // by node
  std::map<std::string, std::string> decided_;
  std::map<std::string, std::string> owner_of_;
  std::map<std::string, std::int64_t> used_;
};

TEST(VolumeSessions, what_is_bound_breaks_nothing_that_the_objects_say) {
  std::size_t chosen = 0;
  ForEachSeed([&](std::uint64_t seed) {
    const ClusterObjects objects = ClusterOf(seed);
    const CycleResult result = DecideVolumes(objects, seed, 1);
    for (const Bind& bind : result.binds) chosen += bind.volumes.size();
    std::vector<std::string> problems = CheckResult(objects, result);
    const Checker checker(objects, result);
    problems.insert(problems.end(), checker.problems().begin(), checker.problems().end());
    ASSERT_TRUE(problems.empty()) << fmt::format("{}", fmt::join(problems, "\n"));
  });
  EXPECT_GT(chosen, static_cast<std::size_t>(Rounds() / 4));
}

TEST(VolumeSessions, neither_threads_nor_the_order_of_the_input_show) {
  ForEachSeed([](std::uint64_t seed) {
    const ClusterObjects objects = ClusterOf(seed);
    const CycleResult one = DecideVolumes(objects, seed, 1);
    for (const int threads : {2, 8})
      ASSERT_TRUE(DecideVolumes(objects, seed, threads) == one)
          << threads << " threads decide otherwise";
    ClusterObjects shuffled = Shuffled(objects, seed);
    std::ranges::reverse(shuffled.volumes);
    std::ranges::reverse(shuffled.volume_claims);
    std::ranges::reverse(shuffled.storage_capacities);
    const CycleResult other = DecideVolumes(shuffled, seed, 1);
    ASSERT_EQ(DecisionLines(other), DecisionLines(one));
    for (std::size_t i = 0; i < one.binds.size(); ++i)
      ASSERT_EQ(other.binds[i].volumes, one.binds[i].volumes) << one.binds[i].pod;
  });
}

}  // namespace
}  // namespace batholith::property
