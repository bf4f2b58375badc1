#include <boost/json.hpp>

#include "codec/encode_parts.h"
#include "codec/kinds.h"
#include "codec/kubernetes_group.h"

namespace batholith {

namespace json = boost::json;

CompositePodGroupRecord ReadCompositePodGroup(const Field& object) {
  CompositePodGroupRecord group;
  group.meta = ReadMeta(object);
  ReadKubernetesSpec(object["spec"], "minGroupCount", group.min_groups, group);
  return group;
}

json::object Encode(const CompositePodGroupRecord& group) {
  json::object out = Begin(group);
  out["spec"] = EncodeKubernetesSpec("minGroupCount", group.min_groups, group);
  if (!group.needs.empty()) DerivedPart(out)["needs"] = NeedsObject(group.needs);
  return out;
}

void RestoreDerived(const Field& object, CompositePodGroupRecord& group) {
  group.needs = ReadNeeds(object["batholith"]["needs"]);
}

}  // namespace batholith
