#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "codec/json/text.h"
#include "devices/device_search.h"
#include "test/placement/vector_files.h"

// What Kubernetes' structured allocator decided of claims for devices, node by node: every file of
// kind DeviceVectors in $BATHOLITH_SHARED/placement.
namespace batholith {
namespace {

namespace json = boost::json;

std::string NameOf(SearchEnd end) {
  switch (end) {
    case SearchEnd::kFound:
      return "found";
    case SearchEnd::kNone:
      return "";
    case SearchEnd::kStepLimit:
      return "step-limit";
    case SearchEnd::kPoolInvalid:
    case SearchEnd::kAllInvalid:
      return "pool-invalid";
    case SearchEnd::kClassMissing:
      return "class-missing";
    case SearchEnd::kTooManyDevices:
      return "too-many-devices";
    case SearchEnd::kCompileError:
      return "selector-compile-error";
    case SearchEnd::kRuntimeError:
      return "selector-runtime-error";
    case SearchEnd::kNotBool:
      return "selector-not-bool";
    case SearchEnd::kAllIncomplete:
      return "pool-incomplete";
  }
  return "";
}

// The search of a vector's claims.
class Searched {
 public:
  explicit Searched(const json::object& vector)
      : objects_(ObjectsOf(vector)),
        nodes_(NodesOf(objects_)),
        pools_(objects_.resource_slices, nodes_),
        matcher_(pools_),
        ledger_(pools_) {
    const DeviceClasses classes(objects_.device_classes);
    for (const ResourceClaimRecord& claim : objects_.device_claims) {
      if (!claim.allocation) continue;
      for (const GivenDevice& given : GivenBy(*claim.allocation, pools_)) ledger_.Take(given);
    }
    for (const json::value& name : vector.at("claims").as_array()) {
      for (const ResourceClaimRecord& claim : objects_.device_claims) {
        if (claim.meta.name != std::string(name.as_string())) continue;
        names_.push_back(claim.meta.name);
        plans_.push_back(PlanOf(claim.spec, classes, matcher_));
      }
    }
    for (const ClaimPlan& plan : plans_) claims_.push_back(&plan);
  }

  // Ours in the form of `expected`.
  json::object On(std::uint32_t node) const {
    const SearchResult result = FindDevices(pools_, matcher_, ledger_, claims_, node);
    json::object out{{"allocatable", result.end == SearchEnd::kFound}};
    if (result.end == SearchEnd::kFound) {
      json::array devices;
      for (const DevicePick& pick : result.picks) devices.push_back(Told(pick));
      if (!devices.empty()) out["devices"] = std::move(devices);
    } else if (result.end != SearchEnd::kNone) {
      out["reason"] = NameOf(result.end);
      out["scope"] = IsOfPod(result.end) ? "pod" : "node";
    }
    return out;
  }
  const std::vector<const NodeRecord*>& nodes() const { return nodes_; }

 private:
  static std::vector<const NodeRecord*> NodesOf(const ClusterObjects& objects) {
    std::vector<const NodeRecord*> out;
    for (const NodeRecord& node : objects.nodes) out.push_back(&node);
    return out;
  }

  json::object Told(const DevicePick& pick) const {
    const RequestPlan& request = claims_[pick.claim]->requests[pick.request];
    const DeviceAsk& ask = *request.asks[pick.ask].ask;
    const DevicePool& pool = pools_.PoolOf(pick.device);
    json::object out{{"claim", names_[pick.claim]},
                     {"request", request.request->name + (ask.name.empty() ? "" : "/" + ask.name)},
                     {"driver", pool.driver},
                     {"pool", pool.name},
                     {"device", pools_.device(pick.device).name}};
    if (ask.admin_access) out["adminAccess"] = true;
    const GivenDevice given = GivenOf(pick, claims_, pools_);
    if (!given.shared) return out;
    out["shared"] = true;
    json::object consumed;
    std::size_t i = 0;
    for (const auto& [name, capacity] : pools_.device(pick.device).capacity)
      consumed[name] = DeviceAmountText(given.consumed[i++]);
    if (!consumed.empty()) out["consumedCapacity"] = std::move(consumed);
    return out;
  }

  ClusterObjects objects_;
  std::vector<const NodeRecord*> nodes_;
  DevicePools pools_;
  DeviceMatcher matcher_;
  DeviceLedger ledger_;
  std::vector<std::string> names_;
  std::vector<ClaimPlan> plans_;
  std::vector<const ClaimPlan*> claims_;
};

// Amounts are written in more than one way.
json::object Canonical(json::object verdict) {
  json::value* devices = verdict.if_contains("devices");
  if (devices == nullptr) return verdict;
  for (json::value& device : devices->as_array()) {
    json::value* consumed = device.as_object().if_contains("consumedCapacity");
    if (consumed == nullptr) continue;
    for (auto& [name, amount] : consumed->as_object())
      amount =
          DeviceAmountText(ParseDeviceAmount(std::string_view(amount.as_string())).value_or(-1));
  }
  return verdict;
}

TEST(DeviceVectors, are_decided_as_the_structured_allocator_does) {
  if (!std::filesystem::exists(PlacementFolder())) GTEST_SKIP() << "the vectors are not there";
  int quirks = 0;
  const int compared = ForEachVector("DeviceVectors", [&](const json::object& vector) {
    const Searched searched(vector);
    const json::object& expected = vector.at("expected").at("nodes").as_object();
    for (std::uint32_t n = 0; n < searched.nodes().size(); ++n) {
      const std::string& name = searched.nodes()[n]->meta.name;
      const json::object wanted = Canonical(expected.at(name).as_object());
      const json::object got = searched.On(n);
      if (vector.contains("quirk") && got != wanted) {
        ++quirks;
        std::cout << vector.at("id").as_string() << " " << name << ": " << JsonText(got) << "\n";
        continue;
      }
      EXPECT_EQ(got, wanted) << name << ": " << JsonText(got) << "\nfor " << JsonText(wanted);
    }
  });
  EXPECT_GT(compared, 0);
  std::cout << compared << " vectors, " << quirks << " nodes decided better\n";
}

}  // namespace
}  // namespace batholith
