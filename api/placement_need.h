#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "api/vocabulary.h"

// What this build cannot do yet of where a pod may run. A pod that needs it waits, unless the conf
// ignores it by name. codec/placement_needs.cc says what asks for it; who builds one takes its row
// out there, and its name out here.
namespace batholith {

enum class PlacementNeed : std::uint8_t {
  kDeviceClaims,
  kSharedGpus,
  kNuma,
  kNetworkTopology,
};

// Need → the words that say what asks for it: "spec.resourceClaims names gpu".
using PlacementNeeds = std::map<PlacementNeed, std::string>;

template <>
struct Vocabulary<PlacementNeed> {
  static constexpr std::pair<std::string_view, PlacementNeed> kWords[] = {
      {"device-claims", PlacementNeed::kDeviceClaims},
      {"shared-gpus", PlacementNeed::kSharedGpus},
      {"numa", PlacementNeed::kNuma},
      {"network-topology", PlacementNeed::kNetworkTopology}};
};

// Some of them.
class PlacementNeedSet {
 public:
  void Add(PlacementNeed need) { bits_ |= Bit(need); }
  bool Has(PlacementNeed need) const { return (bits_ & Bit(need)) != 0; }
  bool operator==(const PlacementNeedSet&) const = default;

 private:
  static std::uint8_t Bit(PlacementNeed need) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(need));
  }
  std::uint8_t bits_ = 0;
};

}  // namespace batholith
