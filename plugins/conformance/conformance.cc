#include "plugins/conformance/conformance.h"

#include "framework/describe_plugin.h"
#include "plugins/common/victim_guard.h"

namespace batholith {
namespace {

class Conformance final : public Plugin, public VictimGuard {
 public:
  explicit Conformance(const PluginContext& context) : snapshot_(context.snapshot) {}

 private:
  std::vector<TaskIndex> Spare(std::span<const TaskIndex> candidates) const override {
    std::vector<TaskIndex> victims;
    for (const TaskIndex t : candidates) {
      const PodRecord& pod = *snapshot_.task(t).record;
      if (pod.priority_class == "system-cluster-critical" ||
          pod.priority_class == "system-node-critical" || pod.meta.namespace_ == "kube-system") {
        continue;
      }
      victims.push_back(t);
    }
    return victims;
  }

  const Snapshot& snapshot_;
};

}  // namespace

PluginDescriptor ConformancePlugin() {
  return DescribePlugin<Conformance>({
      .name = "conformance",
      .summary = "spares pods that the cluster itself needs",
  });
}

}  // namespace batholith
