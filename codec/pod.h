#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "codec/field.h"

namespace batholith {

// Pods that write the same constraints share one record.
class ConstraintTable {
 public:
  std::shared_ptr<const PodConstraints> Intern(PodConstraints constraints);

 private:
  std::unordered_map<std::string, std::shared_ptr<const PodConstraints>> known_;  // looked up only
};

// `object` is a Pod, or a template with metadata and spec.
PodRecord ReadPod(const Field& object, ConstraintTable& table);
// What a pod spec asks for: max(containers + sidecars, each init container + the sidecars before
// it) + overhead; pod level resources override. A missing request is its limit. Source: KEP 753,
// KEP 2837.
ResourceList EffectiveRequest(const Field& spec);
PodConstraints ReadConstraints(const Field& spec);

}  // namespace batholith
