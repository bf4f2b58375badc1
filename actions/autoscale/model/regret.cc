#include "actions/autoscale/model/regret.h"

#include "api/resource_schema.h"

namespace batholith {
PodLoad LoadOf(const AutoscaleInput& input) {
  ResourceVector load;
  for (const AutoscaleNode& node : input.nodes)
    load += node.requested - node.daemon_requested - node.mirror_requested;
  for (const Demand& demand : input.demand) {
    if (demand.origin == DemandOrigin::kPods)
      load.AddTimes(input.shapes[demand.shape].request, demand.count);
  }
  return {.cpu_m = load[ResourceSchema::kCpu], .memory = load[ResourceSchema::kMemory]};
}

void RefreshRegret(GroupMemory& memory, const PodLoad& load, const AutoscaleConf& conf,
                   TimeNs now) {
  if (!memory.regretted) return;
  SizeAtLoad& regretted = *memory.regretted;
  // While pods move from one node to another nobody counts them for a moment.
  if (load.cpu_m >= regretted.cpu_m && load.memory >= regretted.memory) {
    regretted.lighter_since.reset();
  } else if (!regretted.lighter_since) {
    regretted.lighter_since = now;
  }
  const bool lighter =
      regretted.lighter_since && now - *regretted.lighter_since > conf.scale_down.unneeded_time;
  if (lighter || now - regretted.at >= conf.backoff.reset) memory.regretted.reset();
}

void RecordShrink(GroupMemory& memory, std::int64_t size, const PodLoad& load, TimeNs now) {
  memory.shrunk = SizeAtLoad{size, load.cpu_m, load.memory, now, std::nullopt};
}

void RecordGrowth(GroupMemory& memory, const PodLoad& load, TimeNs now) {
  if (!memory.shrunk) return;
  const bool heavier = load.cpu_m > memory.shrunk->cpu_m || load.memory > memory.shrunk->memory;
  if (!heavier) {
    memory.regretted = memory.shrunk;
    memory.regretted->at = now;
  }
  memory.shrunk.reset();
}

}  // namespace batholith
