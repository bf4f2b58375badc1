#include <algorithm>
#include <boost/json.hpp>
#include <string_view>

#include "actions/builtin.h"
#include "conf/default_conf.h"
#include "conf/switches.h"
#include "plugins/builtin.h"
#include "test/fuzz/byte_cluster.h"

namespace batholith::fuzz {
namespace {

namespace json = boost::json;

constexpr std::string_view kDurations[] = {"1s", "0s", "1h30m", "-1s", "1ns", "2562047h47m", "10"};
constexpr std::string_view kTexts[] = {
    "cpu", "", "nvidia.com/gpu", "10%", "0.5", "memory", "x,y", "-1", "max", "[]"};
constexpr double kNumbers[] = {1, 0, 2, 10, 100, 0.5, -1, 1e9, 1e300, 9007199254740992};

json::value Number(ByteSource& bytes, const ArgumentSpec& spec) {
  const double number = bytes.Pick(kNumbers);
  if (bytes.Sometimes(8)) return number;
  const double inside = std::clamp(number, spec.min, std::max(spec.min, spec.max));
  if (spec.type == ArgumentSpec::Type::kInt && std::abs(inside) < 1e18)
    return static_cast<std::int64_t>(inside);
  return inside;
}

json::value Argument(ByteSource& bytes, const ArgumentSpec& spec) {
  using Type = ArgumentSpec::Type;
  switch (spec.type) {
    case Type::kBool:
      return bytes.Below(2) == 0;
    case Type::kInt:
    case Type::kFloat:
      return Number(bytes, spec);
    case Type::kDuration:
      return json::value(bytes.Pick(kDurations));
    case Type::kTimeRange:
      return json::value(bytes.Sometimes(2) ? "00:00-23:59" : "22:00-06:00");
    case Type::kString:
    case Type::kStringList:
    case Type::kMap:
      break;
  }
  if (!spec.choices.empty()) return json::value(bytes.Pick(spec.choices));
  if (spec.type != Type::kMap) return json::value(bytes.Pick(kTexts));
  json::object map;
  for (const ArgumentSpec& field : spec.fields) {
    if (!bytes.Sometimes(2)) continue;
    map[field.name == "*" ? "cpu" : field.name] = Argument(bytes, field);
  }
  return map;
}

json::object ArgumentsOf(ByteSource& bytes, std::span<const ArgumentSpec> specs) {
  json::object out;
  for (std::size_t n = specs.empty() ? 0 : bytes.Below(4); n > 0; --n) {
    const ArgumentSpec& spec = bytes.Pick(specs);
    std::string name(spec.name);
    if (spec.name_is_prefix) name += bytes.Sometimes(2) ? "cpu" : "zone-a";
    out[name] = Argument(bytes, spec);
  }
  return out;
}

json::object Plugin(ByteSource& bytes, const PluginDescriptor& plugin) {
  json::object out{{"name", plugin.name}};
  for (std::size_t n = bytes.Below(3); n > 0; --n)
    out[bytes.Pick(Switches()).name] = bytes.Below(2) == 0;
  json::object arguments = ArgumentsOf(bytes, plugin.arguments);
  if (!arguments.empty()) out["arguments"] = std::move(arguments);
  return out;
}

// One of the actions that must stand at the end goes there.
std::string Actions(ByteSource& bytes) {
  std::vector<const ActionDescriptor*> chosen;
  for (std::size_t n = bytes.Below(6) + 1; n > 0; --n) {
    const ActionDescriptor* action = &bytes.Pick(BuiltinActions());
    if (std::ranges::find(chosen, action) == chosen.end()) chosen.push_back(action);
  }
  std::ranges::stable_partition(chosen, [](const ActionDescriptor* a) { return !a->stands_last; });
  std::string text;
  for (const ActionDescriptor* action : chosen)
    text += (text.empty() ? "" : ", ") + std::string(action->name);
  return text;
}

}  // namespace

std::string MakeConf(ByteSource& bytes) {
  if (bytes.Sometimes(4)) return std::string(DefaultConfText());
  const std::span<const PluginDescriptor> known = BuiltinPlugins();
  json::array tiers;
  std::vector<bool> used(known.size());
  for (std::size_t tier = bytes.Below(3) + 1; tier > 0; --tier) {
    json::array plugins;
    for (std::size_t n = bytes.Below(6) + 1; n > 0; --n) {
      const std::size_t p = bytes.Below(used.size());
      if (used[p]) continue;
      used[p] = true;
      plugins.push_back(Plugin(bytes, known[p]));
    }
    if (!plugins.empty()) tiers.push_back(json::object{{"plugins", std::move(plugins)}});
  }
  json::object conf{{"actions", Actions(bytes)}, {"tiers", std::move(tiers)}};
  json::array configurations;
  for (const ActionDescriptor& action : BuiltinActions()) {
    if (!bytes.Sometimes(4)) continue;
    json::object arguments = ArgumentsOf(bytes, action.arguments);
    if (!arguments.empty())
      configurations.push_back(
          json::object{{"name", action.name}, {"arguments", std::move(arguments)}});
  }
  if (!configurations.empty()) conf["configurations"] = std::move(configurations);
  return json::serialize(conf);
}

}  // namespace batholith::fuzz
