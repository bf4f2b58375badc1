#include "devices/device_search.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "devices/capacity_policy.h"
#include "devices/device_constraints.h"

namespace batholith {
namespace {

class DeviceSearch {
 public:
  DeviceSearch(const DevicePools& pools, const DeviceMatcher& matcher, const DeviceLedger& ledger,
               std::span<const ClaimPlan* const> claims, std::uint32_t node)
      : pools_(pools), matcher_(matcher), ledger_(ledger), claims_(claims), node_(node) {}

  SearchResult Run() {
    if (claims_.size() > kMaxClaimsOfPod) {
      Fail(SearchEnd::kStepLimit, {});
      return std::move(result_);
    }
    for (std::uint32_t c = 0; c < claims_.size(); ++c) {
      if (!Measure(c)) return std::move(result_);
    }
    if (FillRequest({})) {
      result_.end = SearchEnd::kFound;
      for (Pick& pick : picks_) result_.picks.push_back(pick.what);
    } else if (!failed_) {
      NameInvalidPool();
    }
    return std::move(result_);
  }

 private:
  struct Place {
    std::uint32_t claim = 0;
    std::uint32_t request = 0;
    std::uint32_t ask = 0;
    std::uint32_t device = 0;  // how many the request has already
  };
  struct Pick {
    DevicePick what;
    bool admin_access = false;
    std::vector<DeviceAmount> consumed;  // of each capacity, where the device is shared
  };
  using AskKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

  const AskPlan& PlanAt(const Place& at) const {
    return claims_[at.claim]->requests[at.request].asks[at.ask];
  }

  bool Fail(SearchEnd end, const Place& at, std::uint32_t pool = 0) {
    failed_ = true;
    result_ = {end, {}, at.claim, at.request, at.ask, pool};
    return false;
  }

  // Whether the claim asks for something that there can be; finds what "all" means.
  bool Measure(std::uint32_t c) {
    std::size_t least_of_claim = 0;
    for (std::uint32_t r = 0; r < claims_[c]->requests.size(); ++r) {
      std::size_t least = SIZE_MAX;
      for (std::uint32_t a = 0; a < claims_[c]->requests[r].asks.size(); ++a) {
        const Place at{c, r, a, 0};
        const AskPlan& plan = PlanAt(at);
        if (plan.device_class == nullptr) return Fail(SearchEnd::kClassMissing, at);
        std::size_t count = static_cast<std::size_t>(plan.ask->count);
        if (plan.ask->all) {
          if (!ListAll(at)) return false;
          count = all_[{c, r, a}].size();
        }
        least = std::min(least, count);
      }
      least_of_claim += std::min(least, kMaxDevicesOfClaim + 1);
      if (least_of_claim > kMaxDevicesOfClaim)
        return Fail(SearchEnd::kTooManyDevices, {c, r, 0, 0});
    }
    return true;
  }

  bool ListAll(const Place& at) {
    std::vector<DeviceId>& all = all_[{at.claim, at.request, at.ask}];
    std::uint32_t before = UINT32_MAX;
    for (const std::uint32_t s : pools_.SlicesOf(node_)) {
      const DevicePools::Slice& slice = pools_.slice(s);
      const DevicePool& pool = pools_.pool(slice.pool);
      if (slice.pool != before && pool.incomplete)
        return Fail(SearchEnd::kAllIncomplete, at, slice.pool);
      if (slice.pool != before && !pool.fault.empty())
        return Fail(SearchEnd::kAllInvalid, at, slice.pool);
      before = slice.pool;
      for (DeviceId d = slice.first; d < slice.first + slice.record->devices.size(); ++d) {
        if (!IsSelected(at, d)) {
          if (failed_) return false;
          continue;
        }
        if (CapacityOf(d, PlanAt(at))) all.push_back(d);
      }
    }
    return true;
  }

  // False, and failed_, where a selector fails.
  bool IsSelected(const Place& at, DeviceId device) {
    using Answer = DeviceMatcher::Answer;
    switch (matcher_.Matches(PlanAt(at).shape, device)) {
      case Answer::kNo:
        return false;
      case Answer::kYes:
        return pools_.IsUsableFrom(device, node_);
      case Answer::kCompileError:
        return Fail(SearchEnd::kCompileError, at);
      case Answer::kRuntimeError:
        return Fail(SearchEnd::kRuntimeError, at);
      case Answer::kNotBool:
        return Fail(SearchEnd::kNotBool, at);
    }
    return false;
  }

  // What the ask would take of each capacity; absent: the device never has as much.
  std::optional<std::vector<DeviceAmount>> CapacityOf(DeviceId device, const AskPlan& plan) const {
    const Device& record = pools_.device(device);
    if (!record.shareable && plan.ask->capacity.empty()) return std::vector<DeviceAmount>();
    return ConsumedOf(record, pools_.SliceOf(device).record->driver, plan.ask->capacity);
  }

  bool FillClaim(std::uint32_t claim) {
    return claim >= claims_.size() || FillRequest({claim, 0, 0, 0});
  }

  // The rest of the claim from this request on, and the claims behind it.
  bool FillRequest(Place at) {
    if (at.claim >= claims_.size()) return true;
    const ClaimPlan& plan = *claims_[at.claim];
    if (at.request >= plan.requests.size()) return FillClaim(at.claim + 1);
    for (at.ask = 0; at.ask < plan.requests[at.request].asks.size(); ++at.ask) {
      if (FillAsk(at, 0)) return true;
      if (failed_) return false;
    }
    return false;
  }

  // The devices of the ask from `first` on, and all behind it.
  bool FillAsk(const Place& at, DeviceId first) {
    const DeviceAsk& ask = *PlanAt(at).ask;
    const std::vector<DeviceId>* all =
        ask.all ? &all_.find({at.claim, at.request, at.ask})->second : nullptr;
    const std::size_t wanted = all != nullptr ? all->size() : static_cast<std::size_t>(ask.count);
    if (wanted == 0) return false;  // of all there must be one
    if (at.device >= wanted) return FillRequest({at.claim, at.request + 1, 0, 0});
    if (OfClaim(at.claim) + wanted - at.device > kMaxDevicesOfClaim) return false;
    if (all != nullptr) {
      if (!CountStep(at)) return false;
      return !IsHeld(at, (*all)[at.device]) && TakeAndGoOn(at, (*all)[at.device]);
    }
    return FillFromPools(at, first);
  }

  bool FillFromPools(const Place& at, DeviceId first) {
    for (const std::uint32_t s : pools_.SlicesOf(node_)) {
      const DevicePools::Slice& slice = pools_.slice(s);
      const auto last = static_cast<DeviceId>(slice.first + slice.record->devices.size());
      const DevicePool& pool = pools_.pool(slice.pool);
      if (last <= first || pool.incomplete) continue;
      for (DeviceId d = std::max(first, slice.first); d < last; ++d) {
        if (!CountStep(at)) return false;
        if (IsHeld(at, d)) continue;
        const bool selected = IsSelected(at, d);
        if (failed_) return false;
        if (!selected || !pool.fault.empty()) continue;
        if (TakeAndGoOn(at, d)) return true;
        if (failed_) return false;
      }
    }
    return false;
  }

  bool CountStep(const Place& at) {
    return ++steps_ <= kMaxSearchSteps || Fail(SearchEnd::kStepLimit, at);
  }

  // Nobody else can have it now: all of it is somebody's, or it is looked at with admin access by
  // the same claim already.
  bool IsHeld(const Place& at, DeviceId device) const {
    const bool admin = PlanAt(at).ask->admin_access;
    const bool shares = pools_.device(device).shareable;
    if (!admin && ledger_.IsTaken(device)) return true;
    return std::ranges::any_of(picks_, [&](const Pick& pick) {
      if (pick.what.device != device) return false;
      return admin ? pick.what.claim == at.claim : !shares;
    });
  }

  bool TakeAndGoOn(const Place& at, DeviceId device) {
    const AskPlan& plan = PlanAt(at);
    const Device& record = pools_.device(device);
    if (!record.taints.empty() && !Tolerates(plan.ask->tolerations, record)) return false;
    std::optional<std::vector<DeviceAmount>> consumed = CapacityOf(device, plan);
    if (!consumed) return false;
    // Counters of a device are taken once, however many share it.
    const bool admin = plan.ask->admin_access;
    const bool counts = !admin && !ledger_.IsUsed(device) && !IsPicked(device);
    if (!admin && !HasCapacityLeft(device, *consumed)) return false;
    if (counts && !HasCountersLeft(device)) return false;
    if (!MeetsConstraints(at, device)) return false;
    picks_.push_back({{device, at.claim, at.request, at.ask}, admin, std::move(*consumed)});
    if (counts) CountUses(device, 1);
    if (FillAsk({at.claim, at.request, at.ask, at.device + 1}, device + 1)) return true;
    if (counts) CountUses(device, -1);
    picks_.pop_back();
    return false;
  }

  bool HasCapacityLeft(DeviceId device, const std::vector<DeviceAmount>& consumed) const {
    if (consumed.empty()) return true;
    std::size_t i = 0;
    for (const auto& [name, capacity] : pools_.device(device).capacity) {
      DeviceAmount sum = ledger_.ConsumedOf(device, i) + consumed[i];
      for (const Pick& pick : picks_) {
        if (pick.what.device == device && !pick.admin_access) sum += pick.consumed[i];
      }
      if (sum > capacity.value) return false;
      ++i;
    }
    return true;
  }

  bool HasCountersLeft(DeviceId device) const {
    return std::ranges::all_of(pools_.UsesOf(device), [&](const CounterUse& use) {
      const auto taken = counters_.find(use.counter);
      const DeviceAmount here = taken == counters_.end() ? 0 : taken->second;
      return ledger_.UsedOf(use.counter) + here + use.amount <= pools_.CounterSize(use.counter);
    });
  }

  // A long list of counters is as much work as several devices.
  void CountUses(DeviceId device, int sign) {
    const std::span<const CounterUse> uses = pools_.UsesOf(device);
    for (const CounterUse& use : uses) counters_[use.counter] += use.amount * sign;
    steps_ += std::ssize(uses) / 8;
  }

  bool IsPicked(DeviceId device) const {
    return std::ranges::any_of(
        picks_, [&](const Pick& pick) { return pick.what.device == device && !pick.admin_access; });
  }

  std::size_t OfClaim(std::uint32_t claim) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(picks_, [&](const Pick& pick) { return pick.what.claim == claim; }));
  }

  const DeviceAttribute* AttributeAt(DeviceId device, const std::string& name) const {
    return AttributeOf(pools_.device(device), pools_.SliceOf(device).record->driver, name);
  }

  bool MeetsConstraints(const Place& at, DeviceId device) const {
    const ClaimPlan& claim = *claims_[at.claim];
    return std::ranges::all_of(claim.spec->constraints, [&](const DeviceConstraint& constraint) {
      if (!Concerns(constraint, *claim.requests[at.request].request, *PlanAt(at).ask)) return true;
      const bool match = !constraint.match_attribute.empty();
      const std::string& name = match ? constraint.match_attribute : constraint.distinct_attribute;
      const DeviceAttribute* attribute = AttributeAt(device, name);
      if (attribute == nullptr) return false;
      return std::ranges::all_of(picks_, [&](const Pick& pick) {
        if (pick.what.claim != at.claim) return true;
        const RequestPlan& request = claim.requests[pick.what.request];
        if (!Concerns(constraint, *request.request, *request.asks[pick.what.ask].ask)) return true;
        return (*AttributeAt(pick.what.device, name) == *attribute) == match;
      });
    });
  }

  void NameInvalidPool() {
    for (const std::uint32_t s : pools_.SlicesOf(node_)) {
      const std::uint32_t pool = pools_.slice(s).pool;
      if (pools_.pool(pool).incomplete || pools_.pool(pool).fault.empty()) continue;
      Fail(SearchEnd::kPoolInvalid, {}, pool);
      return;
    }
  }

  const DevicePools& pools_;
  const DeviceMatcher& matcher_;
  const DeviceLedger& ledger_;
  const std::span<const ClaimPlan* const> claims_;
  const std::uint32_t node_;
  std::map<AskKey, std::vector<DeviceId>> all_;
  std::vector<Pick> picks_;
  std::unordered_map<std::uint32_t, DeviceAmount> counters_;  // that picks take
  std::int64_t steps_ = 0;
  bool failed_ = false;
  SearchResult result_;
};

}  // namespace

SearchResult FindDevices(const DevicePools& pools, const DeviceMatcher& matcher,
                         const DeviceLedger& ledger, std::span<const ClaimPlan* const> claims,
                         std::uint32_t node) {
  return DeviceSearch(pools, matcher, ledger, claims, node).Run();
}

GivenDevice GivenOf(const DevicePick& pick, std::span<const ClaimPlan* const> claims,
                    const DevicePools& pools) {
  const DeviceAsk& ask = *claims[pick.claim]->requests[pick.request].asks[pick.ask].ask;
  const Device& device = pools.device(pick.device);
  GivenDevice out{pick.device, ask.admin_access, device.shareable};
  if (device.shareable) {
    out.consumed = ConsumedOf(device, pools.SliceOf(pick.device).record->driver, ask.capacity)
                       .value_or(std::vector<DeviceAmount>());
  }
  return out;
}

}  // namespace batholith
