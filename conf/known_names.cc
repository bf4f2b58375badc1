#include "conf/known_names.h"

#include <algorithm>

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
    "deviceshare", "numa-aware", "task-topology", "rescheduling", "usage", "network-topology-aware",
    "extender",
};

const RetiredName* Find(std::span<const RetiredName> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &RetiredName::name);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

const RetiredName* FindRetiredAction(std::string_view name) { return Find(kRetiredActions, name); }

const RetiredName* FindRetiredPlugin(std::string_view name) { return Find(kRetiredPlugins, name); }

std::span<const std::string_view> LaterActions() { return kLaterActions; }
std::span<const std::string_view> LaterPlugins() { return kLaterPlugins; }

}  // namespace batholith
