#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <utility>

#include "codec/encode_parts.h"
#include "codec/json/field.h"
#include "codec/network_topology.h"
#include "codec/placement_needs.h"

// What the specs of a PodGroup and of a CompositePodGroup of scheduling.k8s.io have in common.
namespace batholith {

// disruptionMode: {all: {}}; in v1alpha2 PodGroup.
inline bool FallsWhole(const Field& mode) {
  if (mode.is_text()) return mode.Text() == "PodGroup";
  return mode["all"].present();
}

// `minimum` is what the field `count` of its gang says; 0: its policy is basic.
template <typename Group>
void ReadKubernetesSpec(const Field& spec, const char* count, std::int32_t& minimum, Group& group) {
  const Field gang = spec["schedulingPolicy"]["gang"];
  if (gang.present()) minimum = static_cast<std::int32_t>(gang[count].Int(1, 1, INT32_MAX));
  group.parent = spec["parentCompositePodGroupName"].Text();
  group.priority_class = spec["priorityClassName"].Text();
  if (spec["priority"].present()) group.priority = spec["priority"].Int32(0);
  group.falls_whole = FallsWhole(spec["disruptionMode"]);
  group.network_topology = ReadTopologyKey(spec);
  group.needs = NeedsOfKubernetesGroup(spec);
}

template <typename Group>
boost::json::object EncodeKubernetesSpec(const char* count, std::int32_t minimum,
                                         const Group& group) {
  boost::json::object policy;
  if (minimum > 0) {
    policy["gang"] = boost::json::object{{count, minimum}};
  } else {
    policy["basic"] = boost::json::object();
  }
  boost::json::object spec{{"schedulingPolicy", std::move(policy)}};
  Put(spec, "parentCompositePodGroupName", group.parent);
  Put(spec, "priorityClassName", group.priority_class);
  if (group.priority) spec["priority"] = *group.priority;
  if (group.falls_whole)
    spec["disruptionMode"] = boost::json::object{{"all", boost::json::object()}};
  PutTopologyKey(spec, group.network_topology);
  return spec;
}

}  // namespace batholith
