#include "codec/network_topology.h"

#include <boost/json.hpp>
#include <string_view>

#include "api/value_text.h"
#include "codec/pod.h"

namespace batholith {
namespace {

constexpr Choices<bool, 2> kModes{{{"hard", true}, {"soft", false}}};
constexpr std::string_view kModeAnnotation = "volcano.sh/network-topology-mode";
constexpr std::string_view kTierAnnotation = "volcano.sh/network-topology-highest-tier";

std::string Lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

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

std::optional<NetworkTopology> ReadTopologyKey(const Field& spec) {
  const Field topology = spec["schedulingConstraints"]["topology"];
  std::optional<NetworkTopology> out;
  for (const Field& constraint : topology.Items()) {
    if (out) topology.Flaw("there may be one at most");
    out.emplace().node_label = constraint["key"].Text();
    if (out->node_label.empty()) constraint["key"].Flaw("is missing");
  }
  return out;
}

void PutTopologyKey(boost::json::object& spec, const std::optional<NetworkTopology>& topology) {
  if (!topology) return;
  spec["schedulingConstraints"] = boost::json::object{
      {"topology", boost::json::array{boost::json::object{{"key", topology->node_label}}}}};
}

std::optional<NetworkTopology> TopologyInAnnotations(const Labels& annotations,
                                                     const std::string& object,
                                                     std::vector<std::string>& warnings) {
  const std::string* mode = FindValue(annotations, kModeAnnotation);
  const std::string* tier = FindValue(annotations, kTierAnnotation);
  if (mode == nullptr && tier == nullptr) return std::nullopt;
  const auto warn = [&](std::string_view key, const std::string& value, const char* what) {
    warnings.push_back(object + ": metadata.annotations." + std::string(key) + ": \"" +
                       Printable(value) + "\" is " + what);
  };
  NetworkTopology out;
  if (mode != nullptr) {
    const std::string word = Lower(*mode);
    out.hard = word != "soft";
    if (word != "hard" && word != "soft")
      warn(kModeAnnotation, *mode, "neither hard nor soft: counts as hard");
  }
  if (tier != nullptr) {
    const std::optional<std::int32_t> value = ParseNumber<std::int32_t>(*tier);
    if (value && *value >= 0) {
      out.highest_tier = *value;
    } else {
      warn(kTierAnnotation, *tier, "not a whole number from 0 on: counts as no limit");
    }
  }
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
