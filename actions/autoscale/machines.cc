#include "actions/autoscale/machines.h"

#include <algorithm>

#include "api/node_group.h"

namespace batholith {

void NameMachines(const ClusterObjects& objects, const AutoscaleMemory& memory,
                  NodeGroupOrder& order) {
  order.machines.assign(order.removals.size(), "");
  for (const MachineRecord& machine : objects.machines) {
    if (machine.Group() != order.target) continue;
    const auto removal = std::ranges::find(order.removals, machine.node);
    if (removal != order.removals.end()) {
      order.machines[static_cast<std::size_t>(removal - order.removals.begin())] =
          machine.meta.Key();
    } else if (machine.marked && !machine.meta.deleting &&
               !memory.removals.contains(machine.node)) {
      order.stale_marks.push_back(machine.meta.Key());
    }
  }
  std::ranges::sort(order.stale_marks);
}

}  // namespace batholith
