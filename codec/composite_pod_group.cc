#include <boost/json.hpp>

#include "codec/encode_parts.h"
#include "codec/foreign_group.h"
#include "codec/kinds.h"
#include "codec/placement_needs.h"

namespace batholith {

namespace json = boost::json;

CompositePodGroupRecord ReadCompositePodGroup(const Field& object) {
  CompositePodGroupRecord group;
  group.meta = ReadMeta(object);
  const Field spec = object["spec"];
  const Field gang = spec["schedulingPolicy"]["gang"];
  if (gang.present())
    group.min_groups = static_cast<std::int32_t>(gang["minGroupCount"].Int(1, 1, INT32_MAX));
  group.parent = spec["parentCompositePodGroupName"].Text();
  group.priority_class = spec["priorityClassName"].Text();
  if (spec["priority"].present()) group.priority = spec["priority"].Int32(0);
  group.falls_whole = FallsWhole(spec["disruptionMode"]);
  group.needs = NeedsOfKubernetesGroup(spec);
  return group;
}

json::object Encode(const CompositePodGroupRecord& group) {
  json::object out = Begin(group);
  json::object policy;
  if (group.min_groups > 0) {
    policy["gang"] = json::object{{"minGroupCount", group.min_groups}};
  } else {
    policy["basic"] = json::object();
  }
  json::object spec{{"schedulingPolicy", std::move(policy)}};
  Put(spec, "parentCompositePodGroupName", group.parent);
  Put(spec, "priorityClassName", group.priority_class);
  if (group.priority) spec["priority"] = *group.priority;
  if (group.falls_whole) spec["disruptionMode"] = json::object{{"all", json::object()}};
  out["spec"] = std::move(spec);
  if (!group.needs.empty()) DerivedPart(out)["needs"] = NeedsObject(group.needs);
  return out;
}

void RestoreDerived(const Field& object, CompositePodGroupRecord& group) {
  group.needs = ReadNeeds(object["batholith"]["needs"]);
}

}  // namespace batholith
