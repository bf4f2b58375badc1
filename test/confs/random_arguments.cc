#include "test/confs/random_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace batholith::property {
namespace {

using Type = ArgumentSpec::Type;

constexpr std::array<const char*, 5> kResources{"cpu", "memory", "nvidia.com/gpu",
                                                "ephemeral-storage", "example.com/none"};
constexpr std::array<const char*, 9> kRates{"0",    "10%",    "0.25",     "50%",  "100%",
                                            "150%", "12.5 %", "0.000001", "1000%"};

std::string Quoted(const std::string& text) { return '"' + text + '"'; }

std::int64_t End(double limit, std::int64_t otherwise) {
  return std::isinf(limit) ? otherwise : static_cast<std::int64_t>(limit);
}

// An end of the range, its neighbour, the default or anything between them.
std::string Number(const ArgumentSpec& spec, Draws& draws) {
  constexpr auto kLimits = std::numeric_limits<std::int64_t>();
  const std::int64_t low = End(spec.min, kLimits.min());
  const std::int64_t high = End(spec.max, kLimits.max());
  switch (draws.Between(0, 7)) {
    case 0:
      return std::to_string(low);
    case 1:
      return std::to_string(high);
    case 2:
      if (spec.below_min_is_default) return std::to_string(low - 1);
      return std::to_string(low + 1);
    case 3:
      if (!spec.default_text.empty()) return std::string(spec.default_text);
      [[fallthrough]];
    default:
      return std::to_string(std::clamp<std::int64_t>(draws.Between(0, 100), low, high));
  }
}

std::string Fraction(const ArgumentSpec& spec, Draws& draws) {
  const double low = std::isinf(spec.min) ? -1e6 : spec.min;
  const double high = std::isinf(spec.max) ? 1e6 : spec.max;
  switch (draws.Between(0, 5)) {
    case 0:
      return fmt::format("{}", low);
    case 1:
      return fmt::format("{}", high);
    default:
      return fmt::format(
          "{}", std::clamp(low + static_cast<double>(draws.Between(0, 1000)) / 250, low, high));
  }
}

std::string Duration(const ArgumentSpec& spec, Draws& draws) {
  const auto seconds = [](double s) { return fmt::format("{}s", static_cast<std::int64_t>(s)); };
  if (spec.name == "delayEvictTime" && draws.Chance(60)) return draws.Word({"0s", "1s", "2s"});
  switch (draws.Between(0, 6)) {
    case 0:
      return spec.min > 0 ? "1ns" : "0s";
    case 1:
      return std::isinf(spec.max) ? "2562047h" : seconds(spec.max);
    case 2:
      return "1ns";
    case 3:
      return "1m30s";
    default:
      return seconds(static_cast<double>(draws.Between(1, 20)));
  }
}

std::string TextOf(const ArgumentSpec& spec, Draws& draws) {
  if (spec.name == "mode" && draws.Chance(50)) return "apply";
  if (!spec.choices.empty()) return std::string(draws.Of(spec.choices));
  if (spec.name.ends_with("ate")) return draws.Of(kRates);  // rate, extra-capacity-min-rate
  if (spec.name == "selector") return draws.Word({"disk=ssd", "a=b,c=d"});
  if (spec.name == "*") return std::to_string(draws.Between(0, 20));  // an amount of a resource
  return draws.Word({"default", "ns0", "t0"});
}

std::vector<std::string> Words(const ArgumentSpec& spec, Draws& draws) {
  std::vector<std::string> words;
  const std::int64_t count = draws.Between(1, 3);
  for (std::int64_t n = 0; n < count; ++n) {
    std::string word = draws.Of(kResources);
    if (spec.name == "expander")
      word = draws.Word({"least-waste", "most-pods", "least-nodes", "priority", "random"});
    if (spec.name == "systemNamespaces" || spec.name == "queues")
      word = draws.Word({"default", "ns0", "t0", "kube-system", "q1", "q2"});
    if (spec.name == "*") word = draws.Word({".*", "g.", "no such group"});
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  }
  return words;
}

std::string List(const ArgumentSpec& spec, Draws& draws) {
  const std::vector<std::string> words = Words(spec, draws);
  if (draws.Chance(50)) return Quoted(fmt::format("{}", fmt::join(words, ", ")));
  return fmt::format("[\"{}\"]", fmt::join(words, "\", \""));
}

std::string Clock(Draws& draws) {
  return fmt::format("{:02}:{:02}", draws.Between(0, 23), draws.Between(0, 59));
}

std::string MapOf(const ArgumentSpec& spec, Draws& draws);

std::string ValueOf(const ArgumentSpec& spec, Draws& draws) {
  switch (spec.type) {
    case Type::kBool:
      if (spec.name == "monitorAllQuotas" && draws.Chance(60)) return "true";
      return draws.Word({"true", "false", "true", "false", "on", "no", "\"1\"", "F"});
    case Type::kInt:
      return Number(spec, draws);
    case Type::kFloat:
      return Fraction(spec, draws);
    case Type::kString:
      if (!spec.fields.empty() && draws.Chance(40)) return MapOf(spec, draws);
      return Quoted(TextOf(spec, draws));
    case Type::kDuration:
      return Duration(spec, draws);
    case Type::kStringList:
      return List(spec, draws);
    case Type::kTimeRange:
      return Quoted(Clock(draws) + "-" + Clock(draws));
    case Type::kMap:
      return MapOf(spec, draws);
  }
  return "";
}

// Groups have to make sense as a whole, which the tables do not say.
std::string Groups(Draws& draws) {
  std::string out;
  const std::int64_t count = draws.Between(1, 3);
  for (std::int64_t n = 0; n < count; ++n) {
    const std::int64_t min = draws.Between(0, 4);
    out +=
        fmt::format("{}{{name: g{}, min: {}, max: {}, selector: {{disk: {}}}", n == 0 ? "" : ", ",
                    n, min, min + draws.Between(0, 8), n == 0 ? "ssd" : "hdd");
    if (draws.Chance(60)) {
      out += fmt::format(", template: {{cpu: {}, memory: 16Gi, labels: {{disk: ssd}}",
                         draws.Between(1, 16));
      if (draws.Chance(30)) out += ", taints: [{key: dedicated, value: a, effect: NoSchedule}]";
      out += "}";
    }
    if (draws.Chance(20)) out += ", scaleTarget: {kind: MachineDeployment, name: md}";
    out += "}";
  }
  return "[" + out + "]";
}

std::string Key(const ArgumentSpec& spec, Draws& draws) {
  if (spec.name == "priorities") return std::to_string(draws.Between(-5, 50));
  std::string key = draws.Of(kResources);
  if (spec.name == "resourceProportion") key += draws.Chance(50) ? ".cpu" : ".memory";
  return key;
}

std::string MapOf(const ArgumentSpec& spec, Draws& draws) {
  if (spec.name == "nodeGroups") return Groups(draws);
  if (spec.name == "volumebinding.shape")
    return "[{utilization: 0, score: 0}, {utilization: 100, score: 10}]";
  std::map<std::string, std::string> parts;
  for (const ArgumentSpec& field : spec.fields) {
    if (!draws.Chance(50)) continue;
    const std::string key = field.name == "*" ? Key(spec, draws) : std::string(field.name);
    parts[Quoted(key)] = ValueOf(field, draws);
  }
  std::vector<std::string> entries;
  for (const auto& [key, value] : parts) entries.push_back(key + ": " + value);
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

// Each of these has a whole action or plugin do nothing while it is not given.
constexpr std::array<std::string_view, 5> kOften{"mode", "rate", "tdm.revocable-zone.",
                                                 "monitorAllQuotas", "delayEvictTime"};

int ChanceOf(const ArgumentSpec& spec, int percent) {
  return std::ranges::find(kOften, spec.name) == kOften.end() ? percent : 75;
}

// A prefix stands for several names.
std::vector<std::string> NamesOf(const ArgumentSpec& spec, Draws& draws) {
  const std::string name(spec.name);
  if (!spec.name_is_prefix) return {name};
  std::vector<std::string> names;
  if (spec.type == Type::kTimeRange) {
    names = {name + "rz0", name + "rz1"};
  } else {
    names = {name + draws.Of(kResources)};
  }
  return names;
}

}  // namespace

std::string RandomArguments(std::span<const ArgumentSpec> specs, int percent, Draws& draws) {
  std::vector<std::string> parts;
  bool rate = false;  // of two spellings one may be given
  for (const ArgumentSpec& spec : specs) {
    if (!draws.Chance(ChanceOf(spec, percent))) continue;
    if (spec.name.ends_with("rate") && std::exchange(rate, true) && draws.Chance(95)) continue;
    for (const std::string& name : NamesOf(spec, draws))
      parts.push_back(Quoted(name) + ": " + ValueOf(spec, draws));
  }
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

}  // namespace batholith::property
