#include "plugins/resource_strategy_fit/fit_args.h"

#include <algorithm>

#include "api/value_text.h"

namespace batholith {
namespace {

using Leaves = std::vector<std::pair<std::vector<std::string>, std::string>>;

bool Enabled(const Leaves& leaves) {
  return std::ranges::any_of(leaves, [](const auto& leaf) {
    return leaf.first.size() == 1 && leaf.first[0] == "enable" &&
           ParseBool(leaf.second).value_or(false);
  });
}

// `resources`: comma-separated text or a list.
std::vector<FitArguments::Device> Devices(const Leaves& leaves) {
  std::vector<FitArguments::Device> devices;
  for (const auto& [path, text] : leaves) {
    if (path.empty() || path[0] != "resources") continue;
    for (const std::string& name : SplitList(text)) {
      if (std::ranges::find(devices, name, &FitArguments::Device::name) == devices.end()) {
        devices.push_back({.name = name});
      }
    }
  }
  return devices;
}

void ReadResources(const Leaves& leaves, FitArguments& out) {
  std::map<std::string, FitStrategy> all;
  for (const auto& [path, text] : leaves) {
    if (path.size() != 2) continue;
    FitStrategy& strategy = all[path[0]];
    if (path[1] == "type") strategy.most = Trim(text) == "MostAllocated";
    if (path[1] == "weight") {
      strategy.weight = std::max<std::int64_t>(ParseInt(text).value_or(1), 1);
    }
  }
  if (all.empty()) all = {{"cpu", {}}, {"memory", {}}};
  for (const auto& [name, strategy] : all) {
    if (name == "*") continue;  // would mean everything: not a prefix of anything
    if (name.ends_with('*')) {
      out.prefixes[name.substr(0, name.size() - 1)] = strategy;
    } else {
      out.exact[name] = strategy;
    }
  }
}

void ReadSra(const Leaves& leaves, FitArguments& out) {
  if (!Enabled(leaves)) return;
  out.sra = Devices(leaves);
  out.sra_weight = 1;
  for (const auto& [path, text] : leaves) {
    if (path.size() == 1 && path[0] == "weight") {
      out.sra_weight = static_cast<double>(ParseInt(text).value_or(1));
    }
    if (path.size() != 2 || path[0] != "resourceWeight") continue;
    const auto device = std::ranges::find(out.sra, path[1], &FitArguments::Device::name);
    if (device != out.sra.end()) {
      device->weight = static_cast<double>(std::max<std::int64_t>(ParseInt(text).value_or(1), 0));
    }
  }
}

void ReadProportional(const Leaves& leaves, FitArguments& out) {
  if (!Enabled(leaves)) return;
  out.proportional = Devices(leaves);
  for (const auto& [path, text] : leaves) {
    if (path.size() != 2 || path[0] != "resourceProportion") continue;
    const double ratio = ParseFloat(text).value_or(1);
    for (FitArguments::Device& device : out.proportional) {
      if (path[1] == device.name + ".cpu") device.cpu = ratio < 0 ? 1 : ratio;
      if (path[1] == device.name + ".memory") device.memory = ratio < 0 ? 1 : ratio;
    }
  }
}

}  // namespace

FitArguments::FitArguments(const PluginArguments& args)
    : weight(args.Int("resourceStrategyFitWeight")) {
  ReadResources(args.Nested("resources"), *this);
  ReadSra(args.Nested("sra"), *this);
  ReadProportional(args.Nested("proportional"), *this);
}

const FitStrategy* FitArguments::Find(const std::string& resource) const {
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
