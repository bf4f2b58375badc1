#include "conf/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <span>
#include <vector>

#include "api/did_you_mean.h"
#include "api/placement_need.h"
#include "conf/argument_text.h"
#include "conf/switches.h"

namespace batholith {
namespace {

constexpr std::string_view kHead = R"(# Plugins and actions of a conf, with their arguments

`batholith conf explain` prints this page, and `batholith conf explain NAME` one section of it. It is written from the
tables that a conf is checked against: change those, then write the page anew.

A plugin stands in a tier of `tiers`, its arguments under `arguments` and its switches beside `name`. A switch turns off
what a plugin does at one point of a session; all are on but `enableHierarchy`. An action stands in `actions`, its
arguments in an entry of `configurations`. `ignore` lists by name what this build does not do and pods are not to wait
for: {}.
A name with slashes is inside a mapping or list; `*` stands for any key, and for each item of a list.
)";

std::string ShapeOf(const ArgumentSpec& spec) {
  if (!spec.choices.empty()) return fmt::format("{}", fmt::join(spec.choices, ", "));
  std::string text(TypeText(spec.type));
  const bool positive = spec.type == ArgumentSpec::Type::kDuration && spec.min > 0;
  if (positive) return text + ", longer than 0s";
  if (!std::isinf(spec.min) || !std::isinf(spec.max)) text += ", " + RangeText(spec);
  return text;
}

// One value, or a mapping of such values.
bool TakesEither(const ArgumentSpec& spec) {
  return spec.type != ArgumentSpec::Type::kMap && !spec.fields.empty();
}

std::string EffectOf(const ArgumentSpec& spec) {
  std::string text(spec.summary);
  if (spec.below_min_is_default)
    text += spec.default_text.empty() ? "; less is ignored" : "; less means the default";
  if (TakesEither(spec)) {
    std::vector<std::string_view> names;
    for (const ArgumentSpec& field : spec.fields) names.push_back(field.name);
    text += fmt::format("; one for all, or a mapping of {}", fmt::join(names, ", "));
  }
  if (!spec.inert.empty()) text += fmt::format(" (no effect: {})", spec.inert);
  return text;
}

void AddRows(std::span<const ArgumentSpec> specs, const std::string& above, std::string& out) {
  for (const ArgumentSpec& spec : specs) {
    const std::string name = above + std::string(spec.name) + (spec.name_is_prefix ? "*" : "");
    const std::string usual =
        spec.default_text.empty() ? "" : fmt::format("`{}`", spec.default_text);
    out += fmt::format("| `{}` | {} | {} | {} |\n", name, ShapeOf(spec), usual, EffectOf(spec));
    if (!TakesEither(spec)) AddRows(spec.fields, name + "/", out);
  }
}

void AddArguments(std::span<const ArgumentSpec> specs, std::span<const RetiredArgument> retired,
                  std::string& out) {
  if (!specs.empty()) {
    out += "\n| argument | what it may be | default | what it does |\n|---|---|---|---|\n";
    AddRows(specs, "", out);
  }
  if (retired.empty()) return;
  out += "\nRetired, and ignored with a warning:\n\n";
  for (const RetiredArgument& argument : retired)
    out += fmt::format("- `{}`: {}\n", argument.name, argument.reason);
}

std::string SwitchesOf(const PluginDescriptor& plugin) {
  std::vector<std::string> names;
  for (const Switch& candidate : Switches()) {
    if (candidate.point && plugin.points.Has(*candidate.point))
      names.push_back(fmt::format("`{}`", candidate.name));
  }
  if (names.empty()) return "";
  return fmt::format("\nSwitches: {}.\n", fmt::join(names, ", "));
}

std::string Explain(const PluginDescriptor& plugin) {
  std::string out = fmt::format("\n### {}\n\nThe plugin {}.\n", plugin.name, plugin.summary);
  out += SwitchesOf(plugin);
  AddArguments(plugin.arguments, plugin.retired, out);
  return out;
}

std::string Explain(const ActionDescriptor& action) {
  std::string out = fmt::format("\n### {}\n\nThe action {}.\n", action.name, action.summary);
  AddArguments(action.arguments, action.retired, out);
  return out;
}

}  // namespace

std::string ExplainConf(const Registry& registry) {
  std::string out = fmt::format(kHead, fmt::join(kWordsOf<PlacementNeed>, ", "));
  out += "\n## Actions\n";
  for (const ActionDescriptor& action : registry.actions) out += Explain(action);
  out += "\n## Plugins\n";
  for (const PluginDescriptor& plugin : registry.plugins) out += Explain(plugin);
  return out;
}

Result<std::string> ExplainName(const Registry& registry, std::string_view name) {
  std::vector<std::string_view> names;
  for (const PluginDescriptor& plugin : registry.plugins) {
    if (plugin.name == name) return Explain(plugin).substr(1);
    names.push_back(plugin.name);
  }
  for (const ActionDescriptor& action : registry.actions) {
    if (action.name == name) return Explain(action).substr(1);
    names.push_back(action.name);
  }
  return Invalid(
      fmt::format("no plugin or action is called \"{}\"{}", Shown(name), DidYouMean(name, names)));
}

}  // namespace batholith
