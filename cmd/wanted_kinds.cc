#include "cmd/wanted_kinds.h"

namespace batholith {

std::vector<KindUse> WantedKinds(const Pipeline& pipeline) {
  std::vector<KindUse> out;
  if (pipeline.needs.reads_buffers) out.push_back(KindUse::kBuffers);
  if (pipeline.needs.reads_node_groups) out.push_back(KindUse::kNodeGroups);
  return out;
}

}  // namespace batholith
