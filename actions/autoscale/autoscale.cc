#include "actions/autoscale/autoscale.h"

#include <algorithm>
#include <string>

#include "actions/autoscale/demand.h"
#include "actions/autoscale/groups.h"
#include "actions/autoscale/machines.h"
#include "actions/autoscale/model/decide.h"
#include "actions/autoscale/model/describe.h"
#include "actions/autoscale/model/memory.h"
#include "actions/autoscale/nodes.h"
#include "actions/autoscale/options.h"
#include "framework/session.h"

namespace batholith {
namespace {

std::int32_t Small(std::int64_t n) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(n, INT32_MIN, INT32_MAX));
}

NodeGroupStatus StatusOf(const GroupDecision& decision, const NodeGroup& group,
                         const std::string& object) {
  NodeGroupStatus out;
  out.name = decision.name;
  out.object = object;
  out.min = Small(group.min);
  out.max = Small(group.max);
  out.current = Small(decision.current);
  out.target = Small(decision.target);
  out.recommended = Small(decision.recommended);
  out.for_pods = Small(decision.growth.pods);
  out.for_slack = Small(decision.growth.slack);
  out.for_min_size = Small(decision.growth.min_size);
  out.reason = DescribeGroup(decision);
  if (decision.closed != ScaleReason::kNone) out.closed = ScaleReasonName(decision.closed);
  if (decision.closed == ScaleReason::kPaused) out.reason += ": " + group.paused;
  return out;
}

void AddOrders(const AutoscaleDecision& decision, const SessionGroups& groups,
               const ClusterObjects& objects, AutoscaleReport& report) {
  for (std::size_t g = 0; g < decision.groups.size(); ++g) {
    const GroupDecision& group = decision.groups[g];
    if (group.recommended == group.target) continue;
    NodeGroupOrder order;
    order.group = group.name;
    order.from = Small(group.target);
    order.to = Small(group.recommended);
    for (const NodeRemoval& removal : decision.removals) {
      if (removal.group != g) continue;
      order.removals.push_back(removal.name);
      order.removal_reasons.emplace_back(RemovalReasonName(removal.reason));
    }
    order.target = groups.targets[g];
    NameMachines(objects, decision.memory, order);
    report.orders.push_back(std::move(order));
  }
}

AutoscaleReport ReportOf(const AutoscaleDecision& decision, const AutoscaleInput& input,
                         const SessionGroups& groups) {
  AutoscaleReport report;
  report.ran = true;
  for (std::size_t g = 0; g < decision.groups.size(); ++g)
    report.groups.push_back(StatusOf(decision.groups[g], input.groups[g], groups.targets[g]));
  for (const auto& [reason, count] : decision.unmet)
    report.notes.push_back(DescribeUnmet(reason, count));
  for (const UnfitGang& gang : decision.unfit_gangs) {
    report.notes.push_back(
        "no nodes for " + input.gangs[gang.gang] +
        ", which starts whole or not at all: " + std::string(ScaleReasonName(gang.cause)));
  }
  for (const NodeRemoval& removal : decision.removals)
    report.notes.push_back(DescribeRemoval(removal, decision.groups[removal.group]));
  for (const auto& [reason, nodes] : decision.blocked)
    report.blocked[std::string(KeepReasonName(reason))] = Small(nodes);
  report.unneeded = Small(static_cast<std::int64_t>(decision.unneeded.size()));
  report.memory = decision.memory;
  return report;
}

bool IsTooSoon(const AutoscaleReport* before, const AutoscaleConf& conf, TimeNs now) {
  if (before == nullptr || !before->memory.last_decision) return false;
  return now - *before->memory.last_decision < conf.interval;
}

void TakeIn(const std::vector<ScaleFailure>& failures, AutoscaleMemory& memory,
            const AutoscaleConf& conf) {
  for (const ScaleFailure& failure : failures) {
    if (failure.removals.empty()) RecordScaleUpFailure(memory, failure.group, conf, failure.at);
    for (const std::string& node : failure.removals) RecordRemovalFailure(memory, node, failure.at);
  }
}

void Autoscale(Session& session, const AutoscaleOptions& options) {
  const AutoscaleConf& conf = options.conf;
  if (conf.mode == AutoscaleMode::kOff) return;
  const TimeNs now = session.snapshot().now;
  const AutoscaleReport* before = session.options().autoscale_before;
  if (IsTooSoon(before, conf, now)) {
    session.result().autoscale = *before;
    session.result().autoscale.orders.clear();
    return;
  }
  SessionGroups groups = FindGroups(session, options);
  AutoscaleInput input;
  input.groups = groups.groups;
  const std::vector<ShapeOwner> owners = CollectDemand(session, groups, input);
  SessionNodes nodes(session, groups, owners);
  nodes.Fill(input);
  AutoscaleMemory memory = before == nullptr ? AutoscaleMemory() : before->memory;
  TakeIn(std::exchange(memory.failures, {}), memory, conf);
  const AutoscaleDecision decision = Decide(input, conf, memory, now);
  AutoscaleReport& report = session.result().autoscale = ReportOf(decision, input, groups);
  report.applies = conf.mode == AutoscaleMode::kApply;
  if (report.applies) AddOrders(decision, groups, *session.snapshot().objects, report);
}

// Groups bring what their templates have; objects are looked at only where they may be scaled.
ActionNeeds NeedsOf(const AutoscaleOptions& options) {
  ActionNeeds out;
  bool scales = options.cluster_api;
  for (const ConfNodeGroup& group : options.groups) {
    scales = scales || !group.scale_target.empty();
    if (!group.node_template) continue;
    for (const auto& [name, amount] : group.node_template->allocatable)
      out.node_resources.push_back(name);
  }
  out.reads_node_groups = scales && options.conf.mode != AutoscaleMode::kOff;
  return out;
}

}  // namespace

ActionDescriptor AutoscaleAction() {
  return DescribeAction<Autoscale, ReadAutoscaleOptions, NeedsOf>({
      .name = "autoscale",
      .summary = "says how many nodes each group should have, or sets it",
      .arguments = AutoscaleArguments(),
      .reads_clock = true,
      .stands_last = true,
  });
}

}  // namespace batholith
