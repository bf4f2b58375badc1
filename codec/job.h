#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codec/json/field.h"
#include "codec/limits.h"
#include "codec/load.h"
#include "codec/pod.h"

namespace batholith {

using ClassValues = std::map<std::string, std::int32_t, std::less<>>;  // by priority class

// How many pods may be made, and what was made of the jobs before.
struct PodBudget {
  std::int64_t most = kMaxMadePods;
  std::int64_t made = 0;
  std::size_t made_bytes = 0;
};

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
  std::size_t made_bytes = 0;        // of their names, labels and annotations
  std::set<std::string> own_policy;  // keys of pods that write a preemptionPolicy
};

// Makes of a job manifest the group and the pods that its controller would make; nothing of a job
// that has ended, is suspended or is another scheduler's.
class JobExpander {
 public:
  JobExpander(const LoadOptions& options, const ClassValues& classes, ConstraintTable& constraints,
              std::vector<std::string>& warnings)
      : options_(options), classes_(classes), constraints_(constraints), warnings_(warnings) {}

  // batch.volcano.sh/v1alpha1. Errors: FieldError.
  JobParts ExpandVolcano(const Field& object, const ObjectMeta& job, const JobContext& context);
  // batch/v1. Errors: FieldError.
  JobParts ExpandBatch(const Field& object, const ObjectMeta& job, const JobContext& context);

 private:
  struct Task;

  bool IsOurs(const std::string& scheduler) const;
  Task ReadTask(const Field& field, std::size_t place, const ObjectMeta& job);
  static void CheckBudget(const Task& task, const JobContext& context, const JobParts& out);
  void AddPods(const Task& task, const ObjectMeta& job, const PodGroupRecord& group,
               const JobContext& context, JobParts& out) const;
  PodRecord ReadTemplate(const Field& field, const ObjectMeta& job);

  const LoadOptions& options_;
  const ClassValues& classes_;
  ConstraintTable& constraints_;
  std::vector<std::string>& warnings_;
};

// The PodGroup that Volcano makes for this job. A job that was never stored has no uid of its own,
// so its group has the job's name.
std::string GroupNameOf(const ObjectMeta& job, bool has_own_uid);

}  // namespace batholith
