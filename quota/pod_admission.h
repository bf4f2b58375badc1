#pragma once

#include <string>
#include <vector>

#include "api/elastic_quota.h"

namespace batholith {

// Whether a webhook lets a pod into the cluster, by what its quota's pods ask for already.
struct PodAdmission {
  bool admitted = true;
  std::vector<std::string> exceeded;  // resources that are short, by name
  ResourceList child_request;         // the quota's, with the pod where it is admitted
};

// For a pod that is created, or comes to the quota by its label: child request + request must stay
// within the annotation `admission`, or max where there is none, in what that lists. Only resources
// of max are charged. A pod that goes is none of this function's business: nothing is checked or
// given back. Amounts in base units. Source: Koordinator's pod
// webhook for quotas.
PodAdmission AdmitPod(const ElasticQuotaRecord& quota, const ResourceList& request);

}  // namespace batholith
