#include "test/property/volume_cluster.h"

#include <string>
#include <utility>
#include <vector>

#include "test/property/draws.h"
#include "test/property/units.h"

namespace batholith::property {
namespace {

constexpr const char* kDriver = "disk.example.com";

class Volumes {
 public:
  Volumes(std::uint64_t seed, ClusterObjects& objects) : draws_(seed * 7919 + 13), o_(objects) {}

  void Add() {
    for (NodeRecord& node : o_.nodes) {
      node.meta.labels.Edit()[kHost] = node.meta.name;
      if (draws_.Chance(80)) node.meta.labels.Edit()[kZone] = draws_.Word({"a", "b"});
      if (draws_.Chance(40))
        o_.csi_nodes.push_back({Named(node.meta.name), {{kDriver, draws_.Int(0, 3)}}});
    }
    AddClasses();
    const int volumes = draws_.Int(0, 6);
    for (int v = 0; v < volumes; ++v) AddVolume("pv" + std::to_string(v));
    for (PodRecord& pod : o_.pods) {
      if (draws_.Chance(60)) AddTo(pod);
    }
  }

 private:
  static ObjectMeta Named(std::string name, std::string namespace_ = {}) {
    ObjectMeta meta;
    meta.name = std::move(name);
    meta.namespace_ = std::move(namespace_);
    meta.uid = "volume-" + meta.Key();
    return meta;
  }

  void AddClasses() {
    StorageClassRecord still{Named("still"), std::string(kNoProvisioner), true, {}};
    StorageClassRecord late{Named("late"), kDriver, true, {}};
    if (draws_.Chance(30)) late.allowed_topologies = {{{kZone, Requirement::Op::kIn, {"a"}}}};
    StorageClassRecord now{Named("now"), kDriver, false, {}};
    o_.storage_classes = {std::move(still), std::move(late), std::move(now)};
    if (draws_.Chance(50)) return;
    o_.csi_drivers.push_back({Named(kDriver), true});
    for (const char* zone : {"a", "b"}) {
      if (draws_.Chance(30)) continue;
      CsiStorageCapacityRecord pool;
      pool.meta = Named(std::string("pool-") + zone, "default");
      pool.storage_class = "late";
      pool.nodes = LabelSelector{{{kZone, Requirement::Op::kIn, {zone}}}};
      pool.capacity = draws_.Int(1, 8);
      if (draws_.Chance(30)) pool.maximum_volume = draws_.Int(1, 4);
      o_.storage_capacities.push_back(std::move(pool));
    }
  }

  PersistentVolumeRecord& AddVolume(std::string name) {
    PersistentVolumeRecord& out = o_.volumes.emplace_back();
    out.meta = Named(std::move(name));
    if (draws_.Chance(40)) out.meta.labels.Edit()["tier"] = draws_.Word({"x", "y"});
    out.storage_class = draws_.Word({"still", "late"});
    out.capacity = draws_.Int(1, 4);
    out.access_modes = draws_.Chance(70) ? 15 : BitOf(AccessMode::kReadWriteOnce);
    out.phase = draws_.Chance(90) ? VolumePhase::kAvailable : VolumePhase::kReleased;
    out.node_affinity = Affinity();
    if (draws_.Chance(50)) {
      out.csi_driver = kDriver;
      out.csi_handle = out.meta.name;
    }
    return out;
  }

  std::optional<std::vector<NodeSelectorTerm>> Affinity() {
    using Op = Requirement::Op;
    if (o_.nodes.empty() || draws_.Chance(40)) return std::nullopt;
    if (draws_.Chance(50))
      return std::vector<NodeSelectorTerm>{{{{kZone, Op::kIn, {draws_.Word({"a", "b"})}}}, {}}};
    return std::vector<NodeSelectorTerm>{{{{kHost, Op::kIn, {draws_.Of(o_.nodes).meta.name}}}, {}}};
  }

  void AddTo(PodRecord& pod) {
    PodVolumes out;
    for (int n = draws_.Int(1, 3); n > 0; --n) {
      if (draws_.Chance(15) && !o_.volume_claims.empty()) {
        const PersistentVolumeClaimRecord& shared = draws_.Of(o_.volume_claims);
        if (shared.meta.namespace_ == pod.meta.namespace_)
          out.claims.push_back({shared.meta.name, false});
        continue;
      }
      out.claims.push_back({AddClaim(pod), false});
    }
    if (draws_.Chance(15)) {
      out.disks.push_back({PodDisk::Kind::kGcePersistentDisk,
                           draws_.Word({"d1", "d2"}),
                           {},
                           {},
                           draws_.Chance(50)});
    }
    pod.volumes = std::move(out);
  }

  std::string AddClaim(const PodRecord& pod) {
    PersistentVolumeClaimRecord claim;
    claim.meta = Named("claim" + std::to_string(o_.volume_claims.size()), pod.meta.namespace_);
    claim.storage_class = draws_.Chance(95) ? draws_.Word({"still", "late"}) : "now";
    claim.request = draws_.Int(0, 4);
    claim.access_modes = draws_.Chance(15) ? BitOf(AccessMode::kReadWriteOncePod)
                                           : BitOf(AccessMode::kReadWriteOnce);
    if (draws_.Chance(25)) {
      claim.selector = LabelSelector{{{"tier", Requirement::Op::kIn, {draws_.Word({"x", "y"})}}}};
    }
    if (!pod.node_name.empty() || draws_.Chance(15)) {
      PersistentVolumeRecord& volume = AddVolume("bound" + std::to_string(o_.volumes.size()));
      volume.claim = {claim.meta.namespace_, claim.meta.name, claim.meta.uid};
      volume.phase = VolumePhase::kBound;
      if (!pod.node_name.empty()) volume.node_affinity.reset();
      claim.volume = volume.meta.name;
      claim.phase = ClaimPhase::kBound;
      claim.meta.annotations.Edit()[std::string(kBindCompleted)] = "yes";
    } else if (draws_.Chance(10)) {
      PersistentVolumeRecord& kept = AddVolume("kept" + std::to_string(o_.volumes.size()));
      kept.claim = {claim.meta.namespace_, claim.meta.name, ""};
    } else if (draws_.Chance(5) && !o_.nodes.empty()) {
      claim.meta.annotations.Edit()[std::string(kSelectedNode)] = draws_.Of(o_.nodes).meta.name;
    }
    o_.volume_claims.push_back(claim);
    return claim.meta.name;
  }

  Draws draws_;
  ClusterObjects& o_;
};

}  // namespace

void AddVolumes(std::uint64_t seed, ClusterObjects& objects) { Volumes(seed, objects).Add(); }

}  // namespace batholith::property
