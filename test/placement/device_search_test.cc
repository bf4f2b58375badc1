#include "devices/device_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "devices/capacity_policy.h"
#include "devices/device_constraints.h"

// Devices are found if and only if there are some: random small cases against a search that tries
// every choice and judges only whole ones.
namespace batholith {
namespace {

constexpr int kRounds = 1500;

class SmallCase {
 public:
  explicit SmallCase(std::uint64_t seed) : random_(seed) {
    NodeRecord node;
    node.meta.name = "n";
    nodes_.push_back(std::move(node));
    for (const char* driver : {"a.example", "b.example"}) {
      DeviceClassRecord& record = classes_.emplace_back();
      record.meta.name = driver;
      record.selectors = {std::string("device.driver == \"") + driver + "\""};
      if (driver[0] == 'a' || Chance(50)) AddPool(driver);
    }
    const int claims = Number(1, 2);
    for (int c = 0; c < claims; ++c) specs_.push_back(Spec());
  }

  const std::vector<ResourceSliceRecord>& slices() const { return slices_; }
  const std::vector<NodeRecord>& nodes() const { return nodes_; }
  const std::vector<DeviceClassRecord>& classes() const { return classes_; }
  const std::vector<DeviceClaimSpec>& specs() const { return specs_; }
  bool Chance(int percent) { return Number(1, 100) <= percent; }

 private:
  int Number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  void AddPool(const char* driver) {
    ResourceSliceRecord& slice = slices_.emplace_back();
    slice.meta.name = std::string("s-") + driver;
    slice.driver = driver;
    slice.pool = "pool";
    slice.generation = slice.slices_in_pool = 1;
    slice.nodes.node = "n";
    const bool counted = Chance(40);
    if (counted) slice.shared_counters = {{"card", {{"units", kOneUnit * Number(2, 8)}}}};
    const int devices = Number(1, 4);
    for (int d = 0; d < devices; ++d) {
      Device& device = slice.devices.emplace_back();
      device.name = "d" + std::to_string(d);
      if (Chance(85)) device.attributes["a.example/numa"] = std::int64_t{Number(0, 1)};
      if (Chance(15)) device.taints.push_back({"broken", "", DeviceTaintEffect::kNoSchedule, 0});
      if (counted && Chance(80)) device.consumes = {{"card", {{"units", kOneUnit * Number(1, 4)}}}};
      if (!Chance(40)) continue;
      device.shareable = true;
      DeviceCapacity& memory = device.capacity["memory"];
      memory.value = kOneUnit * Number(2, 6);
      if (!Chance(60)) continue;
      memory.policy.emplace().fallback = kOneUnit;
      if (Chance(50))
        memory.policy->valid_range = CapacityPolicy::Range{kOneUnit, {}, kOneUnit * 2};
    }
  }

  DeviceAsk Ask(std::string name) {
    DeviceAsk ask;
    ask.name = std::move(name);
    ask.device_class = Chance(70) ? "a.example" : "b.example";
    ask.all = Chance(15);
    if (!ask.all) ask.count = Number(1, 3);
    ask.admin_access = Chance(10);
    if (Chance(50)) ask.tolerations = {{"broken", true, "", {}, {}}};
    if (Chance(20)) ask.capacity["memory"] = kOneUnit * Number(1, 4);
    return ask;
  }

  DeviceClaimSpec Spec() {
    DeviceClaimSpec out;
    const int requests = Number(1, 2);
    for (int r = 0; r < requests; ++r) {
      DeviceRequest& request = out.requests.emplace_back();
      request.name = "r" + std::to_string(r);
      request.prioritized = Chance(25);
      if (request.prioritized) {
        request.asks = {Ask("first"), Ask("second")};
      } else {
        request.asks = {Ask("")};
      }
    }
    if (!Chance(50)) return out;
    DeviceConstraint& constraint = out.constraints.emplace_back();
    if (Chance(40)) constraint.requests = {"r0"};
    (Chance(50) ? constraint.match_attribute : constraint.distinct_attribute) = "a.example/numa";
    return out;
  }

  std::mt19937_64 random_;
  std::vector<ResourceSliceRecord> slices_;
  std::vector<NodeRecord> nodes_;
  std::vector<DeviceClassRecord> classes_;
  std::vector<DeviceClaimSpec> specs_;
};

// Judges whole choices, by the definitions.
class Judge {
 public:
  Judge(const DevicePools& pools, const std::set<DeviceId>& taken,
        std::span<const ClaimPlan* const> claims)
      : pools_(pools), taken_(taken), claims_(claims) {}

  bool Allows(const std::vector<DevicePick>& picks) const {
    return std::ranges::all_of(picks, [&](const DevicePick& p) { return IsOpen(p, picks); }) &&
           HoldsCounters(picks) && HoldsCapacity(picks) && HoldsConstraints(picks);
  }

  const DeviceAsk& AskOf(const DevicePick& p) const {
    return *claims_[p.claim]->requests[p.request].asks[p.ask].ask;
  }
  bool IsOfClass(const DeviceAsk& ask, DeviceId device) const {
    return pools_.PoolOf(device).driver == ask.device_class;
  }
  std::optional<std::vector<DeviceAmount>> Consumed(const DeviceAsk& ask, DeviceId device) const {
    return ConsumedOf(pools_.device(device), pools_.PoolOf(device).driver, ask.capacity);
  }

 private:
  bool IsOpen(const DevicePick& p, const std::vector<DevicePick>& picks) const {
    const DeviceAsk& ask = AskOf(p);
    const Device& device = pools_.device(p.device);
    if (!IsOfClass(ask, p.device) || !Tolerates(ask.tolerations, device)) return false;
    if (!Consumed(ask, p.device)) return false;
    if (!ask.admin_access && taken_.contains(p.device)) return false;
    for (const DevicePick& other : picks) {
      if (&other == &p || other.device != p.device) continue;
      if (other.claim == p.claim && other.request == p.request) return false;
      const bool before = &other < &p;
      if (ask.admin_access && before && other.claim == p.claim) return false;
      if (!ask.admin_access && before && !device.shareable) return false;
    }
    return true;
  }

  bool HoldsCounters(const std::vector<DevicePick>& picks) const {
    std::set<DeviceId> used = taken_;
    std::set<std::uint32_t> asked;  // what was overdrawn before concerns nobody who takes none
    for (const DevicePick& p : picks) {
      if (AskOf(p).admin_access || !used.insert(p.device).second) continue;
      for (const CounterUse& use : pools_.UsesOf(p.device)) asked.insert(use.counter);
    }
    std::map<std::uint32_t, DeviceAmount> sums;
    for (const DeviceId device : used) {
      for (const CounterUse& use : pools_.UsesOf(device)) sums[use.counter] += use.amount;
    }
    return std::ranges::all_of(
        asked, [&](std::uint32_t counter) { return sums[counter] <= pools_.CounterSize(counter); });
  }

  bool HoldsCapacity(const std::vector<DevicePick>& picks) const {
    std::map<DeviceId, DeviceAmount> sums;
    for (const DevicePick& p : picks) {
      const Device& device = pools_.device(p.device);
      if (device.shareable && !AskOf(p).admin_access)
        sums[p.device] += Consumed(AskOf(p), p.device)->front();
    }
    return std::ranges::all_of(sums, [&](const auto& sum) {
      return sum.second <= pools_.device(sum.first).capacity.at("memory").value;
    });
  }

  bool HoldsConstraints(const std::vector<DevicePick>& picks) const {
    for (std::uint32_t c = 0; c < claims_.size(); ++c) {
      for (const DeviceConstraint& constraint : claims_[c]->spec->constraints) {
        std::vector<std::int64_t> values;
        for (const DevicePick& p : picks) {
          const DeviceRequest& request = *claims_[p.claim]->requests[p.request].request;
          if (p.claim != c || !Concerns(constraint, request, AskOf(p))) continue;
          const auto& attributes = pools_.device(p.device).attributes;
          const auto it = attributes.find("a.example/numa");
          if (it == attributes.end()) return false;
          values.push_back(std::get<std::int64_t>(it->second));
        }
        const std::set<std::int64_t> different(values.begin(), values.end());
        const bool match = !constraint.match_attribute.empty();
        if (match ? different.size() > 1 : different.size() < values.size()) return false;
      }
    }
    return true;
  }

  const DevicePools& pools_;
  const std::set<DeviceId>& taken_;
  const std::span<const ClaimPlan* const> claims_;
};

// Tries every choice.
class EveryChoice {
 public:
  EveryChoice(const DevicePools& pools, const Judge& judge,
              std::span<const ClaimPlan* const> claims)
      : pools_(pools), judge_(judge), claims_(claims) {}

  bool Exists() { return From(0, 0); }

 private:
  bool From(std::uint32_t claim, std::uint32_t request) {
    if (claim == claims_.size()) return judge_.Allows(picks_);
    const ClaimPlan& plan = *claims_[claim];
    if (request == plan.requests.size()) return From(claim + 1, 0);
    for (std::uint32_t a = 0; a < plan.requests[request].asks.size(); ++a) {
      const DeviceAsk& ask = *plan.requests[request].asks[a].ask;
      std::uint32_t all = 0;
      for (DeviceId d = 0; d < pools_.device_count(); ++d) {
        if (judge_.IsOfClass(ask, d) && judge_.Consumed(ask, d)) all |= 1U << d;
      }
      for (std::uint32_t set = 1; set < 1U << pools_.device_count(); ++set) {
        const auto size = static_cast<std::int64_t>(std::popcount(set));
        if (ask.all ? set != all : size != ask.count) continue;
        const std::size_t before = picks_.size();
        for (DeviceId d = 0; d < pools_.device_count(); ++d) {
          if ((set >> d & 1U) != 0) picks_.push_back({d, claim, request, a});
        }
        const bool found = From(claim, request + 1);
        picks_.resize(before);
        if (found) return true;
      }
    }
    return false;
  }

  const DevicePools& pools_;
  const Judge& judge_;
  const std::span<const ClaimPlan* const> claims_;
  std::vector<DevicePick> picks_;
};

TEST(DeviceSearch, finds_devices_if_and_only_if_there_are_some) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    SCOPED_TRACE(seed);
    SmallCase small(seed);
    std::vector<const NodeRecord*> nodes{&small.nodes().front()};
    const DevicePools pools(small.slices(), nodes);
    DeviceMatcher matcher(pools);
    DeviceLedger ledger(pools);
    std::set<DeviceId> taken;
    for (DeviceId d = 0; d < pools.device_count(); ++d) {
      if (!small.Chance(20)) continue;
      taken.insert(d);
      ledger.Take({.device = d});
    }
    const DeviceClasses classes(small.classes());
    std::vector<ClaimPlan> plans;
    for (const DeviceClaimSpec& spec : small.specs())
      plans.push_back(PlanOf(spec, classes, matcher));
    std::vector<const ClaimPlan*> claims;
    for (const ClaimPlan& plan : plans) claims.push_back(&plan);
    const SearchResult result = FindDevices(pools, matcher, ledger, claims, 0);
    const Judge judge(pools, taken, claims);
    ASSERT_TRUE(result.end == SearchEnd::kFound || result.end == SearchEnd::kNone)
        << static_cast<int>(result.end);
    ASSERT_EQ(result.end == SearchEnd::kFound, EveryChoice(pools, judge, claims).Exists());
    if (result.end != SearchEnd::kFound) continue;
    ++found;
    EXPECT_TRUE(judge.Allows(result.picks));
  }
  EXPECT_GT(found, kRounds / 10);
  EXPECT_LT(found, kRounds * 9 / 10);
}

TEST(DeviceSearch, ends_at_its_limit_of_steps) {
  ResourceSliceRecord slice;
  slice.meta.name = "s";
  slice.driver = "a.example";
  slice.pool = "pool";
  slice.generation = slice.slices_in_pool = 1;
  slice.nodes.node = "n";
  for (int d = 0; d < 100; ++d) {
    Device& device = slice.devices.emplace_back();
    device.name = "d" + std::to_string(d);
    device.attributes["a.example/numa"] = std::int64_t{d % 15};
  }
  NodeRecord node;
  node.meta.name = "n";
  std::vector<const NodeRecord*> nodes{&node};
  const DevicePools pools(std::span(&slice, 1), nodes);
  DeviceMatcher matcher(pools);
  DeviceClassRecord all;
  all.meta.name = "all";
  DeviceClaimSpec spec;
  spec.requests = {{"r", {{"", "all", {}, false, 16, false, {}, {}}}, false}};
  spec.constraints = {{{}, "", "a.example/numa"}};
  const std::vector<DeviceClassRecord> records{all};
  const DeviceClasses found(records);
  const ClaimPlan plan = PlanOf(spec, found, matcher);
  const ClaimPlan* claims[] = {&plan};
  // Sixteen values are wanted, and there are fifteen: 15 out of 100 devices are tried in vain.
  EXPECT_EQ(FindDevices(pools, matcher, DeviceLedger(pools), claims, 0).end, SearchEnd::kStepLimit);
}

}  // namespace
}  // namespace batholith
