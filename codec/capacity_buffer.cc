#include "codec/conditions.h"
#include "codec/kinds.h"
#include "codec/pod.h"
#include "codec/selector.h"

namespace batholith {
namespace {

std::optional<std::int32_t> Count(const Field& field) {
  if (!field.present()) return std::nullopt;
  return static_cast<std::int32_t>(field.Int(0, 0, INT32_MAX));
}

// What the custom resource's own rules refuse.
void Admit(const Field& spec, const CapacityBufferRecord& buffer) {
  if (!buffer.pod_template.empty() && buffer.scalable)
    spec["scalableRef"].Flaw("podTemplateRef and scalableRef exclude each other");
  if (!buffer.pod_template.empty() && !buffer.replicas && buffer.limits.empty())
    spec["podTemplateRef"].Flaw("replicas or limits must be given with it");
}

}  // namespace

CapacityBufferRecord ReadCapacityBuffer(const Field& object) {
  CapacityBufferRecord buffer;
  buffer.meta = ReadMeta(object);
  buffer.generation = object["metadata"]["generation"].Int(0, 0, INT64_MAX);
  const Field spec = object["spec"];
  buffer.strategy = spec["provisioningStrategy"].Text();
  buffer.pod_template = spec["podTemplateRef"]["name"].Text();
  if (const Field ref = spec["scalableRef"]; ref.present()) {
    buffer.scalable = {ref["apiGroup"].Text(), ref["kind"].Text(), ref["name"].Text()};
    if (buffer.scalable->kind.empty()) ref["kind"].Flaw("is missing");
    if (buffer.scalable->name.empty()) ref["name"].Flaw("is missing");
  }
  buffer.replicas = Count(spec["replicas"]);
  buffer.percentage = Count(spec["percentage"]);
  buffer.limits = spec["limits"].Resources();
  Admit(spec, buffer);
  const Field status = object["status"];
  buffer.status_replicas = Count(status["replicas"]);
  buffer.conditions = ReadConditions(status);
  for (const Field& c : status["conditions"].Items()) {
    if (c["type"].Text() == kReadyForProvisioning)
      buffer.observed_generation = c["observedGeneration"].Int(0, 0, INT64_MAX);
  }
  return buffer;
}

PodTemplateRecord ReadPodTemplate(const Field& object, ConstraintTable& table) {
  PodTemplateRecord out;
  out.meta = ReadMeta(object);
  out.generation = object["metadata"]["generation"].Int(0, 0, INT64_MAX);
  out.pod = ReadTemplatePod(object["template"], out.meta, table);
  return out;
}

ScalableRecord ReadScalable(const Field& object, const std::string& group, const std::string& kind,
                            ConstraintTable& table) {
  ScalableRecord out;
  out.meta = ReadMeta(object);
  out.api_group = group;
  out.kind = kind;
  const Field spec = object["spec"];
  const Field count = spec[kind == "Job" ? "parallelism" : "replicas"];
  out.replicas = static_cast<std::int32_t>(count.Int(1, 0, INT32_MAX));
  if (kind == "ReplicationController") {  // labels, not a selector
    LabelSelector selector;
    for (const auto& [key, value] : spec["selector"].TextMap())
      selector.requirements.push_back({key, Requirement::Op::kIn, {value}});
    if (!selector.requirements.empty()) out.selector = std::move(selector);
  } else {
    out.selector = ReadLabelSelector(spec["selector"]);
  }
  if (spec["template"].present()) out.pod = ReadTemplatePod(spec["template"], out.meta, table);
  return out;
}

}  // namespace batholith
