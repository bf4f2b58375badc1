#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "api/ids.h"
#include "framework/extension_points.h"
#include "framework/topology_refusal.h"

namespace batholith {

// Why a task found no node: how many nodes each reason refused.
struct UnfitHistogram {
  struct Entry {
    Unfit unfit;
    const Predicate* source = nullptr;  // whose detail it is; none: the resource fit
    std::int32_t count = 0;
  };
  std::vector<Entry> entries;
  std::int32_t nodes = 0;
  void Add(const Unfit& unfit, const Predicate* source, std::int32_t count = 1);
};

// What kept an action from evicting for a job.
struct Spared {
  std::string action;
  std::vector<std::string_view> plugins = {};  // that spare those who would fall first
  std::vector<QueueIndex> queues = {};  // that nothing is reclaimed from, where no other could give
  bool has_minimum = false;             // the job has its gang minimum: room is made for no more
};

// What was tried in a session and refused: the last word about each task and job. Actions record
// it when it happens; the report and the actions that come later read it.
class Attempts {
 public:
  explicit Attempts(std::size_t tasks) : traced_(tasks) {}

  void RecordUnfit(TaskIndex task, UnfitHistogram why) { unfit_[task] = std::move(why); }
  void RecordQueueRefusal(JobIndex job, const QueueVerdict& why) { queue_refusals_[job] = why; }
  void RecordEnqueueRefusal(JobIndex job, const EnqueueVote& vote) {
    enqueue_refusals_[job] = vote;
  }
  // That the action would have made room for the job by eviction, but for this.
  void RecordSpared(JobIndex job, Spared by) { spared_[job] = std::move(by); }
  // That it found no domain for all of its pods.
  void RecordTopologyRefusal(JobIndex job, const TopologyRefusal& why) {
    topology_refusals_[job] = why;
  }
  // That so many of the job's tasks had a place, and gave it back.
  void RecordGivenBack(JobIndex job, std::int32_t tasks) { given_back_[job] = tasks; }

  // Why no node took the task, its queue or a quota did not serve the job, or the job was not let
  // in; nullptr: nothing of the kind happened.
  const UnfitHistogram* UnfitOf(TaskIndex task) const { return Find(unfit_, task); }
  const QueueVerdict* QueueRefusalOf(JobIndex job) const { return Find(queue_refusals_, job); }
  const EnqueueVote* EnqueueRefusalOf(JobIndex job) const { return Find(enqueue_refusals_, job); }
  const TopologyRefusal* TopologyRefusalOf(JobIndex job) const {
    return Find(topology_refusals_, job);
  }
  const Spared* SparedFrom(JobIndex job) const { return Find(spared_, job); }
  std::int32_t GivenBack(JobIndex job) const {
    const std::int32_t* tasks = Find(given_back_, job);
    return tasks == nullptr ? 0 : *tasks;
  }

  // True the first time that it is asked for this task: a placement is traced once.
  bool MarkTraced(TaskIndex task);

 private:
  template <typename Index, typename Value>
  static const Value* Find(const std::map<Index, Value>& of, Index index) {
    const auto it = of.find(index);
    return it == of.end() ? nullptr : &it->second;
  }

  std::map<TaskIndex, UnfitHistogram> unfit_;
  std::map<JobIndex, QueueVerdict> queue_refusals_;
  std::map<JobIndex, EnqueueVote> enqueue_refusals_;
  std::map<JobIndex, TopologyRefusal> topology_refusals_;
  std::map<JobIndex, Spared> spared_;
  std::map<JobIndex, std::int32_t> given_back_;
  std::vector<bool> traced_;
};

}  // namespace batholith
