#include "plugins/network_topology_aware/options.h"

#include <utility>

namespace batholith {
namespace {

using Type = ArgumentSpec::Type;

constexpr ArgumentSpec Weight(std::string_view name, std::string_view summary) {
  ArgumentSpec spec = WeightArgument(name, "1", summary);
  spec.below_min_is_default = true;
  return spec;
}

constexpr ArgumentSpec WeightsOf(std::string_view prefix, std::string_view summary) {
  ArgumentSpec spec = Weight(prefix, summary);
  spec.name_is_prefix = true;
  return spec;
}

constexpr ArgumentSpec kArguments[] = {
    Weight("weight", "weight of all scores of the plugin; 0 switches them off"),
    Weight("hypernode.binpack.cpu", "weight of cpu in how full a domain is"),
    Weight("hypernode.binpack.memory", "the same of memory"),
    {.name = "hypernode.binpack.resources",
     .type = Type::kStringList,
     .summary = "further resources that count"},
    WeightsOf("hypernode.binpack.resources.", "weight of one further resource"),
    BoolArgument("hypernode.binpack.normal-pod.enable", "true",
                 "pods without a topology prefer full domains too"),
    {.name = "hypernode.binpack.normal-pod.fading",
     .type = Type::kFloat,
     .default_text = "0.8",
     .min = 0,
     .max = 1,
     .summary = "what a domain of each further tier counts less, for these"},
    {.name = "hypernode.gradient.evict.max-hypernodes",
     .type = Type::kInt,
     .default_text = "8",
     .min = 0,
     .max = 1e9,
     .summary = "domains in which room is made by eviction",
     .inert = "no action evicts for a domain yet"},
    {.name = "topology.label-keys",
     .type = Type::kStringList,
     .summary = "labels of nodes that make domains where there are no HyperNodes, wide to close"},
};

}  // namespace

std::span<const ArgumentSpec> NetworkTopologyArguments() { return kArguments; }

NetworkTopologyOptions ReadNetworkTopologyOptions(const Arguments& arguments) {
  NetworkTopologyOptions out;
  out.weight = static_cast<double>(arguments.Int("weight"));
  out.cpu = static_cast<double>(arguments.Int("hypernode.binpack.cpu"));
  out.memory = static_cast<double>(arguments.Int("hypernode.binpack.memory"));
  for (std::string& name : arguments.List("hypernode.binpack.resources")) {
    const double weight = static_cast<double>(arguments.Int("hypernode.binpack.resources." + name));
    out.resources.push_back({std::move(name), weight});
  }
  out.normal_pods = arguments.Bool("hypernode.binpack.normal-pod.enable");
  out.fading = arguments.Float("hypernode.binpack.normal-pod.fading");
  out.label_keys = arguments.List("topology.label-keys");
  return out;
}

}  // namespace batholith
