#include "plugins/network_topology_aware/options.h"

namespace batholith {
namespace {

using Type = ArgumentSpec::Type;

constexpr ArgumentSpec kArguments[] = {
    PackingWeight("weight", "weight of all scores of the plugin; 0 switches them off"),
    PackingWeight("hypernode.binpack.cpu", "weight of cpu in how full a domain is"),
    PackingWeight("hypernode.binpack.memory", "the same of memory"),
    {.name = "hypernode.binpack.resources",
     .type = Type::kStringList,
     .summary = "further resources that count"},
    PackingWeightsOf("hypernode.binpack.resources."),
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
  out.resources = ReadPackingWeights(arguments, "hypernode.binpack.");
  out.normal_pods = arguments.Bool("hypernode.binpack.normal-pod.enable");
  out.fading = arguments.Float("hypernode.binpack.normal-pod.fading");
  out.label_keys = arguments.List("topology.label-keys");
  return out;
}

}  // namespace batholith
