#include "codec/network_topology.h"

#include <boost/json.hpp>

namespace batholith {
namespace {

constexpr Choices<bool, 2> kModes{{{"hard", true}, {"soft", false}}};

}  // namespace

std::optional<NetworkTopology> ReadNetworkTopology(const Field& field) {
  if (!field.present()) return std::nullopt;
  NetworkTopology out;
  out.hard = field["mode"].OneOf(kModes, true);
  if (const Field tier = field["highestTierAllowed"]; tier.present())
    out.highest_tier = static_cast<std::int32_t>(tier.Int(0, 0, INT32_MAX));
  out.highest_tier_name = field["highestTierName"].Text();
  if (out.highest_tier && !out.highest_tier_name.empty())
    field.Flaw("highestTierAllowed and highestTierName exclude each other");
  return out;
}

void PutNetworkTopology(boost::json::object& spec, const std::optional<NetworkTopology>& topology) {
  if (!topology) return;
  boost::json::object out{{"mode", topology->hard ? "hard" : "soft"}};
  if (topology->highest_tier) out["highestTierAllowed"] = *topology->highest_tier;
  if (!topology->highest_tier_name.empty()) out["highestTierName"] = topology->highest_tier_name;
  spec["networkTopology"] = std::move(out);
}

}  // namespace batholith
