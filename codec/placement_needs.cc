#include "codec/placement_needs.h"

#include <span>
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

std::string ClaimOfGroup(const Field& spec) {
  for (const Field& claim : spec["resourceClaims"].Items())
    return "spec.resourceClaims of its group names " + Printable(claim["name"].Text());
  return {};
}

// A row each. Whoever builds what a row names takes the row and its reader out.
struct PodRow {
  PlacementNeed need;
  std::string (*what)(const Field& spec, const PodRecord& pod);
};
constexpr PodRow kPodRows[] = {{PlacementNeed::kDeviceClaims, ClaimOfDevice},
                               {PlacementNeed::kSharedGpus, ShareOfGpu},
                               {PlacementNeed::kNuma, NumaPolicy}};

struct GroupRow {
  PlacementNeed need;
  std::string (*what)(const Field& spec);
};
constexpr GroupRow kKubernetesRows[] = {{PlacementNeed::kDeviceClaims, ClaimOfGroup}};

PlacementNeeds NeedsIn(std::span<const GroupRow> rows, const Field& spec) {
  PlacementNeeds out;
  for (const GroupRow& row : rows) {
    if (std::string what = row.what(spec); !what.empty()) out[row.need] = std::move(what);
  }
  return out;
}

}  // namespace

PlacementNeeds NeedsOfPod(const Field& spec, const PodRecord& pod) {
  PlacementNeeds out;
  for (const PodRow& row : kPodRows) {
    if (std::string what = row.what(spec, pod); !what.empty()) out[row.need] = std::move(what);
  }
  return out;
}

PlacementNeeds NeedsOfKubernetesGroup(const Field& spec) { return NeedsIn(kKubernetesRows, spec); }

}  // namespace batholith
