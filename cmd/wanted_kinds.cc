#include "cmd/wanted_kinds.h"

#include <algorithm>

namespace batholith {

std::vector<KindUse> WantedKinds(const Pipeline& pipeline) {
  std::vector<KindUse> out;
  if (pipeline.needs.reads_buffers) out.push_back(KindUse::kBuffers);
  if (pipeline.needs.reads_node_groups) out.push_back(KindUse::kNodeGroups);
  const auto knows_topology = [](const Pipeline::PluginEntry& plugin) {
    return plugin.points.Has(Point::kHyperNodeGradient) &&
           plugin.descriptor->points.Has(Point::kHyperNodeGradient);
  };
  if (std::ranges::any_of(pipeline.plugins, knows_topology)) out.push_back(KindUse::kTopology);
  return out;
}

}  // namespace batholith
