#include "plugins/resource_strategy_fit/options.h"

#include <algorithm>
#include <array>

#include "api/value_text.h"

namespace batholith {
namespace {

using Type = ArgumentSpec::Type;
using Options = ResourceStrategyFitOptions;

constexpr std::array<std::string_view, 2> kTypes{"LeastAllocated", "MostAllocated"};

constexpr ArgumentSpec kStrategy[] = {
    {.name = "type",
     .type = Type::kString,
     .default_text = "LeastAllocated",
     .summary = "empty nodes first, or full ones",
     .choices = kTypes},
    WeightArgument("weight", "1", "weight of the resource"),
};
constexpr ArgumentSpec kResources[] = {
    {.name = "*", .type = Type::kMap, .summary = "of one resource or prefix*", .fields = kStrategy},
};

constexpr ArgumentSpec kDeviceWeights[] = {
    WeightArgument("*", "1", "weight of one device"),
};
constexpr ArgumentSpec kSra[] = {
    BoolArgument("enable", "false", "keeps pods without devices off device nodes"),
    {.name = "resources", .type = Type::kStringList, .summary = "the devices"},
    WeightArgument("weight", "1", "weight of the score"),
    {.name = "resourceWeight",
     .type = Type::kMap,
     .summary = "weights of the devices",
     .fields = kDeviceWeights},
};

constexpr ArgumentSpec kProportions[] = {
    {.name = "*",
     .type = Type::kFloat,
     .min = 0,
     .max = kMaxWeight,
     .summary = "cpu or memory kept for one device, by \"DEVICE.cpu\" and \"DEVICE.memory\""},
};
constexpr ArgumentSpec kProportional[] = {
    BoolArgument("enable", "false", "keeps cpu and memory back for idle devices"),
    {.name = "resources", .type = Type::kStringList, .summary = "the devices"},
    {.name = "resourceProportion",
     .type = Type::kMap,
     .summary = "what is kept for the devices",
     .fields = kProportions},
};

constexpr ArgumentSpec kArguments[] = {
    WeightArgument("resourceStrategyFitWeight", "10", "weight of the whole score"),
    {.name = "resources",
     .type = Type::kMap,
     .summary = "strategy of a resource or prefix*",
     .fields = kResources},
    {.name = "sra", .type = Type::kMap, .summary = "scarce resource avoidance", .fields = kSra},
    {.name = "proportional",
     .type = Type::kMap,
     .summary = "cpu and memory kept for devices",
     .fields = kProportional},
};

// `resources`: comma-separated text or a list.
std::vector<Options::Device> Devices(const Arguments& arguments) {
  std::vector<Options::Device> devices;
  for (const std::string& item : arguments.List("resources")) {
    for (const std::string& name : SplitList(item)) {
      if (std::ranges::find(devices, name, &Options::Device::name) == devices.end())
        devices.push_back({.name = name});
    }
  }
  return devices;
}

void ReadResources(const Arguments& resources, Options& out) {
  std::map<std::string, FitStrategy> all;
  for (const std::string& name : resources.Keys()) {
    const Arguments strategy = resources.Map(name);
    all[name] = {.most = strategy.Text("type") == "MostAllocated",
                 .weight = std::max<std::int64_t>(strategy.Int("weight"), 1)};
  }
  if (all.empty()) all = {{"cpu", {}}, {"memory", {}}};
  for (const auto& [name, strategy] : all) {
    if (name.ends_with('*')) {
      out.prefixes[name.substr(0, name.size() - 1)] = strategy;
    } else {
      out.exact[name] = strategy;
    }
  }
}

void ReadSra(const Arguments& sra, Options& out) {
  if (!sra.Bool("enable")) return;
  out.sra = Devices(sra);
  out.sra_weight = static_cast<double>(sra.Int("weight"));
  const Arguments weights = sra.Map("resourceWeight");
  for (Options::Device& device : out.sra)
    device.weight = static_cast<double>(weights.Int(device.name));
}

void ReadProportional(const Arguments& proportional, Options& out) {
  if (!proportional.Bool("enable")) return;
  out.proportional = Devices(proportional);
  const Arguments kept = proportional.Map("resourceProportion");
  for (Options::Device& device : out.proportional) {
    if (kept.Has(device.name + ".cpu")) device.cpu = kept.Float(device.name + ".cpu");
    if (kept.Has(device.name + ".memory")) device.memory = kept.Float(device.name + ".memory");
  }
}

}  // namespace

std::span<const ArgumentSpec> ResourceStrategyFitArguments() { return kArguments; }

ResourceStrategyFitOptions ReadResourceStrategyFitOptions(const Arguments& arguments) {
  ResourceStrategyFitOptions out;
  out.weight = arguments.Int("resourceStrategyFitWeight");
  ReadResources(arguments.Map("resources"), out);
  ReadSra(arguments.Map("sra"), out);
  ReadProportional(arguments.Map("proportional"), out);
  return out;
}

const FitStrategy* ResourceStrategyFitOptions::Find(const std::string& resource) const {
  if (const auto it = exact.find(resource); it != exact.end()) return &it->second;
  const FitStrategy* best = nullptr;
  std::size_t longest = 0;
  for (const auto& [prefix, strategy] : prefixes) {
    if (resource.starts_with(prefix) && prefix.size() >= longest) {
      best = &strategy;
      longest = prefix.size();
    }
  }
  return best;
}

}  // namespace batholith
