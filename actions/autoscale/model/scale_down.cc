#include "actions/autoscale/model/scale_down.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "actions/autoscale/model/utilization.h"

namespace batholith {
namespace {

bool IsWithin(const std::optional<TimeNs>& since, TimeNs delay, TimeNs now) {
  return since && now - *since < delay;
}

class ScaleDownPlanner {
 public:
  ScaleDownPlanner(const AutoscaleInput& input, const ScaleDownConf& conf,
                   const ScaleDownBase& base, AutoscaleMemory& memory, TimeNs now)
      : input_(input), conf_(conf), base_(base), memory_(memory), now_(now) {}

  ScaleDownPlan Run() && {
    std::vector<std::size_t> candidates;
    for (std::size_t n = 0; n < input_.nodes.size(); ++n) {
      if (!IsOfOpenGroup(n) || base_.going[n]) continue;
      const KeepReason reason = WhyNoCandidate(n);
      reason == KeepReason::kNone ? candidates.push_back(n) : Keep(reason);
    }
    std::ranges::sort(candidates, {}, [&](std::size_t n) {
      const AutoscaleNode& node = input_.nodes[n];
      return std::tuple(node.pods > 0, !WasUnneeded(node.name), -node.creation,
                        std::string_view(node.name));
    });
    Simulate(candidates);
    StopOtherClocks();
    plan_.hold = HoldOf(memory_, conf_, now_);
    if (plan_.hold == ScaleDownHold::kNone) Choose();
    return std::move(plan_);
  }

 private:
  struct Unneeded {
    std::size_t node = 0;
    DrainSimulation::Outcome outcome;
  };

  bool IsOfOpenGroup(std::size_t n) const {
    const std::size_t g = input_.nodes[n].group;
    if (g == AutoscaleNode::kNoGroup) return false;
    const ScaleReason problem = GroupProblem(input_.groups[g]);
    return problem == ScaleReason::kNone || problem == ScaleReason::kNoTemplate;
  }

  const NodeMemory* Remembered(const std::string& name) const {
    const auto it = memory_.nodes.find(name);
    return it == memory_.nodes.end() ? nullptr : &it->second;
  }
  bool WasUnneeded(const std::string& name) const {
    const NodeMemory* memory = Remembered(name);
    return memory != nullptr && memory->unneeded_since.has_value();
  }

  std::int64_t FloorOf(std::size_t group) const {
    const std::int64_t floor = base_.floors.empty() ? 0 : base_.floors[group];
    return std::max(input_.groups[group].min, floor);
  }

  void Keep(KeepReason reason) { ++plan_.blocked[reason]; }

  KeepReason WhyNoCandidate(std::size_t n) const {
    const AutoscaleNode& node = input_.nodes[n];
    if (node.scale_down_disabled) return KeepReason::kScaleDownDisabled;
    const NodeMemory* memory = Remembered(node.name);
    if (!node.ready && !conf_.unready_enabled) return KeepReason::kScaleDownDisabled;
    if (memory != nullptr && memory->starting) return KeepReason::kStarting;
    if (base_.needed[n]) return KeepReason::kNeededByDemand;
    const Utilization used = UtilizationOf(node, input_.gpu_dimensions, conf_);
    if (!IsUnderutilized(used, conf_)) return KeepReason::kUtilization;
    if (memory != nullptr && memory->unremovable_until && now_ < *memory->unremovable_until) {
      return KeepReason::kRecentlyUnremovable;
    }
    return KeepReason::kNone;
  }

  // Nodes that are likely to stay take pods first, then candidates from the least likely to go.
  std::vector<std::size_t> Destinations(const std::vector<std::size_t>& candidates) const {
    std::vector<bool> is_candidate(input_.nodes.size());
    for (const std::size_t n : candidates) is_candidate[n] = true;
    std::vector<std::size_t> out;
    const auto takes_pods = [&](std::size_t n) {
      const AutoscaleNode& node = input_.nodes[n];
      return node.ready && node.schedulable && !node.deleting && !base_.going[n];
    };
    for (std::size_t n = 0; n < input_.nodes.size(); ++n) {
      if (!is_candidate[n] && takes_pods(n)) out.push_back(n);
    }
    for (auto n = candidates.rbegin(); n != candidates.rend(); ++n) {
      if (takes_pods(*n)) out.push_back(*n);
    }
    return out;
  }

  void Simulate(const std::vector<std::size_t>& candidates) {
    if (candidates.empty()) return;
    DrainSimulation simulation(input_, conf_, Destinations(candidates));
    for (std::size_t n = 0; n < input_.nodes.size(); ++n) {
      if (base_.going[n] && input_.nodes[n].pods > 0) simulation.Reserve(n);
    }
    std::vector<std::int64_t> taken(input_.groups.size());
    std::int64_t with_pods = 0;
    for (const std::size_t n : candidates) {
      const AutoscaleNode& node = input_.nodes[n];
      if (base_.sizes[node.group] - taken[node.group] <= FloorOf(node.group)) {
        Keep(KeepReason::kMinSize);
        continue;
      }
      if (simulation.HasReceived(n)) {
        Keep(KeepReason::kTakesMovedPods);
        continue;
      }
      if (node.pods > 0 && with_pods++ >= conf_.max_candidates) {
        Keep(KeepReason::kCandidateLimit);
        continue;
      }
      DrainSimulation::Outcome outcome = simulation.TryDrain(n);
      if (outcome.reason != KeepReason::kNone) {
        Keep(outcome.reason);
        // Without pods it is cheap to look again, and slack comes and goes.
        if (node.pods > 0)
          memory_.nodes[node.name].unremovable_until =
              ResourceVector::AddSaturating(now_, conf_.unremovable_recheck);
        continue;
      }
      ++taken[node.group];
      plan_.unneeded.push_back(n);
      unneeded_.push_back({n, std::move(outcome)});
    }
  }

  void StopOtherClocks() {
    std::vector<std::string_view> running;
    for (const std::size_t n : plan_.unneeded) {
      NodeMemory& memory = memory_.nodes[input_.nodes[n].name];
      if (!memory.unneeded_since) memory.unneeded_since = now_;
      running.push_back(input_.nodes[n].name);
    }
    std::ranges::sort(running);
    for (auto& [name, memory] : memory_.nodes) {
      if (!std::ranges::binary_search(running, std::string_view(name))) {
        memory.unneeded_since.reset();
      }
    }
  }

  bool IsDue(std::size_t n) const {
    const AutoscaleNode& node = input_.nodes[n];
    const TimeNs needed = node.ready ? conf_.unneeded_time : conf_.unready_time;
    return now_ - *Remembered(node.name)->unneeded_since > needed;
  }

  // Nodes without pods first, then those that drain at once, then the risky ones.
  void Choose() {
    std::int64_t going = 0;
    std::int64_t draining = 0;
    for (std::size_t n = 0; n < input_.nodes.size(); ++n) {
      if (!base_.going[n]) continue;
      ++going;
      if (input_.nodes[n].pods > 0) ++draining;
    }
    std::ranges::stable_sort(unneeded_, {}, [&](const Unneeded& u) {
      return std::pair(input_.nodes[u.node].pods > 0, u.outcome.risky);
    });
    for (Unneeded& u : unneeded_) {
      const AutoscaleNode& node = input_.nodes[u.node];
      const bool drains = node.pods > 0;
      if (!IsDue(u.node) || going >= conf_.max_parallel) continue;
      if (drains && draining >= conf_.max_drain) continue;
      ++going;
      if (drains) ++draining;
      RemovalReason reason = drains ? RemovalReason::kUnderutilized : RemovalReason::kEmpty;
      if (!node.ready) reason = RemovalReason::kUnready;
      plan_.removals.push_back({.node = u.node,
                                .name = node.name,
                                .group = node.group,
                                .reason = reason,
                                .risky = u.outcome.risky,
                                .drains = drains,
                                .moves = std::move(u.outcome.moves)});
    }
  }

  const AutoscaleInput& input_;
  const ScaleDownConf& conf_;
  const ScaleDownBase& base_;
  AutoscaleMemory& memory_;
  TimeNs now_;
  std::vector<Unneeded> unneeded_;
  ScaleDownPlan plan_;
};

}  // namespace

std::string_view RemovalReasonName(RemovalReason reason) {
  switch (reason) {
    case RemovalReason::kEmpty:
      return "empty";
    case RemovalReason::kUnderutilized:
      return "underutilized";
    case RemovalReason::kUnready:
      return "unready";
  }
  return "";
}

ScaleDownHold HoldOf(const AutoscaleMemory& memory, const ScaleDownConf& conf, TimeNs now) {
  if (IsWithin(memory.first_decision, conf.delay_after_add, now)) return ScaleDownHold::kAfterStart;
  if (IsWithin(memory.last_scale_up, conf.delay_after_add, now))
    return ScaleDownHold::kAfterScaleUp;
  if (IsWithin(memory.last_removal, conf.delay_after_delete, now))
    return ScaleDownHold::kAfterDelete;
  if (IsWithin(memory.last_removal_failure, conf.delay_after_failure, now)) {
    return ScaleDownHold::kAfterFailure;
  }
  return ScaleDownHold::kNone;
}

ScaleDownPlan PlanScaleDown(const AutoscaleInput& input, const ScaleDownConf& conf,
                            const ScaleDownBase& base, AutoscaleMemory& memory, TimeNs now) {
  return ScaleDownPlanner(input, conf, base, memory, now).Run();
}

}  // namespace batholith
