#include "actions/autoscale/model/decide.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "actions/autoscale/model/regret.h"

namespace batholith {
namespace {

class Decider {
 public:
  Decider(const AutoscaleInput& input, const AutoscaleConf& conf, const AutoscaleMemory& before,
          TimeNs now)
      : input_(input), conf_(conf), now_(now) {
    out_.memory = before;
  }

  AutoscaleDecision Run() && {
    ForgetTheGone();
    ObserveNodes();
    load_ = LoadOf(input_);
    const std::vector<GroupNodes> nodes = CountNodes();
    for (std::size_t g = 0; g < input_.groups.size(); ++g) ObserveGroup(g, nodes[g]);
    if (!memory().first_decision) memory().first_decision = now_;
    if (IsUnhealthy()) {
      Suspend();
    } else {
      ScaleUp();
      ScaleDown();
    }
    for (std::size_t g = 0; g < out_.groups.size(); ++g) Conclude(g);
    if (input_.queue_limited_pods > 0) {
      out_.unmet[ScaleReason::kQueueLimited].pods += input_.queue_limited_pods;
    }
    memory().last_decision = now_;
    std::erase_if(memory().nodes, [](const auto& node) { return node.second == NodeMemory(); });
    return std::move(out_);
  }

 private:
  struct GroupNodes {             // of one group
    std::int64_t current = 0;     // that are not going
    std::int64_t starting = 0;    // of them, not ready yet
    std::int64_t slack_hold = 0;  // of them, not ready any more since a moment
    std::int64_t unmarked = 0;    // that a decision took out and nobody marks yet
  };

  AutoscaleMemory& memory() { return out_.memory; }

  void ForgetTheGone() {
    std::set<std::string_view> nodes;
    for (const AutoscaleNode& node : input_.nodes) nodes.insert(node.name);
    std::set<std::string_view> groups;
    for (const NodeGroup& group : input_.groups) groups.insert(group.name);
    std::erase_if(memory().nodes, [&](const auto& node) { return !nodes.contains(node.first); });
    std::erase_if(memory().groups, [&](const auto& g) { return !groups.contains(g.first); });
    for (auto removal = memory().removals.begin(); removal != memory().removals.end();) {
      const bool late = now_ - removal->second.at >= conf_.scale_down.removal_timeout;
      if (late) memory().last_removal_failure = now_;
      const bool forget = late || !nodes.contains(removal->first);
      removal = forget ? memory().removals.erase(removal) : std::next(removal);
    }
  }

  // A node that is not ready is starting when it is fresh and was not there at the last decision;
  // an interval earlier counts too, as it is told late and in whole seconds. Another one has just
  // lost its readiness.
  void ObserveNodes() {
    const std::optional<TimeNs> last = memory().last_decision;
    base_.landing.resize(input_.nodes.size());
    base_.fresh.resize(input_.nodes.size());
    going_.resize(input_.nodes.size());
    for (std::size_t n = 0; n < input_.nodes.size(); ++n) {
      const AutoscaleNode& node = input_.nodes[n];
      base_.fresh[n] = now_ - node.creation < conf_.startup_time;
      going_[n] = node.deleting || memory().removals.contains(node.name);
      base_.landing[n] = node.ready && node.schedulable && !going_[n];
      if (node.ready) {
        const auto known = memory().nodes.find(node.name);
        if (known == memory().nodes.end()) continue;
        known->second.unready_since.reset();
        known->second.starting = false;
        continue;
      }
      NodeMemory& of_node = memory().nodes[node.name];
      if (of_node.unready_since) {
        of_node.starting = of_node.starting && base_.fresh[n];
        continue;
      }
      of_node.unready_since = now_;
      of_node.starting = base_.fresh[n] && (!last || node.creation >= ResourceVector::SubSaturating(
                                                                          *last, conf_.interval));
    }
  }

  std::vector<GroupNodes> CountNodes() {
    std::vector<GroupNodes> out(input_.groups.size());
    for (std::size_t n = 0; n < input_.nodes.size(); ++n) {
      const AutoscaleNode& node = input_.nodes[n];
      if (node.group == AutoscaleNode::kNoGroup) continue;
      GroupNodes& count = out[node.group];
      if (going_[n]) {
        if (!node.deleting) ++count.unmarked;
        continue;
      }
      ++count.current;
      if (node.ready) continue;
      const NodeMemory& of_node = memory().nodes.at(node.name);
      if (of_node.starting) {
        ++count.starting;
      } else if (now_ - *of_node.unready_since < conf_.stabilization_window) {
        ++count.slack_hold;
      }
    }
    return out;
  }

  void ObserveGroup(std::size_t g, const GroupNodes& nodes) {
    const NodeGroup& group = input_.groups[g];
    GroupDecision decision;
    decision.name = group.name;
    decision.current = nodes.current;
    decision.target = group.target;
    const std::int64_t size = SizeOf(group, nodes.unmarked);
    decision.given_up = GiveUp(group, size, decision.current);
    const GroupBackoff& backoff = memory().groups[group.name].backoff;
    decision.closed = GroupProblem(group);
    if (decision.closed == ScaleReason::kNone && IsBackedOff(backoff, now_)) {
      decision.closed = ScaleReason::kBackoff;
      decision.backoff_until = backoff.until;
    }
    base_.sizes.push_back(size - decision.given_up);
    const bool comes = !memory().groups[group.name].timed_out;
    base_.upcoming.push_back(nodes.starting +
                             (comes ? std::max<std::int64_t>(0, size - decision.current) : 0));
    base_.slack_hold.push_back(nodes.slack_hold);
    base_.closed.push_back(decision.closed);
    out_.groups.push_back(std::move(decision));
  }

  // Nodes that will stay. Nodes that a decision took out and nobody marks yet are still in the
  // target where that is above what was decided.
  std::int64_t SizeOf(const NodeGroup& group, std::int64_t unmarked) {
    const std::int64_t size = group.size();
    const auto known = memory().groups.find(group.name);
    if (known == memory().groups.end() || size <= known->second.last_size) return size;
    return size - std::min(unmarked, size - known->second.last_size);
  }

  // Keeps the clock of nodes on their way; how many will not come any more.
  std::int64_t GiveUp(const NodeGroup& group, std::int64_t size, std::int64_t current) {
    const bool known = memory().groups.contains(group.name);
    GroupMemory& of_group = memory().groups[group.name];
    of_group.backoff = Refreshed(of_group.backoff, conf_.backoff, now_);
    RefreshRegret(of_group, load_, conf_, now_);
    const bool grew = known && size > of_group.last_size;
    if (grew) memory().last_scale_up = now_;
    const std::int64_t missing = size - current;
    if (missing <= 0) {
      of_group.requested_at.reset();
      of_group.timed_out = false;
    } else if (grew || (!of_group.requested_at && !of_group.timed_out)) {
      of_group.requested_at = now_;
      of_group.timed_out = false;
    } else if (of_group.requested_at && now_ - *of_group.requested_at > conf_.provision_time) {
      of_group.backoff = WithFailure(of_group.backoff, conf_.backoff, now_);
      of_group.requested_at.reset();
      of_group.timed_out = true;
    }
    of_group.last_size = size;
    if (!of_group.timed_out) return 0;
    return std::max<std::int64_t>(0, size - std::max(current, group.min));
  }

  bool IsUnhealthy() {
    std::int64_t unready = 0;
    for (const AutoscaleNode& node : input_.nodes) {
      if (!node.ready && !memory().nodes.at(node.name).starting) ++unready;
    }
    const auto all = static_cast<std::int64_t>(input_.nodes.size());
    return unready > conf_.ok_unready_nodes && unready * 100 > all * conf_.max_unready_percent;
  }

  void Suspend() {
    for (const Demand& demand : input_.demand) {
      UnmetCount& unmet = out_.unmet[ScaleReason::kClusterUnhealthy];
      (demand.origin == DemandOrigin::kSlack ? unmet.slack : unmet.pods) += demand.count;
    }
    for (auto& [name, of_node] : memory().nodes) of_node.unneeded_since.reset();
    out_.hold = ScaleDownHold::kClusterUnhealthy;
    needed_.resize(input_.nodes.size());
  }

  void ScaleUp() {
    ScaleUpPlan plan = PlanScaleUp(input_, conf_, base_, memory().draws);
    memory().draws = plan.draws;
    for (std::size_t g = 0; g < out_.groups.size(); ++g) {
      out_.groups[g].growth = plan.growth[g];
      grows_ = grows_ || plan.growth[g].total() > 0;
    }
    out_.unmet = std::move(plan.unmet);
    out_.unfit_gangs = std::move(plan.unfit_gangs);
    needed_ = std::move(plan.needed);
  }

  void ScaleDown() {
    if (!conf_.scale_down.enabled) {
      out_.hold = ScaleDownHold::kDisabled;
      return;
    }
    std::vector<std::int64_t> floors;
    for (const NodeGroup& group : input_.groups)
      floors.push_back(RegretFloor(memory().groups[group.name]));
    const ScaleDownBase base{
        .sizes = base_.sizes, .floors = std::move(floors), .going = going_, .needed = needed_};
    ScaleDownPlan plan = PlanScaleDown(input_, conf_.scale_down, base, memory(), now_);
    out_.unneeded = std::move(plan.unneeded);
    out_.blocked = std::move(plan.blocked);
    out_.hold = plan.hold;
    if (grows_) {
      out_.hold = ScaleDownHold::kAfterScaleUp;
      return;
    }
    out_.removals = std::move(plan.removals);
    for (const NodeRemoval& removal : out_.removals) {
      ++out_.groups[removal.group].removals;
      if (conf_.mode != AutoscaleMode::kApply) continue;
      memory().removals[removal.name] = {.at = now_, .drained = removal.drains};
      memory().last_removal = now_;
    }
  }

  void Conclude(std::size_t g) {
    GroupDecision& group = out_.groups[g];
    group.recommended = base_.sizes[g] + input_.groups[g].deletions_in_target +
                        group.growth.total() - group.removals;
    if (conf_.mode != AutoscaleMode::kApply) return;
    GroupMemory& of_group = memory().groups[group.name];
    if (group.removals > 0) RecordShrink(of_group, base_.sizes[g], load_, now_);
    if (group.growth.total() > 0) RecordGrowth(of_group, load_, now_);
    of_group.last_size += group.growth.total() - group.removals - group.given_up;
    if (group.growth.total() == 0) return;
    of_group.timed_out = false;
    of_group.requested_at = now_;
    memory().last_scale_up = now_;
  }

  const AutoscaleInput& input_;
  const AutoscaleConf& conf_;
  TimeNs now_;
  ScaleUpBase base_;
  std::vector<bool> going_;   // by node
  std::vector<bool> needed_;  // by node
  bool grows_ = false;
  PodLoad load_;
  AutoscaleDecision out_;
};

}  // namespace

AutoscaleDecision Decide(const AutoscaleInput& input, const AutoscaleConf& conf,
                         const AutoscaleMemory& before, TimeNs now) {
  if (conf.mode != AutoscaleMode::kOff) return Decider(input, conf, before, now).Run();
  AutoscaleDecision out;
  out.memory = before;
  return out;
}

}  // namespace batholith
