#include "plugins/sla/sla.h"

#include "framework/describe_plugin.h"
#include "plugins/sla/options.h"

namespace batholith {
namespace {

using std::chrono::nanoseconds;

class Sla final : public Plugin, public JobOrder, public JobEnqueueable, public JobPipelined {
 public:
  Sla(const PluginContext& context, const SlaOptions& options) : now_(context.snapshot.now) {
    due_.reserve(context.snapshot.jobs.size());
    for (const JobFacts& job : context.snapshot.jobs) {
      const ObjectMeta& meta = job.record->meta;
      const std::optional<nanoseconds> wait = WaitingTimeOf(meta.annotations, options);
      due_.push_back(wait ? ResourceVector::AddSaturating(meta.creation, wait->count()) : kNever);
    }
  }

  std::weak_ordering CompareJobs(JobIndex a, JobIndex b) const override {
    return due_[a.value()] <=> due_[b.value()];
  }

  EnqueueVote EnqueueJob(JobIndex job) const override { return {DueVote(job), {}, 0}; }
  Vote IsJobPipelined(JobIndex job) const override { return DueVote(job); }

 private:
  static constexpr TimeNs kNever = INT64_MAX;  // no waiting time: behind every job with one

  Vote DueVote(JobIndex job) const {
    const TimeNs due = due_[job.value()];
    return due != kNever && due <= now_ ? Vote::kPermit : Vote::kAbstain;
  }

  TimeNs now_;
  std::vector<TimeNs> due_;  // by JobIndex
};

}  // namespace

PluginDescriptor SlaPlugin() {
  return DescribePlugin<Sla, ReadSlaOptions>({
      .name = "sla",
      .summary = "orders and admits jobs by their waiting time",
      .arguments = SlaArguments(),
      .only_permits = {Point::kJobEnqueued, Point::kJobPipelined},
      .reads_clock = true,
  });
}

}  // namespace batholith
