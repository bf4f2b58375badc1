#include <algorithm>
#include <boost/json.hpp>
#include <string_view>

#include "conf/arg_specs.h"
#include "conf/default_conf.h"
#include "conf/switches.h"
#include "test/fuzz/byte_cluster.h"

namespace batholith::fuzz {
namespace {

namespace json = boost::json;

constexpr std::string_view kDurations[] = {"1s", "0s", "1h30m", "-1s", "1ns", "2562047h47m", "10"};
constexpr std::string_view kTexts[] = {
    "cpu", "", "nvidia.com/gpu", "10%", "0.5", "memory", "x,y", "-1", "max", "[]"};
constexpr double kNumbers[] = {1, 0, 2, 10, 100, 0.5, -1, 1e9, 1e300, 9007199254740992};

std::string FirstChoice(ByteSource& bytes, std::string_view choices) {
  std::vector<std::string_view> all;
  while (!choices.empty()) {
    all.push_back(choices.substr(0, choices.find(',')));
    choices.remove_prefix(std::min(choices.size(), all.back().size() + 1));
  }
  return std::string(bytes.Pick(std::span<const std::string_view>(all)));
}

json::value Number(ByteSource& bytes, const ArgSpec& spec) {
  const double number = bytes.Pick(kNumbers);
  if (bytes.Sometimes(8)) return number;
  const double inside = std::clamp(number, spec.min, std::max(spec.min, spec.max));
  if (spec.type == ArgSpec::Type::kInt && std::abs(inside) < 1e18)
    return static_cast<std::int64_t>(inside);
  return inside;
}

json::value Argument(ByteSource& bytes, const ArgSpec& spec) {
  using Type = ArgSpec::Type;
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
  if (!spec.choices.empty()) return json::value(FirstChoice(bytes, spec.choices));
  if (spec.type != Type::kMap) return json::value(bytes.Pick(kTexts));
  json::object map;
  for (const ArgSpec& field : spec.fields) {
    if (field.name.contains('/') || !bytes.Sometimes(2)) continue;
    map[field.name == "*" ? "cpu" : field.name] = Argument(bytes, field);
  }
  return map;
}

json::object Arguments(ByteSource& bytes, std::span<const ArgSpec> specs) {
  json::object out;
  for (std::size_t n = specs.empty() ? 0 : bytes.Below(4); n > 0; --n) {
    const ArgSpec& spec = bytes.Pick(specs);
    std::string name(spec.name);
    if (spec.name_is_prefix) name += bytes.Sometimes(2) ? "cpu" : "zone-a";
    out[name] = Argument(bytes, spec);
  }
  return out;
}

json::object Plugin(ByteSource& bytes, const PluginVocabulary& plugin) {
  json::object out{{"name", plugin.name}};
  for (std::size_t n = bytes.Below(3); n > 0; --n)
    out[bytes.Pick(Switches()).name] = bytes.Below(2) == 0;
  json::object arguments = Arguments(bytes, plugin.args);
  if (!arguments.empty()) out["arguments"] = std::move(arguments);
  return out;
}

// One of the actions that must stand at the end goes there.
std::string Actions(ByteSource& bytes, const std::vector<std::string>& known) {
  std::vector<std::string> chosen;
  for (std::size_t n = bytes.Below(6) + 1; n > 0; --n) {
    const std::string& action = bytes.Pick(std::span<const std::string>(known));
    if (std::ranges::find(chosen, action) == chosen.end()) chosen.push_back(action);
  }
  std::ranges::stable_partition(
      chosen, [](const std::string& a) { return a != "slack" && a != "autoscale"; });
  std::string text;
  for (const std::string& action : chosen) text += (text.empty() ? "" : ", ") + action;
  return text;
}

}  // namespace

std::string MakeConf(ByteSource& bytes) {
  if (bytes.Sometimes(4)) return std::string(DefaultConfText());
  static const ConfVocabulary vocabulary = BuiltinVocabulary();
  json::array tiers;
  std::vector<bool> used(vocabulary.plugins.size());
  for (std::size_t tier = bytes.Below(3) + 1; tier > 0; --tier) {
    json::array plugins;
    for (std::size_t n = bytes.Below(6) + 1; n > 0; --n) {
      const std::size_t p = bytes.Below(used.size());
      if (used[p]) continue;
      used[p] = true;
      plugins.push_back(Plugin(bytes, vocabulary.plugins[p]));
    }
    if (!plugins.empty()) tiers.push_back(json::object{{"plugins", std::move(plugins)}});
  }
  json::object conf{{"actions", Actions(bytes, vocabulary.actions)}, {"tiers", std::move(tiers)}};
  json::array configurations;
  for (const std::string& action : vocabulary.actions) {
    if (!bytes.Sometimes(4)) continue;
    json::object arguments = Arguments(bytes, ArgSpecsOf(action));
    if (!arguments.empty())
      configurations.push_back(json::object{{"name", action}, {"arguments", std::move(arguments)}});
  }
  if (!configurations.empty()) conf["configurations"] = std::move(configurations);
  return json::serialize(conf);
}

}  // namespace batholith::fuzz
