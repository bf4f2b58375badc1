#include "framework/pipeline.h"

namespace batholith {

Result<Pipeline> Compile(const SchedulerConf& conf, std::span<const PluginDescriptor> plugins,
                         std::span<const ActionDescriptor> actions) {
  Pipeline out;
  for (const ActionConf& action : conf.actions) {
    const ActionDescriptor* found = nullptr;
    for (const ActionDescriptor& d : actions) {
      if (d.name == action.name) found = &d;
    }
    if (found == nullptr) return Invalid("action " + action.name + ": this build does not have it");
    if (found->check != nullptr) {
      const Result<void> ok = found->check(action.arguments);
      if (!ok) return Invalid("action " + action.name + ": " + ok.error().message);
    }
    if (found->node_resources != nullptr) {
      const std::vector<std::string> names = found->node_resources(action.arguments);
      out.node_resources.insert(out.node_resources.end(), names.begin(), names.end());
    }
    out.actions.push_back({found, action.arguments});
  }
  out.tiers = conf.tiers.size();
  for (std::size_t tier = 0; tier < conf.tiers.size(); ++tier) {
    for (const PluginConf& plugin : conf.tiers[tier].plugins) {
      const PluginDescriptor* found = nullptr;
      for (const PluginDescriptor& d : plugins) {
        if (d.name == plugin.name) found = &d;
      }
      if (found == nullptr)
        return Invalid("plugin " + plugin.name + ": this build does not have it");
      out.plugins.push_back({found, plugin, tier});
    }
  }
  return out;
}

}  // namespace batholith
