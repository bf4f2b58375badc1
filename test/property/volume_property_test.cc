// Volumes: a pod's claims find their volumes on a node if and only if an exhaustive search over all
// assignments does; what is undone leaves nothing behind; nothing is taken twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "api/label_match.h"
#include "api/node_match.h"
#include "test/property/draws.h"
#include "test/property/property_env.h"
#include "test/property/volume_cluster.h"
#include "volumes/volume_state.h"

namespace batholith::property {
namespace {

// A few nodes and pods with volumes. Pod 0 waits; others stand on nodes or wait too.
ClusterObjects MakeCluster(std::uint64_t seed, int most_pods) {
  Draws draws(seed);
  ClusterObjects out;
  for (int n = draws.Int(1, 3); n > 0; --n)
    out.nodes.emplace_back().meta.name = "n" + std::to_string(n);
  for (int p = draws.Int(1, most_pods); p > 0; --p) {
    PodRecord& pod = out.pods.emplace_back();
    pod.meta.name = "p" + std::to_string(p);
    pod.meta.namespace_ = "default";
    if (out.pods.size() > 1 && draws.Chance(30)) pod.node_name = draws.Of(out.nodes).meta.name;
  }
  AddVolumes(seed, out);
  return out;
}

VolumeState StateOf(const ClusterObjects& objects) {
  std::vector<const NodeRecord*> nodes;
  for (const NodeRecord& node : objects.nodes) nodes.push_back(&node);
  std::vector<VolumePod> pods;
  for (const PodRecord& pod : objects.pods) {
    pods.push_back({&pod, -1, false});
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (nodes[n]->meta.name == pod.node_name) pods.back().node = static_cast<std::int64_t>(n);
    }
  }
  return {objects, nodes, VolumeRules{}, pods};
}

// Tries every volume, and provisioning, for every claim; from the objects alone.
class Exhaustive {
 public:
  Exhaustive(const ClusterObjects& objects, const PodRecord& pod, const NodeRecord& node)
      : o_(objects), pod_(pod), node_(node) {}

  bool Fits() { return Assign(0); }

 private:
  const PersistentVolumeClaimRecord& Claim(std::size_t i) const {
    return *std::ranges::find_if(o_.volume_claims, [&](const PersistentVolumeClaimRecord& c) {
      return c.meta.name == pod_.volumes->claims[i].name;
    });
  }
  const StorageClassRecord& ClassOf(const PersistentVolumeClaimRecord& claim) const {
    return *std::ranges::find_if(o_.storage_classes, [&](const StorageClassRecord& s) {
      return s.meta.name == *claim.storage_class;
    });
  }
  bool CanUse(const PersistentVolumeRecord& volume) const {
    if (!volume.node_affinity) return true;
    return std::ranges::any_of(*volume.node_affinity, [&](const NodeSelectorTerm& term) {
      return MatchesTerm(term, node_);
    });
  }
  bool IsKept(const PersistentVolumeRecord& volume,
              const PersistentVolumeClaimRecord& claim) const {
    return volume.claim && volume.claim->name == claim.meta.name &&
           volume.storage_class == *claim.storage_class && volume.capacity >= claim.request;
  }
  bool MayTake(const PersistentVolumeRecord& volume,
               const PersistentVolumeClaimRecord& claim) const {
    const bool kept = std::ranges::any_of(
        o_.volumes, [&](const PersistentVolumeRecord& v) { return IsKept(v, claim); });
    if (taken_.contains(volume.meta.name) || !CanUse(volume)) return false;
    if (kept) return IsKept(volume, claim);
    return !volume.claim && volume.phase == VolumePhase::kAvailable &&
           volume.storage_class == *claim.storage_class && volume.capacity >= claim.request &&
           (claim.access_modes & ~volume.access_modes) == 0 &&
           (!claim.selector || MatchesSelector(claim.selector, volume.meta.labels));
  }
  bool IsAllowed(const StorageClassRecord& storage) const {
    if (storage.provisioner == kNoProvisioner) return false;
    return storage.allowed_topologies.empty() ||
           std::ranges::any_of(storage.allowed_topologies, [&](const auto& topology) {
             return MatchesLabels(topology, node_.meta.labels);
           });
  }

  bool Assign(std::size_t i) {
    if (i == pod_.volumes->claims.size()) return true;
    const PersistentVolumeClaimRecord& claim = Claim(i);
    if (claim.bound()) {
      const auto volume = std::ranges::find_if(
          o_.volumes, [&](const PersistentVolumeRecord& v) { return v.meta.name == claim.volume; });
      return CanUse(*volume) && Assign(i + 1);
    }
    for (std::size_t before = 0; before < i; ++before) {
      if (&Claim(before) == &claim) return Assign(i + 1);
    }
    const std::string* selected = claim.selected_node();
    if (selected != nullptr && *selected != node_.meta.name) return false;
    if (selected == nullptr) {
      for (const PersistentVolumeRecord& volume : o_.volumes) {
        if (!MayTake(volume, claim)) continue;
        taken_.insert(volume.meta.name);
        const bool fits = Assign(i + 1);
        taken_.erase(volume.meta.name);
        if (fits) return true;
      }
    }
    return Provision(claim, i);
  }

  bool Provision(const PersistentVolumeClaimRecord& claim, std::size_t i) {
    const StorageClassRecord& storage = ClassOf(claim);
    if (!IsAllowed(storage)) return false;
    const bool counted = std::ranges::any_of(o_.csi_drivers, [&](const CsiDriverRecord& driver) {
      return driver.meta.name == storage.provisioner && driver.storage_capacity;
    });
    if (!counted || claim.request == 0) return Assign(i + 1);
    for (const CsiStorageCapacityRecord& pool : o_.storage_capacities) {
      if (pool.storage_class != storage.meta.name ||
          !MatchesSelector(pool.nodes, node_.meta.labels))
        continue;
      std::int64_t& used = used_[pool.meta.name];
      const bool alone = pool.maximum_volume.value_or(*pool.capacity) >= claim.request;
      if (!alone || (used > 0 && used + claim.request > *pool.capacity)) continue;
      used += claim.request;
      const bool fits = Assign(i + 1);
      used_[pool.meta.name] -= claim.request;
      if (fits) return true;
    }
    return false;
  }

  const ClusterObjects& o_;
  const PodRecord& pod_;
  const NodeRecord& node_;
  std::set<std::string> taken_;
  std::map<std::string, std::int64_t> used_;
};

TEST(Volumes, a_pod_fits_if_and_only_if_some_assignment_does) {
  int fits = 0;
  int misfits = 0;
  ForEachSeed([&](std::uint64_t seed) {
    const ClusterObjects objects = MakeCluster(seed, 1);
    const VolumeState state = StateOf(objects);
    if (state.ClassOf(0) == kNoId) return;
    if (state.NeedsOfClass(state.ClassOf(0)).refusal != ClaimRefusal::kNone) return;
    for (std::uint32_t n = 0; n < objects.nodes.size(); ++n) {
      const bool any = Exhaustive(objects, objects.pods[0], objects.nodes[n]).Fits();
      ++(any ? fits : misfits);
      ASSERT_EQ(state.AskBinding(state.ClassOf(0), n).empty(), any) << objects.nodes[n].meta.name;
    }
  });
  EXPECT_GT(fits, Rounds() / 10);
  EXPECT_GT(misfits, Rounds() / 10);
}

// All that a state says of its pods.
std::vector<Reason> VolumeAnswersOf(const VolumeState& state, const ClusterObjects& objects) {
  std::vector<Reason> out;
  for (std::uint32_t p = 0; p < objects.pods.size(); ++p) {
    const VolumeState::ClassId c = state.ClassOf(p);
    if (c == kNoId || state.NeedsOfClass(c).refusal != ClaimRefusal::kNone) continue;
    for (std::uint32_t n = 0; n < objects.nodes.size(); ++n) {
      for (const bool leaving : {true, false}) {
        out.push_back(state.Check(c, n, leaving));
        const Reason alone = state.CheckAlone(c, n, leaving);
        const Reason around = state.CheckAround(c, n, leaving);
        // Two parts find what the whole finds.
        EXPECT_EQ(out.back() == Reason::kNone, alone == Reason::kNone && around == Reason::kNone);
      }
    }
  }
  return out;
}

// What was decided of claims so far takes no volume and no room twice.
void CheckTaken(const VolumeState& state, const ClusterObjects& objects,
                const std::map<std::uint32_t, std::uint32_t>& placed) {
  std::map<std::string, std::string> owner_of;
  std::map<std::string, std::string> volume_of;
  for (const auto& [pod, node] : placed) {
    for (const VolumeChoice& choice : state.ChoicesOf(pod)) {
      const auto [known, first] = volume_of.try_emplace(choice.claim, choice.volume);
      EXPECT_EQ(known->second, choice.volume) << choice.claim << " is decided twice";
      if (choice.volume.empty()) continue;
      const auto [owner, fresh] = owner_of.try_emplace(choice.volume, choice.claim);
      EXPECT_EQ(owner->second, choice.claim) << choice.volume << " is taken twice";
    }
  }
  std::int64_t in_all = 0;
  std::int64_t room = 0;
  for (const CsiStorageCapacityRecord& pool : objects.storage_capacities)
    room += std::max(*pool.capacity, pool.maximum_volume.value_or(0));
  for (const PersistentVolumeClaimRecord& claim : objects.volume_claims) {
    const auto it = volume_of.find(claim.meta.Key());
    if (it != volume_of.end() && it->second.empty() && *claim.storage_class == "late")
      in_all += claim.request;
  }
  EXPECT_TRUE(objects.csi_drivers.empty() || in_all <= room) << in_all << " of " << room;
}

TEST(Volumes, undo_brings_everything_back_and_nothing_is_taken_twice) {
  ForEachSeed([](std::uint64_t seed) {
    const ClusterObjects objects = MakeCluster(seed, 6);
    VolumeState state = StateOf(objects);
    const std::vector<Reason> before = VolumeAnswersOf(state, objects);
    Draws draws(seed + 1);
    std::map<std::uint32_t, std::uint32_t> placed;
    std::set<std::uint32_t> left;
    for (int step = 0; step < 12; ++step) {
      const auto pod = static_cast<std::uint32_t>(draws.Between(0, std::ssize(objects.pods) - 1));
      const auto node = static_cast<std::uint32_t>(draws.Between(0, std::ssize(objects.nodes) - 1));
      if (!objects.pods[pod].node_name.empty()) {
        std::uint32_t on = 0;
        while (objects.nodes[on].meta.name != objects.pods[pod].node_name) ++on;
        if (left.insert(pod).second) {
          state.Leave(pod, on);
        } else {
          left.erase(pod);
          state.Stay(pod, on);
        }
      } else if (const auto it = placed.find(pod); it != placed.end()) {
        state.Remove(pod, it->second);
        placed.erase(it);
      } else {
        const VolumeState::ClassId c = state.ClassOf(pod);
        const bool asks = c != kNoId;
        if (asks && state.NeedsOfClass(c).refusal != ClaimRefusal::kNone) continue;
        if (asks && state.Check(c, node, true) != Reason::kNone) continue;
        state.Place(pod, node);
        placed[pod] = node;
      }
      CheckTaken(state, objects, placed);
    }
    for (const auto& [pod, node] : placed) state.Remove(pod, node);
    for (const std::uint32_t pod : left) {
      std::uint32_t on = 0;
      while (objects.nodes[on].meta.name != objects.pods[pod].node_name) ++on;
      state.Stay(pod, on);
    }
    ASSERT_EQ(VolumeAnswersOf(state, objects), before);
  });
}

// Pods of one class are alike: where the pods before them stand, they get the same answer.
TEST(Volumes, a_class_answers_for_each_of_its_pods) {
  ForEachSeed([](std::uint64_t seed) {
    const ClusterObjects objects = MakeCluster(seed, 6);
    VolumeState state = StateOf(objects);
    Draws draws(seed + 2);
    for (std::uint32_t pod = 0; pod < objects.pods.size(); ++pod) {
      const VolumeState::ClassId c = state.ClassOf(pod);
      if (!objects.pods[pod].node_name.empty() || c == kNoId) continue;
      if (state.NeedsOfClass(c).refusal != ClaimRefusal::kNone) continue;
      const auto node = static_cast<std::uint32_t>(draws.Between(0, std::ssize(objects.nodes) - 1));
      const bool fits = state.Check(c, node, true) == Reason::kNone;
      if (!fits) continue;
      state.Place(pod, node);
      std::set<std::string> decided;
      for (const VolumeChoice& choice : state.ChoicesOf(pod)) decided.insert(choice.claim);
      const PodNeeds& needs = state.NeedsOfClass(c);
      ASSERT_EQ(decided.size(), needs.delayed.size())
          << "the class said that all of the pod's claims have a place";
    }
  });
}

}  // namespace
}  // namespace batholith::property
