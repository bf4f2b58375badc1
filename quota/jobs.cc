#include "quota/jobs.h"

namespace batholith {

QuotaJobs::QuotaJobs(const Snapshot& snapshot, const QuotaForest& forest, const QuotaPods& pods)
    : snapshot_(snapshot), forest_(forest), pods_(pods) {
  for (const JobFacts& job : snapshot.jobs) quota_.push_back(Find(job));
}

QuotaIndex QuotaJobs::Find(const JobFacts& job) const {
  if (!job.tasks.empty()) return pods_.quota(job.tasks.front());
  PodRecord to_come;
  to_come.meta.namespace_ = job.record->meta.namespace_;
  to_come.meta.labels = job.record->meta.labels;
  return forest_.empty() ? QuotaIndex() : forest_.QuotaOf(to_come);
}

ResourceVector QuotaJobs::Minimum(JobIndex job) const {
  const JobFacts& facts = snapshot_.job(job);
  if (!facts.min_resources) return {};
  ResourceVector min = ToTreeUnits(*facts.min_resources, forest_.dimensions());
  FillGpuMemory(snapshot_, forest_, quota(job), *facts.record->min_resources, min);
  return min;
}

ResourceVector QuotaJobs::Allocated(JobIndex job, const ResourceVector& allocated) const {
  ResourceVector out = ToTreeUnits(allocated, forest_.dimensions());
  if (pods_.gpu_memory() == 0) return out;
  for (const TaskIndex t : snapshot_.job(job).tasks) {
    if (HoldsAllocation(snapshot_.task(t).status))
      out += Masked(pods_.pod(t).request, pods_.gpu_memory());
  }
  return out;
}

}  // namespace batholith
