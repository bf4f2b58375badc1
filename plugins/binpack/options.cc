#include "plugins/binpack/options.h"

namespace batholith {
namespace {

constexpr ArgumentSpec kArguments[] = {
    PackingWeight("binpack.weight", "weight of the whole score; 0 switches it off"),
    PackingWeight("binpack.cpu", "weight of cpu"),
    PackingWeight("binpack.memory", "weight of memory"),
    {.name = "binpack.resources",
     .type = ArgumentSpec::Type::kStringList,
     .summary = "further resources that count"},
    PackingWeightsOf("binpack.resources."),
};

}  // namespace

std::span<const ArgumentSpec> BinpackArguments() { return kArguments; }

BinpackOptions ReadBinpackOptions(const Arguments& arguments) {
  return {static_cast<double>(arguments.Int("binpack.weight")),
          ReadPackingWeights(arguments, "binpack.")};
}

}  // namespace batholith
