#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "sim/volume_controller.h"
#include "test/property/draws.h"
#include "test/property/property_env.h"

// What the simulated cluster makes of claims that wait for no pod, held against the objects alone.
namespace batholith::property {
namespace {

using Claim = PersistentVolumeClaimRecord;
using Volume = PersistentVolumeRecord;

constexpr const char* kDefault = "storageclass.kubernetes.io/is-default-class";

class Objects {
 public:
  explicit Objects(std::uint64_t seed) : draws_(seed * 6151 + 7) {}

  ClusterObjects Make() {
    for (const char* name : {"now", "still", "late"}) {
      StorageClassRecord& storage = o_.storage_classes.emplace_back();
      storage.meta.name = name;
      storage.provisioner = name == std::string("still") ? kNoProvisioner : "disk.example.com";
      storage.waits_for_pod = name == std::string("late");
      if (draws_.Chance(20)) storage.meta.annotations.Edit()[kDefault] = "true";
    }
    for (int n = draws_.Int(0, 6); n > 0; --n) AddClaim();
    for (int n = draws_.Int(0, 6); n > 0; --n) AddVolume();
    for (int n = draws_.Int(0, 2); n > 0; --n) AddPod();
    return std::move(o_);
  }

 private:
  std::string Class() { return draws_.Word({"now", "still", "late", "missing", ""}); }
  AccessModes Modes() { return static_cast<AccessModes>(draws_.Int(1, 3)); }

  void AddClaim() {
    Claim& claim = o_.volume_claims.emplace_back();
    claim.meta.namespace_ = "ns";
    claim.meta.name = "c" + std::to_string(o_.volume_claims.size());
    claim.meta.uid = "uid-" + claim.meta.name;
    if (draws_.Chance(80)) claim.storage_class = Class();
    claim.request = draws_.Int(1, 4);
    claim.access_modes = Modes();
    if (draws_.Chance(20)) claim.volume = "v" + std::to_string(draws_.Int(1, 6));
    if (draws_.Chance(20)) claim.selector = LabelSelector{{{"tier", Requirement::Op::kIn, {"x"}}}};
  }

  void AddVolume() {
    Volume& volume = o_.volumes.emplace_back();
    volume.meta.name = "v" + std::to_string(o_.volumes.size());
    volume.storage_class = Class();
    volume.capacity = draws_.Int(1, 5);
    volume.access_modes = Modes();
    volume.phase = static_cast<VolumePhase>(draws_.Int(0, 3));
    if (draws_.Chance(40)) volume.meta.labels.Edit()["tier"] = draws_.Word({"x", "y"});
    if (draws_.Chance(30))
      volume.claim = VolumeClaimRef{"ns", "c" + std::to_string(draws_.Int(1, 6)), ""};
  }

  void AddPod() {
    PodRecord& pod = o_.pods.emplace_back();
    pod.meta.namespace_ = "ns";
    pod.meta.name = "p" + std::to_string(o_.pods.size());
    pod.meta.uid = "uid-" + pod.meta.name;
    pod.volumes.Edit().claims.push_back(
        {"e", true,
         R"({"spec": {"storageClassName": "now", "resources": {"requests": {"storage": "2"}}}})"});
  }

  Draws draws_;
  ClusterObjects o_;
};

bool Suits(const Volume& volume, const Claim& claim) {
  return volume.capacity >= claim.request &&
         volume.storage_class == claim.storage_class.value_or("") &&
         (claim.access_modes & ~volume.access_modes) == 0 &&
         (!claim.selector ||
          (volume.meta.labels->contains("tier") && volume.meta.labels->at("tier") == "x"));
}

void Check(const ClusterObjects& before, const ClusterObjects& after) {
  std::map<std::string, const Volume*> volumes;
  for (const Volume& volume : after.volumes) volumes[volume.meta.name] = &volume;
  std::map<std::string, int> users;
  for (std::size_t c = 0; c < after.volume_claims.size(); ++c) {
    const Claim& claim = after.volume_claims[c];
    SCOPED_TRACE(claim.meta.name);
    if (claim.bound()) {
      ASSERT_TRUE(volumes.contains(claim.volume));
      const Volume& volume = *volumes[claim.volume];
      ASSERT_TRUE(volume.claim);
      EXPECT_EQ(volume.claim->Key(), claim.meta.Key());
      EXPECT_EQ(volume.phase, VolumePhase::kBound);
      EXPECT_EQ(++users[claim.volume], 1) << claim.volume << " has two claims";
      const bool named = c < before.volume_claims.size() && !before.volume_claims[c].volume.empty();
      EXPECT_TRUE(named || volume.capacity >= claim.request);
      EXPECT_NE(claim.storage_class.value_or("") == "late" && !named, true) << "waits for its pod";
      continue;
    }
    if (!claim.volume.empty() || claim.storage_class == "late") continue;
    EXPECT_FALSE(claim.storage_class == "now" && !claim.selector) << "one could be made";
    for (const Volume& volume : after.volumes) {
      const bool is_free = !volume.claim && volume.phase == VolumePhase::kAvailable;
      EXPECT_FALSE(is_free && Suits(volume, claim)) << volume.meta.name << " would do";
    }
  }
}

TEST(VolumeControllerProperty, claims_get_volumes_of_their_own_as_far_as_there_are_any) {
  ForEachSeed([](std::uint64_t seed) {
    const ClusterObjects before = Objects(seed).Make();
    ClusterObjects after = before;
    VolumeController(after).Reconcile(1);
    Check(before, after);
    EXPECT_FALSE(HasVolumeWork(after)) << "it never comes to rest";
    ClusterObjects again = after;
    VolumeController(again).Reconcile(2);
    EXPECT_EQ(again.volume_claims, after.volume_claims);
    EXPECT_EQ(again.volumes, after.volumes);
    for (const PodRecord& pod : after.pods) VolumeController(again).OnGone(pod);
    EXPECT_EQ(again.volume_claims.size(), before.volume_claims.size());
  });
}

}  // namespace
}  // namespace batholith::property
