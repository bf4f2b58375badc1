#include <algorithm>

#include "codec/conditions.h"
#include "codec/kinds.h"
#include "codec/network_topology.h"
#include "codec/selector.h"

namespace batholith {

namespace {

std::vector<SubGroupPolicy> ReadSubGroupPolicies(const Field& list) {
  std::vector<SubGroupPolicy> out;
  for (const Field& p : list.Items()) {
    SubGroupPolicy policy;
    policy.name = p["name"].Text();
    policy.sub_group_size = static_cast<std::int32_t>(p["subGroupSize"].Int(1, 0, INT32_MAX));
    policy.min_sub_groups = static_cast<std::int32_t>(p["minSubGroups"].Int(0, 0, INT32_MAX));
    policy.selector = ReadLabelSelector(p["labelSelector"]);
    policy.match_label_keys = p["matchLabelKeys"].Texts();
    policy.network_topology = ReadNetworkTopology(p["networkTopology"]);
    out.push_back(std::move(policy));
  }
  return out;
}

}  // namespace

PodGroupRecord ReadPodGroup(const Field& object) {
  PodGroupRecord group;
  group.meta = ReadMeta(object);
  const Field spec = object["spec"];
  group.min_member = static_cast<std::int32_t>(spec["minMember"].Int(0, 0, INT32_MAX));
  for (const auto& [role, min] : spec["minTaskMember"].Entries()) {
    group.min_task_member[role] = static_cast<std::int32_t>(min.Int(0, 0, INT32_MAX));
  }
  group.sub_group_policies = ReadSubGroupPolicies(spec["subGroupPolicy"]);
  group.network_topology = ReadNetworkTopology(spec["networkTopology"]);
  group.queue = spec["queue"].Text();
  group.priority_class = spec["priorityClassName"].Text();
  if (spec["minResources"].present()) group.min_resources = spec["minResources"].Resources();
  const std::string phase = object["status"]["phase"].Text();
  const bool known = std::ranges::find(kJobPhases, phase, [](const auto& c) { return c.text; }) !=
                     kJobPhases.end();
  // Sessions write the phase anew; who had another one begins as if there were none.
  if (known || object.flaws() == nullptr)
    group.phase = object["status"]["phase"].OneOf(kJobPhases, JobPhase::kNone);
  group.conditions = ReadConditions(object["status"]);
  return group;
}

}  // namespace batholith
