#include "volumes/claim_binding.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "volumes/holds.h"

namespace batholith {
namespace {

// More claims than that are matched as they come.
constexpr std::size_t kMostMatched = 64;
// Steps in search of room for several volumes in several pools.
constexpr int kMostSteps = 4096;

class Binder {
 public:
  Binder(const VolumeFacts& facts, const VolumeLedger& ledger, std::uint32_t node)
      : facts_(facts), ledger_(ledger), node_(node) {}

  // Sorts out what is not to be matched. False: one of them is bound elsewhere.
  bool Read(const PodNeeds& needs) {
    for (const DelayedClaim& claim : needs.delayed) {
      const VolumeLedger::Decided* decided = claim.shared ? ledger_.DecisionOf(claim.id) : nullptr;
      if (decided != nullptr) {
        if (!CanUse(*decided)) return false;
        chosen_.push_back(decided->what);
      } else if (!claim.selected) {
        open_.push_back(&claim);
      } else if (claim.selected_on == node_) {
        provisioned_.push_back(&claim);
      } else {
        return false;
      }
    }
    std::ranges::stable_sort(open_, {}, [](const DelayedClaim* c) { return c->shape->request; });
    return true;
  }

  // As kube-scheduler has it.
  BindingVerdict BindGreedily() {
    const std::size_t kept = chosen_.size();
    std::vector<const DelayedClaim*> left = provisioned_;
    for (const DelayedClaim* claim : open_) {
      const VolumeId volume = FirstOpen(*claim, kept);
      if (volume == kNoId) {
        left.push_back(claim);
      } else {
        chosen_.push_back({claim->id, volume});
      }
    }
    BindingVerdict verdict = Provision(left);
    if (!verdict.ok()) chosen_.resize(kept);
    return verdict;
  }

  // Another assignment, if there is one.
  bool Rematch() {
    if (open_.size() < 2 || open_.size() > kMostMatched) return false;
    std::vector<Candidate> candidates;
    for (const DelayedClaim* claim : open_)
      candidates.push_back({claim, Volumes(*claim), CanProvision(*claim)});
    // Who must have a volume first, then who takes the most room without one.
    std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
      if (a.can_do_without != b.can_do_without) return !a.can_do_without;
      return a.claim->shape->request > b.claim->shape->request;
    });
    owners_.clear();
    std::vector<const DelayedClaim*> left = provisioned_;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      std::vector<VolumeId> seen;
      if (Augment(candidates, c, seen)) continue;
      if (!candidates[c].can_do_without) return false;
      left.push_back(candidates[c].claim);
    }
    const std::size_t kept = chosen_.size();
    for (const auto& [volume, c] : owners_) chosen_.push_back({candidates[c].claim->id, volume});
    if (Provision(left).ok()) return true;
    chosen_.resize(kept);
    return false;
  }

  // Of a pod's only unbound claim, that nobody else uses and for which no volume is being made.
  BindingVerdict FitOne(const DelayedClaim& claim, std::vector<VolumeDecision>* chosen) const {
    BindingVerdict verdict;
    VolumeDecision decision{claim.id, FirstOpen(claim, 0), kNoId};
    if (decision.volume == kNoId) {
      verdict.no_volume = !IsAllowed(claim);
      if (!verdict.no_volume && IsCounted(claim)) {
        decision.pool = FirstWithRoom(claim);
        verdict.no_room = decision.pool == kNoId;
      }
    }
    if (chosen != nullptr && verdict.ok()) chosen->push_back(decision);
    return verdict;
  }

  std::vector<VolumeDecision> TakeChosen() { return std::move(chosen_); }

 private:
  struct Candidate {
    const DelayedClaim* claim = nullptr;
    std::vector<VolumeId> volumes;
    bool can_do_without = false;
  };
  struct Room {  // taken by this pod from a pool
    PoolId pool = kNoId;
    std::int64_t bytes = 0;
  };

  bool CanUse(const VolumeLedger::Decided& decided) const {
    return decided.what.volume == kNoId ? decided.node == node_ : IsUsable(decided.what.volume);
  }

  bool IsUsable(VolumeId volume) const {
    return facts_.nodes().Has(facts_.KnownNodesOf(volume), node_);
  }

  // Calls `visit` with each group whose volumes the node can use.
  template <typename Visit>
  void ForEachGroup(const ClaimShape& shape, Visit visit) const {
    VolumeChoices& choices = *shape.choices;
    if (choices.groups.empty()) return;
    const std::span<const NodeSets::Id> sets = facts_.nodes().SetsWith(node_);
    if (choices.groups.size() <= sets.size() + 1) {
      for (const VolumeGroup& group : choices.groups) {
        if (facts_.nodes().Has(group.nodes, node_)) visit(group);
      }
      return;
    }
    if (const VolumeGroup* group = choices.GroupOf(NodeSets::kAll)) visit(*group);
    for (const NodeSets::Id set : sets) {
      if (const VolumeGroup* group = choices.GroupOf(set)) visit(*group);
    }
  }

  // Those of the group that are large enough and may be open, the smallest first.
  std::span<const VolumeId> LargeEnough(const VolumeGroup& group, std::int64_t request) const {
    const auto begin = std::ranges::lower_bound(
        group.volumes, request, {}, [this](VolumeId v) { return facts_.volume(v).capacity; });
    const auto first =
        std::max(static_cast<std::size_t>(begin - group.volumes.begin()), group.first_open);
    return std::span(group.volumes).subspan(std::min(first, group.volumes.size()));
  }

  bool IsSmaller(VolumeId a, VolumeId b) const {
    const PersistentVolumeRecord& x = facts_.volume(a);
    const PersistentVolumeRecord& y = facts_.volume(b);
    return x.capacity != y.capacity ? x.capacity < y.capacity : x.meta.name < y.meta.name;
  }

  bool IsChosen(VolumeId volume, std::size_t from) const {
    return Holds(std::span(chosen_).subspan(from), volume, &VolumeDecision::volume);
  }

  VolumeId FirstOpen(const DelayedClaim& claim, std::size_t from) const {
    if (claim.kept != kNoId)
      return IsUsable(claim.kept) && !ledger_.IsTaken(claim.kept) ? claim.kept : kNoId;
    VolumeId best = kNoId;
    ForEachGroup(*claim.shape, [&](const VolumeGroup& group) {
      for (const VolumeId volume : LargeEnough(group, claim.shape->request)) {
        if (ledger_.IsTaken(volume) || IsChosen(volume, from)) continue;
        if (best == kNoId || IsSmaller(volume, best)) best = volume;
        return;
      }
    });
    return best;
  }

  // As many as there are claims do: whatever the others take, one of them is left.
  std::vector<VolumeId> Volumes(const DelayedClaim& claim) const {
    if (claim.kept != kNoId) {
      const VolumeId kept = FirstOpen(claim, chosen_.size());
      return kept == kNoId ? std::vector<VolumeId>() : std::vector<VolumeId>{kept};
    }
    std::vector<VolumeId> out;
    ForEachGroup(*claim.shape, [&](const VolumeGroup& group) {
      std::size_t found = 0;
      for (const VolumeId volume : LargeEnough(group, claim.shape->request)) {
        if (found == open_.size()) return;
        if (ledger_.IsTaken(volume)) continue;
        out.push_back(volume);
        ++found;
      }
    });
    std::ranges::sort(out, [this](VolumeId a, VolumeId b) { return IsSmaller(a, b); });
    if (out.size() > open_.size()) out.resize(open_.size());
    return out;
  }

  bool Augment(const std::vector<Candidate>& candidates, std::size_t c,
               std::vector<VolumeId>& seen) {
    for (const VolumeId volume : candidates[c].volumes) {
      if (Holds(seen, volume)) continue;
      seen.push_back(volume);
      const auto owner = std::ranges::find(owners_, volume, &Owner::volume);
      if (owner == owners_.end()) {
        owners_.push_back({volume, c});
        return true;
      }
      const std::size_t place = static_cast<std::size_t>(owner - owners_.begin());
      if (!Augment(candidates, owner->claim, seen)) continue;
      owners_[place].claim = c;
      return true;
    }
    return false;
  }

  std::int64_t TakenFrom(PoolId pool) const {
    std::int64_t bytes = ledger_.UsedOf(pool);
    for (const Room& room : rooms_) {
      if (room.pool == pool) bytes += room.bytes;
    }
    return bytes;
  }

  bool HasRoom(PoolId id, std::int64_t request) const {
    const CsiStorageCapacityRecord& pool = facts_.pool(id);
    const std::optional<std::int64_t> most =
        pool.maximum_volume ? pool.maximum_volume : pool.capacity;
    if (!most || *most < request || !facts_.nodes().Has(facts_.NodesOfPool(id), node_))
      return false;
    const std::int64_t taken = TakenFrom(id);
    return taken == 0 || !pool.capacity || request <= *pool.capacity - taken;
  }

  static bool IsCounted(const DelayedClaim& claim) { return claim.shape->counted; }

  bool IsAllowed(const DelayedClaim& claim) const {
    const StorageFacts& storage = *claim.shape->storage;
    return storage.provisions && facts_.nodes().Has(storage.nodes, node_);
  }

  PoolId FirstWithRoom(const DelayedClaim& claim) const {
    for (const PoolId pool : claim.shape->storage->pools) {
      if (HasRoom(pool, claim.shape->request)) return pool;
    }
    return kNoId;
  }

  bool CanProvision(const DelayedClaim& claim) const {
    return IsAllowed(claim) && (!IsCounted(claim) || FirstWithRoom(claim) != kNoId);
  }

  BindingVerdict Provision(const std::vector<const DelayedClaim*>& claims) {
    BindingVerdict verdict;
    rooms_.clear();
    for (const DelayedClaim* claim : claims) {
      verdict.no_volume = !IsAllowed(*claim);
      verdict.no_room = !verdict.no_volume && !CanProvision(*claim);
      if (!verdict.ok()) return verdict;
    }
    std::vector<const DelayedClaim*> counted;
    for (const DelayedClaim* claim : claims) {
      if (IsCounted(*claim)) {
        counted.push_back(claim);
      } else {
        chosen_.push_back({claim->id});
      }
    }
    // The largest first: it has the least choice.
    std::ranges::stable_sort(counted, std::ranges::greater(),
                             [](const DelayedClaim* c) { return c->shape->request; });
    int steps = 0;
    verdict.no_room = !FillPools(counted, steps);
    for (std::size_t i = 0; i < rooms_.size(); ++i)
      chosen_.push_back({counted[i]->id, kNoId, rooms_[i].pool});
    return verdict;
  }

  bool FillPools(std::span<const DelayedClaim* const> claims, int& steps) {
    if (claims.empty()) return true;
    const std::int64_t request = claims.front()->shape->request;
    for (const PoolId pool : claims.front()->shape->storage->pools) {
      if (++steps > kMostSteps) return false;
      if (!HasRoom(pool, request)) continue;
      rooms_.push_back({pool, request});
      if (FillPools(claims.subspan(1), steps)) return true;
      rooms_.pop_back();
    }
    return false;
  }

  struct Owner {
    VolumeId volume = kNoId;
    std::size_t claim = 0;  // among the candidates
  };

  const VolumeFacts& facts_;
  const VolumeLedger& ledger_;
  const std::uint32_t node_;
  std::vector<const DelayedClaim*> open_;         // the smallest first
  std::vector<const DelayedClaim*> provisioned_;  // a volume is being made for them here
  std::vector<VolumeDecision> chosen_;
  std::vector<Room> rooms_;
  std::vector<Owner> owners_;
};

}  // namespace

BindingVerdict BindClaims(const VolumeFacts& facts, const VolumeLedger& ledger,
                          const PodNeeds& needs, std::uint32_t node,
                          std::vector<VolumeDecision>* chosen) {
  BindingVerdict verdict;
  verdict.affinity = std::ranges::any_of(needs.bound, [&](VolumeId volume) {
    return !facts.nodes().Has(facts.KnownNodesOf(volume), node);
  });
  verdict.missing = needs.bound_to_nothing && !verdict.affinity;  // the first one is told
  if (needs.delayed.empty()) return verdict;
  Binder binder(facts, ledger, node);
  const DelayedClaim& first = needs.delayed.front();
  if (needs.delayed.size() == 1 && !first.shared && !first.selected) {
    const BindingVerdict one = binder.FitOne(first, chosen);
    verdict.no_volume = one.no_volume;
    verdict.no_room = one.no_room;
    return verdict;
  }
  if (!binder.Read(needs)) {
    verdict.no_volume = true;
    return verdict;
  }
  const BindingVerdict greedy = binder.BindGreedily();
  if (!greedy.ok() && !binder.Rematch()) {
    verdict.no_volume = greedy.no_volume;
    verdict.no_room = greedy.no_room;
    return verdict;
  }
  if (chosen != nullptr) *chosen = binder.TakeChosen();
  return verdict;
}

}  // namespace batholith
