#include "scheduler/quota_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "actions/builtin.h"
#include "plugins/builtin.h"

namespace batholith {
namespace {

// The first of the program's own descriptors that is such.
template <typename List, typename Is>
std::string NameOf(const List& list, Is is) {
  const auto found = std::ranges::find_if(list, is);
  return found == list.end() ? std::string() : std::string(found->name);
}

bool Revokes(const ActionDescriptor& action) { return action.revokes_quotas; }
bool TakesBack(const ActionDescriptor& action) { return action.asks.Has(Point::kReclaimable); }

}  // namespace

std::vector<std::string> QuotaHints(const ClusterObjects& objects, const Pipeline& pipeline) {
  std::vector<std::string> hints;
  if (objects.elastic_quotas.empty()) return hints;
  const bool judged = std::ranges::any_of(
      pipeline.plugins, [](const Pipeline::PluginEntry& p) { return p.descriptor->owns_quotas; });
  const auto runs = [&](bool (*is)(const ActionDescriptor&)) {
    return std::ranges::any_of(pipeline.actions,
                               [&](const Pipeline::ActionEntry& a) { return is(*a.descriptor); });
  };
  if (!judged) {
    hints.push_back(fmt::format(
        "there are {} elastic quotas, and no plugin of the conf judges by them: add {}",
        objects.elastic_quotas.size(),
        NameOf(BuiltinPlugins(), [](const PluginDescriptor& p) { return p.owns_quotas; })));
    return hints;
  }
  const auto koordinators = [](const ElasticQuotaRecord& quota) {
    return quota.dialect == QuotaDialect::kKoordinator;
  };
  const auto makes_room = [](const ActionDescriptor& action) { return action.makes_room; };
  if (!runs(makes_room) && !std::ranges::all_of(objects.elastic_quotas, koordinators)) {
    hints.push_back(fmt::format("elastic quotas lend and never take back: add {} to actions",
                                NameOf(BuiltinActions(), TakesBack)));
  }
  if (!runs(Revokes) && std::ranges::any_of(objects.elastic_quotas, koordinators)) {
    hints.push_back(fmt::format(
        "quotas of scheduling.sigs.k8s.io that use more than their runtime keep it: add {} to "
        "actions and monitorAllQuotas: true to the arguments of plugin {}",
        NameOf(BuiltinActions(), Revokes),
        NameOf(BuiltinPlugins(), [](const PluginDescriptor& p) { return p.owns_quotas; })));
  }
  return hints;
}

}  // namespace batholith
