#include "scheduler/quota_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "actions/builtin.h"
#include "plugins/builtin.h"
#include "plugins/elasticquota/options.h"
#include "scheduler/options_in.h"

namespace batholith {
namespace {

// The first of the program's own descriptors that is such.
template <typename List, typename Is>
std::string NameOf(const List& list, Is is) {
  const auto found = std::ranges::find_if(list, is);
  return found == list.end() ? std::string() : std::string(found->name);
}

std::string QuotaPlugin() {
  return NameOf(BuiltinPlugins(), [](const PluginDescriptor& p) { return p.owns_quotas; });
}

bool TakesBack(const ActionDescriptor& action) { return action.asks.Has(Point::kReclaimable); }

bool IsKoordinators(const ElasticQuotaRecord& quota) {
  return quota.dialect == QuotaDialect::kKoordinator;
}

// What is missing for Koordinator's runtimes to be kept; empty: nothing.
std::string LackOfRevocation(const Pipeline& pipeline, const QuotaOptions& options) {
  std::string add;
  if (!options.use_runtime) return add;
  if (!pipeline.Any(&ActionDescriptor::revokes_quotas))
    add = NameOf(BuiltinActions(), [](const auto& a) { return a.revokes_quotas; }) + " to actions";
  if (!options.monitor_all)
    add += fmt::format("{}monitorAllQuotas: true to the arguments of plugin {}",
                       add.empty() ? "" : " and ", QuotaPlugin());
  return add;
}

}  // namespace

std::vector<std::string> QuotaHints(const ClusterObjects& objects, const Pipeline& pipeline) {
  std::vector<std::string> hints;
  if (objects.elastic_quotas.empty()) return hints;
  const auto* options = OptionsIn<QuotaOptions>(pipeline, ElasticQuotaArguments());
  if (options == nullptr) {
    hints.push_back(
        fmt::format("there are {} elastic quotas, and no plugin of the conf judges by them: add {}",
                    objects.elastic_quotas.size(), QuotaPlugin()));
    return hints;
  }
  if (!pipeline.Any(&ActionDescriptor::makes_room) &&
      !std::ranges::all_of(objects.elastic_quotas, IsKoordinators)) {
    hints.push_back(fmt::format("elastic quotas lend and never take back: add {} to actions",
                                NameOf(BuiltinActions(), TakesBack)));
  }
  if (!std::ranges::any_of(objects.elastic_quotas, IsKoordinators)) return hints;
  if (const std::string add = LackOfRevocation(pipeline, *options); !add.empty())
    hints.push_back(
        "quotas of scheduling.sigs.k8s.io that use more than their runtime keep it: add " + add);
  return hints;
}

}  // namespace batholith
