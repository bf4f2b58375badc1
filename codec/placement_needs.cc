#include "codec/placement_needs.h"

#include <array>
#include <string>
#include <string_view>

#include "codec/pod.h"

namespace batholith {
namespace {

// The words that say what of the manifest asks for it; empty: nothing does.
std::string ClaimOfDevice(const Field& spec, const PodRecord& /*pod*/) {
  for (const Field& claim : spec["resourceClaims"].Items())
    return "spec.resourceClaims names " + Printable(claim["name"].Text());
  return {};
}

// Whether the nodes share cards at all is not seen here: cache/placement_needs looks there.
std::string ShareOfGpu(const Field& /*spec*/, const PodRecord& pod) {
  for (const auto& [resource, amount] : pod.request) {
    const bool shared = resource.starts_with("volcano.sh/vgpu-") ||
                        resource == "volcano.sh/gpu-memory" || resource == "volcano.sh/gpu-number";
    if (shared && amount > 0) return "it asks for " + resource;
  }
  return {};
}

std::string NumaPolicy(const Field& /*spec*/, const PodRecord& pod) {
  constexpr std::string_view kKey = "volcano.sh/numa-topology-policy";
  const std::string* policy = FindValue(pod.meta.annotations, kKey);
  if (policy == nullptr || policy->empty() || *policy == "none") return {};
  return "annotation " + std::string(kKey) + " is " + Printable(*policy);
}

std::string ForeignGang(const Field& spec, const PodRecord& pod) {
  if (const std::string name = spec["schedulingGroup"]["podGroupName"].Text(); !name.empty())
    return "spec.schedulingGroup names " + Printable(name);
  if (!pod.group.empty()) return {};  // it is one of Volcano's
  constexpr std::array<std::string_view, 2> kLabels{"scheduling.x-k8s.io/pod-group",
                                                    "pod-group.scheduling.sigs.k8s.io"};
  for (const std::string_view key : kLabels) {
    if (const std::string* name = FindValue(pod.meta.labels, key); name != nullptr)
      return "label " + std::string(key) + " is " + Printable(*name);
  }
  constexpr std::string_view kGang = "gang.scheduling.koordinator.sh/name";
  if (const std::string* name = FindValue(pod.meta.annotations, kGang); name != nullptr)
    return "annotation " + std::string(kGang) + " is " + Printable(*name);
  return {};
}

bool IsHard(const Field& topology) {
  return topology.present() && topology["mode"].Text() != "soft";
}

std::string HardTopology(const Field& spec) {
  if (IsHard(spec["networkTopology"])) return "spec.networkTopology of its group is hard";
  for (const Field& policy : spec["subGroupPolicy"].Items()) {
    if (IsHard(policy["networkTopology"]))
      return "networkTopology of sub-group policy " + Printable(policy["name"].Text()) +
             " of its group is hard";
  }
  return {};
}

// A row each. Whoever builds what a row names takes the row and its reader out.
struct PodRow {
  PlacementNeed need;
  std::string (*what)(const Field& spec, const PodRecord& pod);
};
constexpr PodRow kPodRows[] = {{PlacementNeed::kDeviceClaims, ClaimOfDevice},
                               {PlacementNeed::kSharedGpus, ShareOfGpu},
                               {PlacementNeed::kNuma, NumaPolicy},
                               {PlacementNeed::kForeignGangs, ForeignGang}};

struct GroupRow {
  PlacementNeed need;
  std::string (*what)(const Field& spec);
};
constexpr GroupRow kGroupRows[] = {{PlacementNeed::kNetworkTopology, HardTopology}};

}  // namespace

PlacementNeeds NeedsOfPod(const Field& spec, const PodRecord& pod) {
  PlacementNeeds out;
  for (const PodRow& row : kPodRows) {
    if (std::string what = row.what(spec, pod); !what.empty()) out[row.need] = std::move(what);
  }
  return out;
}

PlacementNeeds NeedsOfGroup(const Field& spec) {
  PlacementNeeds out;
  for (const GroupRow& row : kGroupRows) {
    if (std::string what = row.what(spec); !what.empty()) out[row.need] = std::move(what);
  }
  return out;
}

}  // namespace batholith
