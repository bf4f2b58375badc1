#include "cache/pod_marks.h"

#include "cache/pod_facts.h"

namespace batholith {
namespace {

// A million of such amounts still fit their sum.
constexpr std::int64_t kAbsurd = std::int64_t{1} << 43U;

}  // namespace

PodMarks MarksOf(const PodRecord& pod, const TaskFacts& facts) {
  PodMarks marks;
  marks.Set(PodMark::kAsksForLabels, AsksForLabels(*pod.constraints));
  marks.Set(PodMark::kWaitsForVolumes,
            !facts.foreign && !pod.volumes->empty() && facts.status == TaskStatus::kPending);
  marks.Set(PodMark::kWaitsForDevices,
            !facts.foreign && !pod.device_claims.empty() && facts.status == TaskStatus::kPending);
  marks.Set(PodMark::kUnnamed, pod.unnamed_cpu != 0 || pod.unnamed_memory != 0);
  marks.Set(PodMark::kNeeds, !pod.needs.empty());
  marks.Set(PodMark::kUnserved, facts.unserved);
  marks.Set(PodMark::kUnread, pod.request_unread);
  marks.Set(PodMark::kOtherGroup, pod.group.contains('@'));
  marks.Set(PodMark::kWithoutJob, !facts.foreign && facts.job.is_none() && !pod.group.empty());
  const ResourceVector& request = facts.request;
  for (std::size_t r = 0; r < request.width(); ++r)
    marks.Set(PodMark::kAbsurd, request[r] > kAbsurd);
  return marks;
}

}  // namespace batholith
