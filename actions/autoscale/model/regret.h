#pragma once

#include <cstdint>

#include "actions/autoscale/model/conf.h"
#include "actions/autoscale/model/input.h"
#include "api/autoscale_report.h"

// A drain in thought puts pods where there is room; the scheduler puts them where its order says,
// and may so leave less room in one piece than the thought did. A group that had to grow again
// under the same load does not give that size up a second time.
namespace batholith {

// What real pods ask for, those of each node left out.
struct PodLoad {
  std::int64_t cpu_m = 0;
  std::int64_t memory = 0;
};
// Cost: O(nodes + demand).
PodLoad LoadOf(const AutoscaleInput& input);

// Before anything is decided: forgets a regret once the load has been lighter for the unneeded
// time, or is three hours old (the backoff's reset).
void RefreshRegret(GroupMemory& memory, const PodLoad& load, const AutoscaleConf& conf, TimeNs now);

// The size that the group does not go below; 0: any.
inline std::int64_t RegretFloor(const GroupMemory& memory) {
  return memory.regretted ? memory.regretted->size : 0;
}

void RecordShrink(GroupMemory& memory, std::int64_t size, const PodLoad& load, TimeNs now);
// The group grows: it regrets its last removal unless the load has become heavier since.
void RecordGrowth(GroupMemory& memory, const PodLoad& load, TimeNs now);

}  // namespace batholith
