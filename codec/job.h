#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codec/json/field.h"
#include "codec/limit_range.h"
#include "codec/load.h"
#include "codec/pod.h"
#include "codec/pod_budget.h"

namespace batholith {

using ClassValues = std::map<std::string, std::int32_t, std::less<>>;  // by priority class

// What the input has of a job already, and what it may become.
struct JobContext {
  std::string group;       // name of its PodGroup; empty: not in the input
  std::string pods_group;  // the group that its pods in the input name
  bool has_pods = false;   // some of its pods are in the input: none are made
  PodBudget pods;
};

struct JobParts {
  std::vector<PodGroupRecord> groups;  // one or none
  std::vector<PodRecord> pods;
  std::vector<PersistentVolumeClaimRecord> claims;  // all pods use all of them
  PodBudget made;                                   // with what was made before
  std::set<std::string> own_policy;                 // keys of pods that write a preemptionPolicy
};

// Makes of a job manifest the group and the pods that its controller would make; nothing of a job
// that has ended or is suspended, and no group where its pods are another scheduler's.
class JobExpander {
 public:
  JobExpander(const LoadOptions& options, const ClassValues& classes, ConstraintTable& constraints,
              const LimitRanges& ranges, std::vector<std::string>& warnings)
      : options_(options),
        classes_(classes),
        constraints_(constraints),
        ranges_(ranges),
        warnings_(warnings) {}

  // batch.volcano.sh/v1alpha1. Errors: FieldError.
  JobParts ExpandVolcano(const Field& object, const ObjectMeta& job, const JobContext& context);
  // batch/v1. Errors: FieldError.
  JobParts ExpandBatch(const Field& object, const ObjectMeta& job, const JobContext& context);

 private:
  struct Task;

  bool IsOurs(const std::string& scheduler) const;
  Task ReadTask(const Field& field, std::size_t place, const ObjectMeta& job);
  void AddPods(const Task& task, const ObjectMeta& job, const PodGroupRecord& group,
               JobParts& out) const;
  static void AddVolumes(const Field& volumes, const ObjectMeta& job, std::vector<Task>& tasks,
                         JobParts& out);
  PodRecord ReadTemplate(const Field& field, const ObjectMeta& job);

  const LoadOptions& options_;
  const ClassValues& classes_;
  ConstraintTable& constraints_;
  const LimitRanges& ranges_;
  std::vector<std::string>& warnings_;
};

// The PodGroup that Volcano makes for this job. A job that was never stored has no uid of its own,
// so its group has the job's name.
std::string GroupNameOf(const ObjectMeta& job, bool has_own_uid);

}  // namespace batholith
