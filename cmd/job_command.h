#pragma once

#include "cmd/kube_commands.h"
#include "cmd/kube_pods.h"

namespace batholith {

// A job as a person means it: Volcano's Job with its pod group, or a pod group alone.
struct SeenJob {
  boost::json::value object;  // the Job, or the group where there is none
  boost::json::value group;   // null: there is none yet
  const KubeKind* kind = nullptr;
};

// Errors: neither is there.
Result<SeenJob> FindJob(KubeRun& run, const std::string& name);

std::string PhaseOf(const SeenJob& job);
std::string QueueNameOf(const SeenJob& job);
// The pods of the job's group. Volcano's controllers put the job's name on its pods as well, which
// counts while there is no group.
std::vector<const SeenPod*> PodsOf(const SeenJob& job, const std::vector<SeenPod>& all);
// Of a job that waits: what its group and these pods say, a line for each reason.
void PrintWhyWaiting(const SeenJob& job, const std::vector<const SeenPod*>& waiting,
                     bool has_no_pods);
// "Name:       text".
void PrintField(const char* name, const std::string& text);

Result<void> ViewJob(KubeRun& run);
Result<void> ExplainJob(KubeRun& run);

}  // namespace batholith
