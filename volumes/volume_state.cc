#include "volumes/volume_state.h"

#include <algorithm>
#include <utility>

#include "volumes/holds.h"
#include "volumes/pod_disks.h"

namespace batholith {
namespace {

// A volume that is on no node yet.
constexpr std::uint32_t kNewVolume = kNoId;

void AddTo(std::string& out, char kind, std::int64_t number) {
  out += kind;
  out += std::to_string(number);
}

bool IsExclusive(const PersistentVolumeClaimRecord& claim) {
  return (claim.access_modes & BitOf(AccessMode::kReadWriteOncePod)) != 0;
}

}  // namespace

VolumeState::VolumeState(const ClusterObjects& objects, std::vector<const NodeRecord*> nodes,
                         VolumeRules rules, std::vector<VolumePod> pods)
    : rules_(rules),
      pods_(std::move(pods)),
      facts_(objects, std::move(nodes)),
      ledger_(facts_),
      limits_(facts_),
      uses_(objects.volume_claims.size()),
      class_of_(pods_.size(), kNoId) {
  FindClaims();
  std::unordered_map<std::string, ClassId> known;  // looked up only, never walked
  for (std::uint32_t p = 0; p < pods_.size(); ++p) {
    const VolumePod& pod = pods_[p];
    if (pod.record == nullptr || pod.record->volumes->empty()) continue;
    Class made = MakeClass(NeedsOf(facts_, rules_, *pod.record));
    const auto [it, added] =
        known.try_emplace(SignatureOf(made), static_cast<ClassId>(classes_.size()));
    if (added) classes_.push_back(std::move(made));
    class_of_[p] = it->second;
    if (pod.node < 0) continue;
    const auto node = static_cast<std::uint32_t>(pod.node);
    AddStanding(p, node);
    if (pod.leaving) ChangeLeaving(p, node, true);
  }
  limits_.AddAttached();
}

std::vector<LimitedVolume> VolumeState::LimitedOf(std::uint32_t p) {
  return limits_.VolumesOf(ClaimsOf(p), pods_[p].record->volumes->disks);
}

void VolumeState::FindClaims() {
  first_claim_.reserve(pods_.size() + 1);
  for (const VolumePod& pod : pods_) {
    const std::size_t first = claims_.size();
    first_claim_.push_back(static_cast<std::uint32_t>(first));
    if (pod.record == nullptr) continue;
    for (const PodClaim& volume : pod.record->volumes->claims) {
      const ClaimId claim = ClaimOf(facts_, *pod.record, volume);
      if (claim == kNoId || Holds(std::span(claims_).subspan(first), claim)) continue;
      claims_.push_back(claim);
      uses_[claim] = static_cast<std::uint8_t>(uses_[claim] == 0 ? 1 : 2);
      any_exclusive_ = any_exclusive_ || (uses_[claim] == 2 && IsExclusive(facts_.claim(claim)));
    }
  }
  first_claim_.push_back(static_cast<std::uint32_t>(claims_.size()));
}

VolumeState::Class VolumeState::MakeClass(PodNeeds needs) {
  Class out;
  // What only one pod uses, nobody else can have taken.
  std::erase_if(needs.exclusive, [this](ClaimId claim) { return uses_[claim] < 2; });
  out.around = !needs.exclusive.empty();
  out.plain = true;
  out.uniform = std::ranges::all_of(
      needs.bound, [this](VolumeId v) { return facts_.NodesOf(v) == NodeSets::kAll; });
  for (DelayedClaim& claim : needs.delayed) {
    claim.shared = uses_[claim.id] > 1;
    out.around = out.around || claim.shared || !claim.shape->local || claim.kept != kNoId;
    out.plain = out.plain && !claim.shared && !claim.selected && claim.kept == kNoId &&
                !claim.shape->counted && claim.shape->choices->groups.empty();
    out.uniform = out.uniform && !claim.selected && claim.kept == kNoId && !claim.shared &&
                  claim.shape->anywhere;
  }
  if (rules_.limits) {
    for (const ClaimId claim : needs.claims) {
      const bool is_new = uses_[claim] < 2 && Holds(needs.delayed, claim, &DelayedClaim::id);
      for (LimitedVolume volume : limits_.VolumesOf({&claim, 1})) {
        if (is_new) volume.volume = kNewVolume;
        if (is_new || !Holds(out.limited, volume)) out.limited.push_back(volume);
      }
    }
    if (needs.disks != nullptr) {
      for (const LimitedVolume& volume : limits_.VolumesOf({}, *needs.disks)) {
        if (!Holds(out.limited, volume)) out.limited.push_back(volume);
      }
    }
  }
  out.fixed = out.limited.empty() && needs.disks == nullptr && out.plain;
  out.needs = std::move(needs);
  return out;
}

// Pods of one text are alike wherever they go.
std::string VolumeState::SignatureOf(const Class& c) const {
  const PodNeeds& needs = c.needs;
  if (needs.refusal != ClaimRefusal::kNone) return "!" + needs.text;
  std::string out;
  if (needs.bound_to_nothing) out += 'm';
  for (const VolumeId volume : needs.bound) AddTo(out, 'b', volume);
  for (const ClaimId claim : needs.exclusive) AddTo(out, 'x', claim);
  for (const LimitedVolume& volume : c.limited) {
    AddTo(out, 'l', volume.driver);
    if (volume.volume != kNewVolume) AddTo(out, '/', volume.volume);
  }
  for (const DelayedClaim& claim : needs.delayed) {
    if (claim.shared || claim.kept != kNoId) AddTo(out, 'd', claim.id);
    if (claim.selected) AddTo(out, 's', claim.selected_on);
    const StorageFacts& storage = *claim.shape->storage;
    if (claim.shape->choices->groups.empty() && !claim.shape->counted) {
      out += "p" + storage.record->meta.name + '\x1f';
    } else {
      out += "v" + std::to_string(claim.shape->number) + '\x1f';
    }
  }
  for (const VolumeZone& zone : needs.zones) {
    out += 'z' + zone.key;
    for (const std::string& value : zone.values) out += '\x1f' + value;
  }
  if (needs.disks == nullptr) return out;
  for (const PodDisk& disk : *needs.disks) {
    out += "\x1ek" + std::to_string(static_cast<int>(disk.kind)) + (disk.read_only ? "r" : "w") +
           disk.id + '\x1f' + disk.pool;
    for (const std::string& monitor : disk.monitors) out += '\x1f' + monitor;
  }
  return out;
}

bool VolumeState::MindsPods(ClassId id) const {
  const Class& c = classes_[id];
  return !c.limited.empty() || c.needs.disks != nullptr || !c.needs.exclusive.empty();
}

bool VolumeState::DiskConflict(const PodNeeds& needs, std::uint32_t node, bool with_leaving) const {
  if (needs.disks == nullptr || !rules_.restrictions) return false;
  const auto there = disks_.find(node);
  if (there == disks_.end()) return false;
  return std::ranges::any_of(there->second, [&](const Disks& other) {
    if (other.leaving && !with_leaving) return false;
    const std::vector<PodDisk>& taken = pods_[other.pod].record->volumes->disks;
    return std::ranges::any_of(*needs.disks, [&](const PodDisk& disk) {
      return std::ranges::any_of(taken, [&](const PodDisk& t) { return DisksConflict(disk, t); });
    });
  });
}

bool VolumeState::InUse(const PodNeeds& needs, bool with_leaving) const {
  return std::ranges::any_of(needs.exclusive,
                             [&](ClaimId claim) { return ledger_.IsUsed(claim, with_leaving); });
}

// Of a verdict, the reason that kube-scheduler names first.
Reason VolumeState::Binding(const Class& c, std::uint32_t node) const {
  if (!rules_.binding) return Reason::kNone;
  if (c.plain && c.needs.bound.empty() && !c.needs.bound_to_nothing) {
    const bool fits = std::ranges::all_of(c.needs.delayed, [&](const DelayedClaim& claim) {
      const StorageFacts& storage = *claim.shape->storage;
      return storage.provisions && facts_.nodes().Has(storage.nodes, node);
    });
    return fits ? Reason::kNone : Reason::kNoVolumeToBind;
  }
  const BindingVerdict verdict = BindClaims(facts_, ledger_, c.needs, node, nullptr);
  if (verdict.affinity) return Reason::kVolumeNodeAffinity;
  if (verdict.no_volume) return Reason::kNoVolumeToBind;
  if (verdict.no_room) return Reason::kNotEnoughStorage;
  return verdict.missing ? Reason::kVolumeMissing : Reason::kNone;
}

Reason VolumeState::Check(ClassId id, std::uint32_t node, bool with_leaving) const {
  const Class& c = classes_[id];
  if (DiskConflict(c.needs, node, with_leaving)) return Reason::kDiskConflict;
  if (InUse(c.needs, with_leaving)) return Reason::kReadWriteOncePod;
  if (!c.limited.empty() && !limits_.Fits(node, c.limited, with_leaving))
    return Reason::kTooManyVolumes;
  if (const Reason why = Binding(c, node); why != Reason::kNone) return why;
  return IsInZones(c.needs.zones, facts_.nodes().node(node)) ? Reason::kNone : Reason::kVolumeZone;
}

Reason VolumeState::CheckAlone(ClassId id, std::uint32_t node, bool with_leaving) const {
  const Class& c = classes_[id];
  if (!c.around) return Check(id, node, with_leaving);
  if (DiskConflict(c.needs, node, with_leaving)) return Reason::kDiskConflict;
  if (!c.limited.empty() && !limits_.Fits(node, c.limited, with_leaving))
    return Reason::kTooManyVolumes;
  return IsInZones(c.needs.zones, facts_.nodes().node(node)) ? Reason::kNone : Reason::kVolumeZone;
}

Reason VolumeState::CheckAround(ClassId id, std::uint32_t node, bool with_leaving) const {
  const Class& c = classes_[id];
  if (!c.around) return Reason::kNone;
  if (InUse(c.needs, with_leaving)) return Reason::kReadWriteOncePod;
  return Binding(c, node);
}

std::int64_t VolumeState::Score(ClassId id, std::uint32_t node, const VolumeShape& shape,
                                std::vector<VolumeDecision>& chosen) const {
  chosen.clear();
  BindClaims(facts_, ledger_, classes_[id].needs, node, &chosen);
  return ScoreVolumes(facts_, ledger_, shape, chosen);
}

std::vector<Reason> VolumeState::AskRestrictions(ClassId id, std::uint32_t node,
                                                 bool with_leaving) const {
  const Class& c = classes_[id];
  if (DiskConflict(c.needs, node, with_leaving)) return {Reason::kDiskConflict};
  if (InUse(c.needs, with_leaving)) return {Reason::kReadWriteOncePod};
  return {};
}

std::vector<Reason> VolumeState::AskLimits(ClassId id, std::uint32_t node,
                                           bool with_leaving) const {
  if (limits_.Fits(node, classes_[id].limited, with_leaving)) return {};
  return {Reason::kTooManyVolumes};
}

std::vector<Reason> VolumeState::AskBinding(ClassId id, std::uint32_t node) const {
  std::vector<Reason> out;
  if (!rules_.binding) return out;
  const BindingVerdict verdict = BindClaims(facts_, ledger_, classes_[id].needs, node, nullptr);
  if (verdict.affinity) out.push_back(Reason::kVolumeNodeAffinity);
  if (verdict.no_volume) out.push_back(Reason::kNoVolumeToBind);
  if (verdict.no_room) out.push_back(Reason::kNotEnoughStorage);
  if (verdict.missing) out.push_back(Reason::kVolumeMissing);
  return out;
}

std::vector<Reason> VolumeState::AskZones(ClassId id, std::uint32_t node) const {
  if (IsInZones(classes_[id].needs.zones, facts_.nodes().node(node))) return {};
  return {Reason::kVolumeZone};
}

std::vector<ClaimId> VolumeState::ExclusiveOf(std::uint32_t p) const {
  std::vector<ClaimId> out;
  if (!any_exclusive_) return out;
  const PodRecord& pod = *pods_[p].record;
  for (const PodClaim& volume : pod.volumes->claims) {
    if (volume.ephemeral) continue;
    const ClaimId claim = ClaimOf(facts_, pod, volume);
    if (claim == kNoId || uses_[claim] < 2 || Holds(out, claim)) continue;
    if (IsExclusive(facts_.claim(claim))) out.push_back(claim);
  }
  return out;
}

void VolumeState::AddStanding(std::uint32_t p, std::uint32_t node) {
  for (const ClaimId claim : ExclusiveOf(p)) ledger_.AddUser(claim);
  if (limits_.any()) limits_.Add(node, LimitedOf(p));
  if (!pods_[p].record->volumes->disks.empty()) disks_[node].push_back({p, false});
}

void VolumeState::ChangeLeaving(std::uint32_t p, std::uint32_t node, bool leaves) {
  for (const ClaimId claim : ExclusiveOf(p)) {
    if (leaves) {
      ledger_.LeaveUser(claim);
    } else {
      ledger_.StayUser(claim);
    }
  }
  const std::vector<LimitedVolume> limited = LimitedOf(p);
  if (leaves) {
    limits_.Leave(node, limited);
  } else {
    limits_.Stay(node, limited);
  }
  if (pods_[p].record->volumes->disks.empty()) return;
  std::ranges::find(disks_[node], p, &Disks::pod)->leaving = leaves;
}

void VolumeState::Place(std::uint32_t p, std::uint32_t node) {
  if (class_of_[p] == kNoId) return;
  AddStanding(p, node);
  if (classes_[class_of_[p]].needs.delayed.empty() || !rules_.binding) return;
  std::vector<VolumeDecision> chosen;
  if (classes_[class_of_[p]].plain) {
    for (const ClaimId claim : ClaimsOf(p)) {
      if (!facts_.claim(claim).bound()) chosen.push_back({claim});
    }
  } else {
    PodNeeds needs = NeedsOf(facts_, rules_, *pods_[p].record);
    for (DelayedClaim& claim : needs.delayed) claim.shared = uses_[claim.id] > 1;
    BindClaims(facts_, ledger_, needs, node, &chosen);
  }
  ledger_.Take(chosen, node);
  decided_[p] = std::move(chosen);
}

void VolumeState::Remove(std::uint32_t p, std::uint32_t node) {
  if (class_of_[p] == kNoId) return;
  for (const ClaimId claim : ExclusiveOf(p)) ledger_.RemoveUser(claim);
  if (limits_.any()) limits_.Remove(node, LimitedOf(p));
  if (!pods_[p].record->volumes->disks.empty())
    std::erase_if(disks_[node], [p](const Disks& disks) { return disks.pod == p; });
  const auto decided = decided_.find(p);
  if (decided == decided_.end()) return;
  ledger_.GiveBack(decided->second);
  decided_.erase(decided);
}

void VolumeState::Leave(std::uint32_t p, std::uint32_t node) {
  if (class_of_[p] != kNoId) ChangeLeaving(p, node, true);
}

void VolumeState::Stay(std::uint32_t p, std::uint32_t node) {
  if (class_of_[p] != kNoId) ChangeLeaving(p, node, false);
}

std::vector<VolumeChoice> VolumeState::ChoicesOf(std::uint32_t p) const {
  std::vector<VolumeChoice> out;
  const auto decided = decided_.find(p);
  if (decided == decided_.end()) return out;
  for (const ClaimId claim : ClaimsOf(p)) {
    const auto it = std::ranges::find(decided->second, claim, &VolumeDecision::claim);
    if (it == decided->second.end()) continue;
    out.push_back({facts_.claim(claim).meta.Key(),
                   it->volume == kNoId ? std::string() : facts_.volume(it->volume).meta.name});
  }
  return out;
}

}  // namespace batholith
