#include "plugins/cdp/cdp.h"

#include "api/value_text.h"
#include "framework/describe_plugin.h"
#include "plugins/common/victim_guard.h"

namespace batholith {
namespace {

constexpr std::string_view kCooldownKey = "volcano.sh/cooldown-time";

class Cdp final : public Plugin, public VictimGuard {
 public:
  explicit Cdp(const PluginContext& context) : snapshot_(context.snapshot) {}

 private:
  std::vector<TaskIndex> Spare(std::span<const TaskIndex> candidates) const override {
    std::vector<TaskIndex> victims;
    for (const TaskIndex t : candidates) {
      if (!CoolsDown(*snapshot_.task(t).record)) victims.push_back(t);
    }
    return victims;
  }

  bool CoolsDown(const PodRecord& pod) const {
    if (pod.phase != PodPhase::kRunning || pod.scheduled_at == 0) return false;
    const std::optional<std::chrono::nanoseconds> cooldown = CooldownOf(pod.meta);
    return cooldown &&
           ResourceVector::AddSaturating(pod.scheduled_at, cooldown->count()) > snapshot_.now;
  }

  // The label goes before the annotation.
  static std::optional<std::chrono::nanoseconds> CooldownOf(const ObjectMeta& meta) {
    for (const Labels* from : {&*meta.labels, &*meta.annotations}) {
      const auto it = from->find(kCooldownKey);
      if (it == from->end()) continue;
      if (const auto value = ParseGoDuration(it->second)) return value;
    }
    return std::nullopt;
  }

  const Snapshot& snapshot_;
};

}  // namespace

PluginDescriptor CdpPlugin() {
  return DescribePlugin<Cdp>({
      .name = "cdp",
      .summary = "spares pods that have just been scheduled",
      .reads_clock = true,
  });
}

}  // namespace batholith
