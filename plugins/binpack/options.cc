#include "plugins/binpack/options.h"

namespace batholith {
namespace {

// As in Volcano, 1 stands for a negative weight.
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
    Weight("binpack.weight", "weight of the whole score; 0 switches it off"),
    Weight("binpack.cpu", "weight of cpu"),
    Weight("binpack.memory", "weight of memory"),
    {.name = "binpack.resources",
     .type = ArgumentSpec::Type::kStringList,
     .summary = "further resources that count"},
    WeightsOf("binpack.resources.", "weight of one further resource"),
};

}  // namespace

std::span<const ArgumentSpec> BinpackArguments() { return kArguments; }

BinpackOptions ReadBinpackOptions(const Arguments& arguments) {
  BinpackOptions out;
  out.weight = static_cast<double>(arguments.Int("binpack.weight"));
  out.cpu = static_cast<double>(arguments.Int("binpack.cpu"));
  out.memory = static_cast<double>(arguments.Int("binpack.memory"));
  for (std::string& name : arguments.List("binpack.resources")) {
    const double weight = static_cast<double>(arguments.Int("binpack.resources." + name));
    out.resources.push_back({std::move(name), weight});
  }
  return out;
}

}  // namespace batholith
