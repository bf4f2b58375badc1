#pragma once

#include <optional>
#include <string>

#include "client/write/wanted_status.h"

namespace batholith {

// The key of the job's group: of a group whose pods start each alone a job names its pod behind it.
std::string GroupOfJob(const std::string& job_key);

// Of a PodGroup of scheduling.k8s.io: its condition PodGroupInitiallyScheduled (PodGroupScheduled
// in v1alpha2), which never leaves True, and DisruptionTarget once it was evicted whole.
std::optional<Patch> WantedKubernetesGroup(const SeenObject& seen, const JobStatus& status,
                                           const WriteStamp& stamp);
// Of one of the coscheduling plugin: its phase and how many of its pods run or are over.
std::optional<Patch> WantedCoschedulingGroup(const SeenObject& seen, const JobStatus& status);

}  // namespace batholith
