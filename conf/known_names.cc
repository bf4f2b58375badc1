#include "conf/known_names.h"

namespace batholith {
namespace {

constexpr RetiredName kRetiredArguments[] = {
    {"enqueue", "overcommit-factor",
     "it moved to the plugin overcommit (argument overcommit-factor)"},
    {"predicates", "predicate.GPUSharingEnable", "it moved to the plugin deviceshare"},
    {"predicates", "predicate.GPUNumberEnable", "it moved to the plugin deviceshare"},
    // Classes of tasks are always cached, and the result never depends on it.
    {"predicates", "predicate.CacheEnable", ""},
    {"predicates", "predicate.ProportionalEnable",
     "it moved to the plugin resource-strategy-fit (argument proportional)"},
    {"predicates", "predicate.resources",
     "it moved to the plugin resource-strategy-fit (argument proportional)"},
    {"predicates", "predicate.resources.",
     "it moved to the plugin resource-strategy-fit (argument proportional)"},
    {"predicates", "predicate.MemoryPressureEnable", "node pressure is a taint now"},
    {"predicates", "predicate.DiskPressureEnable", "node pressure is a taint now"},
    {"predicates", "predicate.PIDPressureEnable", "node pressure is a taint now"},
    {"nodeorder", "selectorspread.weight",
     "topology spread took its place (podtopologyspread.weight)"},
};

constexpr RetiredName kRetiredActions[] = {
    {"", "elect", "Volcano removed it together with the plugin reservation"},
    {"", "reserve", "Volcano removed it together with the plugin reservation"},
};

constexpr RetiredName kRetiredPlugins[] = {
    {"", "reservation", "Volcano removed it together with the actions elect and reserve"},
};

constexpr std::string_view kLaterActions[] = {"gangpreempt", "gangreclaim"};

constexpr std::string_view kLaterPlugins[] = {
    "deviceshare", "numa-aware", "task-topology", "rescheduling", "usage", "network-topology-aware",
    "extender",
};

const RetiredName* Find(std::span<const RetiredName> table, std::string_view owner,
                        std::string_view name) {
  for (const RetiredName& entry : table) {
    if (entry.owner != owner) continue;
    const bool is_prefix = entry.name.ends_with('.');
    if (is_prefix ? name.starts_with(entry.name) : name == entry.name) return &entry;
  }
  return nullptr;
}

}  // namespace

const RetiredName* FindRetiredArgument(std::string_view owner, std::string_view name) {
  return Find(kRetiredArguments, owner, name);
}

const RetiredName* FindRetiredAction(std::string_view name) {
  return Find(kRetiredActions, "", name);
}

const RetiredName* FindRetiredPlugin(std::string_view name) {
  return Find(kRetiredPlugins, "", name);
}

std::span<const std::string_view> LaterActions() { return kLaterActions; }
std::span<const std::string_view> LaterPlugins() { return kLaterPlugins; }

}  // namespace batholith
