#include "sim/volume_controller.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/default_storage_class.h"
#include "api/node_match.h"
#include "codec/claim_templates.h"
#include "sim/claim_matcher.h"
#include "sim/volume_room.h"

namespace batholith {
namespace {

// On volumes that are made: by which provisioner, and from which room.
constexpr std::string_view kProvisionedBy = "pv.kubernetes.io/provisioned-by";
constexpr std::string_view kMadeFrom = "simulation.batholith.dev/made-from";

void Join(PersistentVolumeRecord& volume, PersistentVolumeClaimRecord& claim) {
  volume.claim = {claim.meta.namespace_, claim.meta.name, claim.meta.uid};
  volume.phase = VolumePhase::kBound;
  volume.meta.annotations.Edit()[std::string(kBoundByController)] = "yes";
  claim.volume = volume.meta.name;
  claim.phase = ClaimPhase::kBound;
  claim.meta.annotations.Edit()[std::string(kBindCompleted)] = "yes";
}

// The topologies of the class in which the node is, or without a node the first, each label with
// its first value; absent: everywhere.
std::optional<std::vector<NodeSelectorTerm>> AffinityOf(const StorageClassRecord& storage,
                                                        const NodeRecord* node) {
  if (storage.allowed_topologies.empty()) return std::nullopt;
  std::vector<NodeSelectorTerm> out;
  for (const std::vector<Requirement>& topology : storage.allowed_topologies) {
    NodeSelectorTerm term{topology, {}};
    if (node != nullptr && !MatchesTerm(term, *node)) continue;
    out.push_back(std::move(term));
    if (node != nullptr) continue;
    for (Requirement& label : out.back().expressions) {
      if (label.values.size() > 1) label.values.resize(1);
    }
    break;
  }
  return out;
}

template <typename Record>
void IndexTo(const std::vector<Record>& records,
             std::unordered_map<std::string, std::size_t>& out) {
  for (std::size_t i = 0; i < records.size(); ++i) out.emplace(records[i].meta.Key(), i);
}

bool IsActive(const PodRecord& pod) {
  return !pod.meta.deleting && pod.phase != PodPhase::kSucceeded && pod.phase != PodPhase::kFailed;
}

bool IsMadeFor(const PodClaim& claim) { return claim.ephemeral && !claim.template_text.empty(); }

std::string KeyOfClaim(const PodRecord& pod, const PodClaim& claim) {
  return pod.meta.Key() + "-" + claim.name;
}

bool NeedsClass(const PersistentVolumeClaimRecord& claim) {
  return !claim.storage_class && claim.volume.empty() && !claim.meta.deleting;
}

// Nobody has looked at it yet.
bool IsNew(const PersistentVolumeRecord& volume) {
  return volume.phase == VolumePhase::kPending && !volume.claim && !volume.meta.deleting;
}

}  // namespace

void VolumeController::Index() {
  if (std::exchange(indexed_, true)) return;
  IndexTo(objects_.volume_claims, claims_);
  IndexTo(objects_.volumes, volumes_);
  IndexTo(objects_.nodes, nodes_);
}

const StorageClassRecord* VolumeController::ClassOf(
    const PersistentVolumeClaimRecord& claim) const {
  const auto it = std::ranges::find_if(objects_.storage_classes, [&](const auto& storage) {
    return claim.storage_class && storage.meta.name == *claim.storage_class;
  });
  return it == objects_.storage_classes.end() ? nullptr : &*it;
}

void VolumeController::Provision(PersistentVolumeClaimRecord& claim,
                                 const StorageClassRecord* storage, const NodeRecord* node) {
  PersistentVolumeRecord out;
  out.meta.name = "pvc-" + claim.meta.namespace_ + "-" + claim.meta.name;
  while (volumes_.contains(out.meta.name)) out.meta.name += "-2";
  out.meta.uid = out.meta.name;
  out.storage_class = claim.storage_class.value_or("");
  out.attributes_class = claim.attributes_class;
  out.capacity = claim.request;
  out.access_modes = claim.access_modes;
  out.mode = claim.mode;
  out.csi_handle = out.meta.name;
  if (storage != nullptr) {
    out.csi_driver = storage->provisioner;
    out.node_affinity = AffinityOf(*storage, node);
    out.meta.annotations.Edit()[std::string(kProvisionedBy)] = storage->provisioner;
  }
  if (node != nullptr) {
    if (const CsiStorageCapacityRecord* from = TakeRoom(claim, *node, objects_)) {
      out.meta.annotations.Edit()[std::string(kMadeFrom)] = from->meta.Key();
      // It lies where the room was, which may be one node's own.
      if (from->nodes && !from->nodes->requirements.empty() && !out.node_affinity)
        out.node_affinity = {{from->nodes->requirements, {}}};
    }
  }
  volumes_.emplace(out.meta.name, objects_.volumes.size());
  objects_.volumes.push_back(std::move(out));
  Join(objects_.volumes.back(), claim);
}

void VolumeController::OnBound(const Bind& bind) {
  if (bind.volumes.empty()) return;
  Index();
  const auto node = nodes_.find(bind.node);
  if (node == nodes_.end()) return;
  for (const VolumeChoice& choice : bind.volumes) {
    const auto found = claims_.find(choice.claim);
    if (found == claims_.end()) continue;
    PersistentVolumeClaimRecord& claim = objects_.volume_claims[found->second];
    if (claim.bound()) continue;  // another pod of the session shares it
    if (choice.volume.empty()) {
      claim.meta.annotations.Edit()[std::string(kSelectedNode)] = bind.node;
      Provision(claim, ClassOf(claim), &objects_.nodes[node->second]);
    } else if (const auto volume = volumes_.find(choice.volume); volume != volumes_.end()) {
      Join(objects_.volumes[volume->second], claim);
    }
  }
}

void VolumeController::MakeEphemeral(const PodRecord& pod, TimeNs now) {
  for (const PodClaim& volume : pod.volumes->claims) {
    const std::string key = KeyOfClaim(pod, volume);
    if (!IsMadeFor(volume) || claims_.contains(key)) continue;
    PersistentVolumeClaimRecord claim =
        ClaimFromText(volume.template_text, pod.meta.namespace_, pod.meta.name + "-" + volume.name);
    claim.meta.uid = key;
    claim.meta.creation = now;
    claim.meta.owner.Edit().uid = pod.meta.uid;
    claim.meta.owner.Edit().kind = "Pod";
    claim.meta.owner.Edit().name = pod.meta.name;
    claims_.emplace(key, objects_.volume_claims.size());
    objects_.volume_claims.push_back(std::move(claim));
  }
}

void VolumeController::Reconcile(TimeNs now) {
  Index();
  for (const PodRecord& pod : objects_.pods) {
    if (IsActive(pod)) MakeEphemeral(pod, now);
  }
  const StorageClassRecord* fallback = DefaultStorageClass(objects_.storage_classes);
  for (PersistentVolumeRecord& volume : objects_.volumes) {
    if (IsNew(volume)) volume.phase = VolumePhase::kAvailable;
  }
  for (PersistentVolumeClaimRecord& claim : objects_.volume_claims) {
    if (fallback != nullptr && NeedsClass(claim)) claim.storage_class = fallback->meta.name;
  }
  // All are found before any is made: a matcher looks at the volumes as they are.
  std::vector<std::pair<std::size_t, ClaimMatcher::Match>> found;
  ClaimMatcher matcher(objects_);
  for (std::size_t c = 0; c < objects_.volume_claims.size(); ++c) {
    if (const auto match = matcher.Find(objects_.volume_claims[c])) found.emplace_back(c, *match);
  }
  for (const auto& [c, match] : found) {
    PersistentVolumeClaimRecord& claim = objects_.volume_claims[c];
    if (match.provisions != nullptr) {
      Provision(claim, match.provisions, nullptr);
    } else {
      Join(objects_.volumes[match.volume], claim);
    }
  }
}

void VolumeController::Release(const std::string& name) {
  const auto volume = std::ranges::find_if(
      objects_.volumes, [&](const auto& record) { return record.meta.name == name; });
  if (volume == objects_.volumes.end()) return;
  const Labels& annotations = volume->meta.annotations;
  if (!annotations.contains(kProvisionedBy)) {
    volume->phase = VolumePhase::kReleased;
    return;
  }
  if (const auto from = annotations.find(kMadeFrom); from != annotations.end())
    GiveRoomBack(from->second, volume->capacity, objects_);
  objects_.volumes.erase(volume);
}

void VolumeController::OnGone(const PodRecord& pod) {
  for (const PodClaim& volume : pod.volumes->claims) {
    if (!volume.ephemeral) continue;
    const std::string key = KeyOfClaim(pod, volume);
    const auto claim = std::ranges::find_if(objects_.volume_claims, [&](const auto& record) {
      return record.meta.Key() == key && record.meta.owner->uid == pod.meta.uid;
    });
    if (claim == objects_.volume_claims.end()) continue;
    const std::string bound = claim->volume;
    objects_.volume_claims.erase(claim);
    if (!bound.empty()) Release(bound);
  }
}

bool HasVolumeWork(const ClusterObjects& objects) {
  std::unordered_map<std::string, std::size_t> claims;
  IndexTo(objects.volume_claims, claims);
  const auto lacks_claim = [&](const PodRecord& pod) {
    return IsActive(pod) && std::ranges::any_of(pod.volumes->claims, [&](const PodClaim& volume) {
             return IsMadeFor(volume) && !claims.contains(KeyOfClaim(pod, volume));
           });
  };
  if (std::ranges::any_of(objects.pods, lacks_claim)) return true;
  if (objects.volume_claims.empty()) return false;
  if (DefaultStorageClass(objects.storage_classes) != nullptr &&
      std::ranges::any_of(objects.volume_claims, NeedsClass))
    return true;
  if (std::ranges::any_of(objects.volumes, IsNew)) return true;
  ClaimMatcher matcher(objects);
  return std::ranges::any_of(objects.volume_claims, [&](const PersistentVolumeClaimRecord& claim) {
    return matcher.Find(claim).has_value();
  });
}

}  // namespace batholith
