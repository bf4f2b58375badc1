#include "plugins/priority/priority.h"

#include "framework/describe_plugin.h"

namespace batholith {
namespace {

class Priority final : public Plugin,
                       public TaskOrder,
                       public JobOrder,
                       public Preemptable,
                       public JobStarving {
 public:
  explicit Priority(const PluginContext& context)
      : snapshot_(context.snapshot), state_(context.state) {}

  std::weak_ordering CompareTasks(TaskIndex a, TaskIndex b) const override {
    return snapshot_.task(b).priority <=> snapshot_.task(a).priority;
  }

  std::weak_ordering CompareJobs(JobIndex a, JobIndex b) const override {
    return snapshot_.job(b).priority <=> snapshot_.job(a).priority;
  }

  // Between jobs only the priority of the jobs counts, however high a victim pod's own is.
  Victims PreemptVictims(TaskIndex preemptor,
                         std::span<const TaskIndex> candidates) const override {
    const TaskFacts& task = snapshot_.task(preemptor);
    std::vector<TaskIndex> victims;
    for (const TaskIndex t : candidates) {
      const TaskFacts& other = snapshot_.task(t);
      const bool lower = task.job == other.job ? other.priority < task.priority
                                               : JobPriority(other) < JobPriority(task);
      if (lower) victims.push_back(t);
    }
    return victims;
  }
  VictimRole PreemptRole() const override { return VictimRole::kRanker; }
  bool PreemptSparesFrom(TaskIndex preemptor, JobIndex job) const override {
    const TaskFacts& task = snapshot_.task(preemptor);
    return job != task.job && snapshot_.job(job).priority >= JobPriority(task);
  }

  // Elastic jobs starve beyond their minimum too.
  bool IsJobStarving(JobIndex job) const override {
    const JobCounters& counters = state_.job(job);
    return counters.Ready() + counters.Waiting() < std::ssize(snapshot_.job(job).tasks);
  }

 private:
  std::int32_t JobPriority(const TaskFacts& task) const {
    return task.job.is_none() ? 0 : snapshot_.job(task.job).priority;
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
};

}  // namespace

PluginDescriptor PriorityPlugin() {
  return DescribePlugin<Priority>({
      .name = "priority",
      .summary = "orders by priority, and lets higher preempt lower",
      .ranks = {Point::kPreemptable},
  });
}

}  // namespace batholith
