#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/capacity_buffer.h"
#include "codec/constraint_table.h"
#include "codec/json/field.h"

namespace batholith {

// `object` is a Pod, or a template with metadata and spec.
PodRecord ReadPod(const Field& object, ConstraintTable& table);
// Of a group of Volcano that one of Kubernetes goes before.
void WarnOfGroups(const PodRecord& pod, std::vector<std::string>& warnings);

// The pod of a template that `owner` holds: in its namespace, under its name.
PodRecord ReadTemplatePod(const Field& object, const ObjectMeta& owner, ConstraintTable& table);
PodTemplateRecord ReadPodTemplate(const Field& object, ConstraintTable& table);
// `group` is empty for core. Its number is spec.replicas, of a Job spec.parallelism.
ScalableRecord ReadScalable(const Field& object, const std::string& group, const std::string& kind,
                            ConstraintTable& table);

// What a pod asks for: max(containers + sidecars, each init container + the sidecars before it);
// what the pod level names stands for that; + overhead. A missing request is its limit. While a
// pod is resized in place, the larger of what it asks for and what it has. Without `pods`. Sums
// beyond 64 bits are cut off. Source: KEP 753, KEP 1287, KEP 2837.
//
// `unnamed`: how much more of cpu and memory it would be if each container that names no request of
// it asked for 100m and 200Mi. Source: kube-scheduler's GetNonzeroRequests.
struct PodRequest {
  ResourceList request;
  std::int64_t unnamed_cpu = 0;
  std::int64_t unnamed_memory = 0;
};
PodRequest EffectiveRequest(const Field& spec, const Field& status);

// Whether it stays on beside the containers: restartPolicy Always, or one that is not known, since
// that may let it stay, which takes more room.
bool IsSidecar(const Field& init_container);

// `labels` are the pod's: matchLabelKeys take the values from them.
PodConstraints ReadConstraints(const Field& spec, const Labels& labels);
// Canonical text of everything but the signature itself.
std::string SignatureOf(const PodConstraints& constraints);

// The value of `key` among labels or annotations, or nullptr.
const std::string* FindValue(const Labels& labels, std::string_view key);

}  // namespace batholith
