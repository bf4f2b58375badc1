#include "conf/known_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "api/did_you_mean.h"

namespace batholith {
namespace {

constexpr RetiredName kRetiredActions[] = {
    {"elect", "Volcano removed it together with the plugin reservation"},
    {"reserve", "Volcano removed it together with the plugin reservation"},
};

constexpr RetiredName kRetiredPlugins[] = {
    {"reservation", "Volcano removed it together with the actions elect and reserve"},
};

constexpr std::string_view kLaterActions[] = {"gangpreempt", "gangreclaim"};

constexpr std::string_view kLaterPlugins[] = {
    "deviceshare", "numa-aware", "task-topology", "rescheduling", "usage", "extender",
};

const RetiredName* Find(std::span<const RetiredName> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &RetiredName::name);
  return found == table.end() ? nullptr : &*found;
}

template <typename Descriptors>
MissingName Missing(const char* kind, const Descriptors& had,
                    std::span<const std::string_view> later, std::string_view name) {
  if (std::ranges::find(later, name) != later.end())
    return {true, fmt::format("{} {} is known, but this build does not have it yet", kind, name)};
  std::vector<std::string_view> names;
  for (const auto& one : had) names.push_back(one.name);
  return {false, fmt::format("{} \"{}\" is unknown{}", kind, Shown(name), DidYouMean(name, names))};
}

}  // namespace

const RetiredName* FindRetiredAction(std::string_view name) { return Find(kRetiredActions, name); }

const RetiredName* FindRetiredPlugin(std::string_view name) { return Find(kRetiredPlugins, name); }

std::span<const std::string_view> LaterActions() { return kLaterActions; }
std::span<const std::string_view> LaterPlugins() { return kLaterPlugins; }

MissingName MissingAction(const Registry& registry, std::string_view name) {
  return Missing("action", registry.actions, kLaterActions, name);
}
MissingName MissingPlugin(const Registry& registry, std::string_view name) {
  return Missing("plugin", registry.plugins, kLaterPlugins, name);
}

}  // namespace batholith
