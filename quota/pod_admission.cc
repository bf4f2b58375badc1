#include "quota/pod_admission.h"

namespace batholith {

PodAdmission AdmitPod(const ElasticQuotaRecord& quota, const ResourceList& request) {
  const ResourceList max = quota.max.value_or(ResourceList());
  const ResourceList before = quota.child_request.value_or(ResourceList());
  ResourceList charged;
  for (const auto& [name, amount] : request) {
    if (max.contains(name)) charged[name] = amount;
  }
  PodAdmission out;
  out.child_request = before;
  AddTo(out.child_request, charged);
  for (const auto& [name, limit] : quota.admission ? *quota.admission : max) {
    const auto it = out.child_request.find(name);
    if (it != out.child_request.end() && it->second > limit) out.exceeded.push_back(name);
  }
  if (out.exceeded.empty()) return out;
  out.admitted = false;
  out.child_request = before;
  return out;
}

}  // namespace batholith
