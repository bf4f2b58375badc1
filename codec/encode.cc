#include "codec/encode.h"

#include <boost/json.hpp>

#include "api/effect.h"
#include "codec/conditions.h"
#include "codec/encode_parts.h"
#include "codec/foreign_group.h"
#include "codec/kinds.h"
#include "codec/network_topology.h"

namespace batholith {
namespace {

namespace json = boost::json;

json::object NodeGroups(const std::vector<std::string>& required,
                        const std::vector<std::string>& preferred) {
  json::object out;
  Put(out, kRequired, TextList(required));
  Put(out, kPreferred, TextList(preferred));
  return out;
}

json::array SubGroupPolicies(const std::vector<SubGroupPolicy>& policies) {
  json::array out;
  for (const SubGroupPolicy& p : policies) {
    json::object item{
        {"name", p.name}, {"subGroupSize", p.sub_group_size}, {"minSubGroups", p.min_sub_groups}};
    if (p.selector) item["labelSelector"] = SelectorObject(*p.selector);
    Put(item, "matchLabelKeys", TextList(p.match_label_keys));
    PutNetworkTopology(item, p.network_topology);
    out.push_back(std::move(item));
  }
  return out;
}

const char* ScopeOperatorName(QuotaScope::Op op) {
  switch (op) {
    case QuotaScope::Op::kIn:
      return "In";
    case QuotaScope::Op::kNotIn:
      return "NotIn";
    case QuotaScope::Op::kExists:
      return "Exists";
    case QuotaScope::Op::kDoesNotExist:
      return "DoesNotExist";
  }
  return "";
}

const char* PolicyName(bool never) { return never ? "Never" : "PreemptLowerPriority"; }

json::object EncodeVolcanoGroup(const PodGroupRecord& group) {
  json::object out = Begin(group);
  json::object spec{{"minMember", group.min_member}};
  json::object roles;
  for (const auto& [role, min] : group.min_task_member) roles[role] = min;
  Put(spec, "minTaskMember", std::move(roles));
  Put(spec, "subGroupPolicy", SubGroupPolicies(group.sub_group_policies));
  PutNetworkTopology(spec, group.network_topology);
  Put(spec, "queue", group.queue);
  Put(spec, "priorityClassName", group.priority_class);
  if (group.min_resources) spec["minResources"] = Quantities(*group.min_resources);
  out["spec"] = std::move(spec);
  json::object status;
  if (group.phase != JobPhase::kNone) status["phase"] = JobPhaseName(group.phase);
  Put(status, "conditions", ConditionList(group.conditions));
  Put(out, "status", std::move(status));
  return out;
}

}  // namespace

json::object Encode(const NodeRecord& node) {
  json::object out = Begin(node);
  json::object spec;
  if (node.unschedulable) spec["unschedulable"] = true;
  json::array taints;
  for (const Taint& t : node.taints) {
    taints.push_back({{"key", t.key}, {"value", t.value}, {"effect", TaintEffectName(t.effect)}});
  }
  Put(spec, "taints", std::move(taints));
  Put(out, "spec", std::move(spec));
  json::object ready{{"type", "Ready"}, {"status", node.ready ? "True" : "False"}};
  json::object status{{"allocatable", Quantities(node.allocatable)},
                      {"conditions", json::array{std::move(ready)}}};
  json::array images;
  for (const NodeImage& image : node.images) {
    images.push_back({{"names", TextList(image.names)}, {"sizeBytes", image.size_bytes}});
  }
  Put(status, "images", std::move(images));
  out["status"] = std::move(status);
  return out;
}

json::object Encode(const PodGroupRecord& group) {
  json::object out =
      group.api == GroupApi::kVolcano ? EncodeVolcanoGroup(group) : EncodeForeignGroup(group);
  if (group.api != GroupApi::kVolcano && group.phase != JobPhase::kNone)
    DerivedPart(out)["phase"] = JobPhaseName(group.phase);
  if (group.made_for_pod) DerivedPart(out)["madeForPod"] = true;
  if (!group.needs.empty()) DerivedPart(out)["needs"] = NeedsObject(group.needs);
  return out;
}

void RestoreDerived(const Field& object, PodGroupRecord& group) {
  const Field derived = object["batholith"];
  group.made_for_pod = derived["madeForPod"].Bool(false);
  if (derived["phase"].present()) group.phase = derived["phase"].OneOf(kJobPhases, JobPhase::kNone);
  group.needs = ReadNeeds(derived["needs"]);
}

json::object Encode(const QueueRecord& queue) {
  json::object out = Begin(queue);
  json::object spec{{"weight", queue.weight}};
  if (queue.priority != 0) spec["priority"] = queue.priority;
  if (queue.reclaimable) spec["reclaimable"] = *queue.reclaimable;
  Put(spec, "capability", Quantities(queue.capability));
  if (!queue.guarantee.empty())
    spec["guarantee"] = json::object{{"resource", Quantities(queue.guarantee)}};
  Put(spec, "deserved", Quantities(queue.deserved));
  Put(spec, "parent", queue.parent);
  if (queue.fifo) spec["dequeueStrategy"] = "fifo";
  json::object affinity;
  const NodeGroupAffinity& a = queue.affinity;
  Put(affinity, "nodeGroupAffinity", NodeGroups(a.required, a.preferred));
  Put(affinity, "nodeGroupAntiAffinity", NodeGroups(a.anti_required, a.anti_preferred));
  Put(spec, "affinity", std::move(affinity));
  out["spec"] = std::move(spec);
  out["status"] = json::object{{"state", QueueStateName(queue.state)}};
  return out;
}

json::object Encode(const NamespaceRecord& namespace_) { return Begin(namespace_); }

json::object Encode(const ResourceQuotaRecord& quota) {
  json::object out = Begin(quota);
  json::object spec{{"hard", Quantities(quota.hard)}};
  json::array scopes;
  for (const QuotaScope& scope : quota.scopes) {
    json::object item{{"scopeName", scope.name}, {"operator", ScopeOperatorName(scope.op)}};
    Put(item, "values", TextList(scope.values));
    scopes.push_back(std::move(item));
  }
  if (!scopes.empty()) spec["scopeSelector"] = {{"matchExpressions", std::move(scopes)}};
  out["spec"] = std::move(spec);
  out["status"] = {{"hard", Quantities(quota.status_hard)}, {"used", Quantities(quota.used)}};
  return out;
}

json::object Encode(const PriorityClassRecord& priority_class) {
  json::object out = Begin(priority_class);
  out["value"] = priority_class.value;
  if (priority_class.global_default) out["globalDefault"] = true;
  out["preemptionPolicy"] = PolicyName(priority_class.preemption_never);
  return out;
}

json::object Encode(const PodDisruptionBudgetRecord& budget) {
  json::object out = Begin(budget);
  if (budget.selector) out["spec"] = json::object{{"selector", SelectorObject(*budget.selector)}};
  json::object status{{"disruptionsAllowed", budget.disruptions_allowed}};
  json::object disrupted;
  for (const std::string& pod : budget.disrupted_pods) disrupted[pod] = nullptr;  // since: unknown
  Put(status, "disruptedPods", std::move(disrupted));
  out["status"] = std::move(status);
  return out;
}

}  // namespace batholith
