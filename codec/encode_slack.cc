#include <boost/json.hpp>

#include "codec/conditions.h"
#include "codec/encode.h"
#include "codec/encode_parts.h"

// Kinds that resource slack reads.
namespace batholith {

namespace json = boost::json;

json::object Encode(const NodeGroupRecord& group) {
  json::object out = Begin(group);
  json::object spec{{"kind", group.kind},
                    {"min", group.min},
                    {"max", group.max},
                    {"size", group.replicas},
                    {"delaySeconds", group.delay / 1'000'000'000}};
  if (group.paused) spec["paused"] = true;
  if (group.rolling_out) spec["rollingOut"] = true;
  if (group.node_template) spec["template"] = Encode(*group.node_template);
  out["spec"] = std::move(spec);
  return out;
}

json::object Encode(const MachineRecord& machine) {
  json::object out = Begin(machine);
  if (!machine.node.empty())
    out["status"] = json::object{{"nodeRef", json::object{{"name", machine.node}}}};
  return out;
}

json::object Encode(const CapacityBufferRecord& buffer) {
  json::object out = Begin(buffer);
  if (buffer.generation != 0) out["metadata"].as_object()["generation"] = buffer.generation;
  json::object spec;
  Put(spec, "provisioningStrategy", buffer.strategy);
  if (!buffer.pod_template.empty())
    spec["podTemplateRef"] = json::object{{"name", buffer.pod_template}};
  if (buffer.scalable) {
    json::object ref{{"kind", buffer.scalable->kind}, {"name", buffer.scalable->name}};
    Put(ref, "apiGroup", buffer.scalable->api_group);
    spec["scalableRef"] = std::move(ref);
  }
  if (buffer.replicas) spec["replicas"] = *buffer.replicas;
  if (buffer.percentage) spec["percentage"] = *buffer.percentage;
  Put(spec, "limits", Quantities(buffer.limits));
  out["spec"] = std::move(spec);
  json::object status;
  if (buffer.status_replicas) status["replicas"] = *buffer.status_replicas;
  json::array conditions = ConditionList(buffer.conditions);
  for (json::value& c : conditions) {
    json::object& condition = c.get_object();
    if (condition["type"] == kReadyForProvisioning && buffer.observed_generation != 0)
      condition["observedGeneration"] = buffer.observed_generation;
  }
  Put(status, "conditions", std::move(conditions));
  Put(out, "status", std::move(status));
  return out;
}

json::object Encode(const PodTemplateRecord& pod_template) {
  json::object out = Begin(pod_template);
  if (pod_template.generation != 0)
    out["metadata"].as_object()["generation"] = pod_template.generation;
  out["template"] = Encode(pod_template.pod);
  return out;
}

json::object Encode(const ScalableRecord& scalable) {
  const std::string version = scalable.api_group.empty() ? "v1" : scalable.api_group + "/v1";
  json::object out = Begin(version, scalable.kind, scalable.meta);
  json::object spec{{scalable.kind == "Job" ? "parallelism" : "replicas", scalable.replicas}};
  if (scalable.selector) {
    if (scalable.kind == "ReplicationController") {
      json::object labels;
      for (const Requirement& r : scalable.selector->requirements) labels[r.key] = r.values.front();
      spec["selector"] = std::move(labels);
    } else {
      spec["selector"] = SelectorObject(*scalable.selector);
    }
  }
  if (scalable.pod) spec["template"] = Encode(*scalable.pod);
  out["spec"] = std::move(spec);
  return out;
}

}  // namespace batholith
