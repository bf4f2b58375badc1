#include "plugins/conformance/conformance.h"

namespace batholith {
namespace {

class Conformance final : public Plugin, public Preemptable, public Reclaimable {
 public:
  explicit Conformance(const PluginContext& context) : snapshot_(context.snapshot) {}

  Victims PreemptVictims(TaskIndex, std::span<const TaskIndex> candidates) const override {
    return Spare(candidates);
  }
  VictimRole PreemptRole() const override { return VictimRole::kGuard; }
  Victims ReclaimVictims(TaskIndex, std::span<const TaskIndex> candidates) const override {
    return Spare(candidates);
  }
  VictimRole ReclaimRole() const override { return VictimRole::kGuard; }

 private:
  std::vector<TaskIndex> Spare(std::span<const TaskIndex> candidates) const {
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

std::unique_ptr<Plugin> MakeConformance(const PluginContext& context) {
  return std::make_unique<Conformance>(context);
}

}  // namespace batholith
