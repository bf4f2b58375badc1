#include "volumes/volume_facts.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "api/volume_match.h"

namespace batholith {
namespace {

// Two claims of one text may choose among the same volumes, as far as those are large enough.
std::string ChoiceText(const PersistentVolumeClaimRecord& claim) {
  std::string out(ClassNameOf(claim));
  const auto add = [&out](std::string_view text) {
    out += '\x1f' + std::to_string(text.size()) + ' ';
    out += text;
  };
  out += '\x1f' + std::to_string(claim.access_modes) + ' ' +
         std::to_string(static_cast<int>(claim.mode));
  add(claim.attributes_class);
  if (!claim.selector) return out;
  for (const Requirement& r : claim.selector->requirements) {
    out += '\x1e' + std::to_string(static_cast<int>(r.op));
    add(r.key);
    for (const std::string& value : r.values) add(value);
  }
  return out;
}

}  // namespace

VolumeGroup* VolumeChoices::GroupOf(NodeSets::Id nodes) {
  const auto it = std::ranges::lower_bound(groups, nodes, {}, &VolumeGroup::nodes);
  return it == groups.end() || it->nodes != nodes ? nullptr : &*it;
}

VolumeFacts::VolumeFacts(const ClusterObjects& objects, std::vector<const NodeRecord*> nodes)
    : objects_(objects),
      nodes_(std::move(nodes)),
      claims_by_name_(objects.volume_claims),
      volumes_by_name_(objects.volumes),
      volume_nodes_(objects.volumes.size(), kNoId),
      places_(objects.volumes.size()) {
  for (const StorageClassRecord& storage : objects.storage_classes)
    classes_.emplace(storage.meta.name, &storage);
}

NodeSets::Id VolumeFacts::NodesOf(VolumeId id) {
  NodeSets::Id& known = volume_nodes_[id];
  if (known == kNoId) {
    // Nobody knows from where a volume can be used that could not be read.
    known = volume(id).meta.flaw.empty() ? nodes_.Of(volume(id).node_affinity) : NodeSets::kNone;
  }
  return known;
}

void VolumeFacts::SortByClass() {
  if (std::exchange(sorted_, true)) return;
  for (VolumeId v = 0; v < objects_.volumes.size(); ++v)
    volumes_of_[objects_.volumes[v].storage_class].push_back(v);
  for (PoolId p = 0; p < objects_.storage_capacities.size(); ++p)
    pools_of_[objects_.storage_capacities[p].storage_class].push_back(p);
}

StorageFacts VolumeFacts::FactsOf(const StorageClassRecord& storage) {
  SortByClass();
  StorageFacts out;
  out.record = &storage;
  out.provisions = !storage.provisioner.empty() && storage.provisioner != kNoProvisioner;
  out.nodes = nodes_.Of(storage.allowed_topologies);
  out.counted = std::ranges::any_of(objects_.csi_drivers, [&](const CsiDriverRecord& driver) {
    return driver.meta.name == storage.provisioner && driver.storage_capacity;
  });
  if (out.counted) {
    out.pools = pools_of_[storage.meta.name];
    std::ranges::sort(out.pools, {}, [this](PoolId p) { return pool(p).meta.Key(); });
    for (const PoolId p : out.pools) pool_nodes_.emplace(p, nodes_.Of(pool(p).nodes));
  }
  for (const VolumeId v : volumes_of_[storage.meta.name]) {
    const PersistentVolumeRecord& record = volume(v);
    if (!record.claim) {
      if (record.phase == VolumePhase::kAvailable) out.volumes.push_back(v);
      continue;
    }
    const ClaimId claim = FindClaim(record.claim->namespace_, record.claim->name);
    if (claim == kNoId || this->claim(claim).bound() || !IsKeptFor(record, this->claim(claim)) ||
        !IsGoodFor(record, this->claim(claim)) || record.capacity < this->claim(claim).request)
      continue;
    const auto [it, added] = out.kept.try_emplace(claim, v);
    if (!added && record.meta.name < volume(it->second).meta.name) it->second = v;
  }
  std::ranges::sort(out.volumes, [this](VolumeId a, VolumeId b) {
    return std::tie(volume(a).capacity, volume(a).meta.name) <
           std::tie(volume(b).capacity, volume(b).meta.name);
  });
  return out;
}

const StorageFacts* VolumeFacts::StorageOf(const PersistentVolumeClaimRecord& claim) {
  const auto named = classes_.find(ClassNameOf(claim));
  if (named == classes_.end()) return nullptr;
  std::unique_ptr<StorageFacts>& known = storage_[named->first];
  if (known == nullptr) known = std::make_unique<StorageFacts>(FactsOf(*named->second));
  return known.get();
}

VolumeChoices& VolumeFacts::ChoicesOf(const PersistentVolumeClaimRecord& claim,
                                      const StorageFacts& storage) {
  std::unique_ptr<VolumeChoices>& known = choices_[ChoiceText(claim)];
  if (known != nullptr) return *known;
  known = std::make_unique<VolumeChoices>();
  std::map<NodeSets::Id, std::vector<VolumeId>> groups;
  for (const VolumeId v : storage.volumes) {
    const PersistentVolumeRecord& record = volume(v);
    if (MayBeGivenTo(record, claim) && NodesOf(v) != NodeSets::kNone)
      groups[NodesOf(v)].push_back(v);
  }
  for (auto& [nodes, volumes] : groups) {
    known->local = known->local && nodes_.SizeOf(nodes) == 1;
    known->anywhere = known->anywhere && nodes == NodeSets::kAll;
    known->groups.push_back({nodes, std::move(volumes)});
  }
  for (VolumeGroup& group : known->groups) {
    for (std::size_t at = 0; at < group.volumes.size(); ++at)
      places_[group.volumes[at]].push_back({&group, at});
  }
  return *known;
}

const ClaimShape& VolumeFacts::ShapeOf(const PersistentVolumeClaimRecord& claim) {
  std::unique_ptr<ClaimShape>& known =
      shapes_[ChoiceText(claim) + '\x1d' + std::to_string(claim.request)];
  if (known != nullptr) return *known;
  known = std::make_unique<ClaimShape>();
  known->number = static_cast<std::uint32_t>(shapes_.size());
  known->storage = StorageOf(claim);
  known->request = claim.request;
  known->choices = &ChoicesOf(claim, *known->storage);
  known->counted = known->storage->counted && claim.request > 0;
  known->local = known->choices->local;
  known->anywhere = known->choices->anywhere && known->storage->nodes == NodeSets::kAll;
  if (!known->counted) return *known;
  for (const PoolId p : known->storage->pools) {
    known->local = known->local && nodes_.SizeOf(pool_nodes_.at(p)) <= 1;
    known->anywhere = known->anywhere && pool_nodes_.at(p) == NodeSets::kAll;
  }
  return *known;
}

VolumeId VolumeFacts::KeptFor(ClaimId claim) {
  const StorageFacts* storage = StorageOf(this->claim(claim));
  if (storage == nullptr) return kNoId;
  const auto it = storage->kept.find(claim);
  return it == storage->kept.end() ? kNoId : it->second;
}

}  // namespace batholith
