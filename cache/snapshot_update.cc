#include "cache/snapshot_update.h"

#include <algorithm>
#include <utility>

#include "api/sort_unique.h"
#include "cache/empty_nodes.h"
#include "cache/job_reader.h"
#include "cache/node_reader.h"
#include "cache/pod_facts.h"
#include "cache/total.h"

namespace batholith {
namespace {

using State = ChangedPlaces::State;

bool IsSpecial(PodMarks marks) {
  return marks.Has(PodMark::kNeeds) || marks.Has(PodMark::kUnserved) ||
         marks.Has(PodMark::kUnread) || marks.Has(PodMark::kOtherGroup);
}

bool IsNewOrChanged(State state) { return state == State::kChanged || state == State::kNew; }

// The facts of records look at them where they stand now: those that are touched, or `all`.
template <typename Record, typename Facts>
void PointTo(const std::vector<Record>& records, const ChangedPlaces& places,
             const std::vector<std::uint32_t>& touched, bool all, std::vector<Facts>& facts) {
  const auto point = [&](std::size_t place) {
    const std::uint32_t at = places.index(place);
    if (at != ChangedPlaces::kNone) facts[at].record = &records[place];
  };
  if (!all) {
    std::ranges::for_each(touched, point);
  } else {
    for (std::size_t place = 0; place < records.size(); ++place) point(place);
  }
}

}  // namespace

SnapshotUpdate::SnapshotUpdate(Snapshot& snapshot, SnapshotTables& tables, Changes changes)
    : snapshot_(snapshot),
      tables_(tables),
      changes_(changes),
      pods_(changes.pods.Touched()),
      groups_(changes.groups.Touched()),
      task_reader_(snapshot, tables) {}

bool SnapshotUpdate::CanFollow() const {
  return CanFollowNodes() && CanFollowPods() && CanFollowGroups();
}

// Which nodes are used, and which are closed for a pod's sake, is not looked at again.
bool SnapshotUpdate::CanFollowNodes() const {
  const NodeScope& scope = tables_.options.scope;
  if (changes_.nodes.empty()) return true;
  if (scope.sharding != Sharding::kNone || !scope.labels.empty()) return false;
  return std::ranges::all_of(changes_.nodes, [&](std::uint32_t place) {
    const NodeRecord& node = snapshot_.objects->nodes[place];
    const auto at = tables_.nodes.find(node.meta.name);
    return at != tables_.nodes.end() && !snapshot_.node(at->second).closed &&
           node.meta.flaw.empty();
  });
}

bool SnapshotUpdate::CanFollowPods() const {
  std::int64_t more_ask = 0;  // for labels
  const auto special = [&](JobIndex j) { return !j.is_none() && tables_.notes[j.value()].special; };
  const auto leaves = [&](std::uint32_t t) {
    const PodMarks marks = tables_.marks[t];
    more_ask -= marks.Has(PodMark::kAsksForLabels) ? 1 : 0;
    return !IsSpecial(marks) && !special(snapshot_.tasks[t].job);
  };
  if (!std::ranges::all_of(changes_.pods.removed(), leaves)) return false;
  for (const std::uint32_t place : pods_) {
    const State state = changes_.pods.state(place);
    if (state == State::kChanged && !leaves(changes_.pods.index(place))) return false;
    if (!IsNewOrChanged(state)) continue;
    const PodRecord& pod = snapshot_.objects->pods[place];
    if (!IsOrdinary(pod) || special(JobOf(pod))) return false;
    more_ask += AsksForLabels(*pod.constraints) ? 1 : 0;
  }
  const std::int64_t ask = tables_.mark_counts.Count(PodMark::kAsksForLabels) + more_ask;
  return (ask > 0) == snapshot_.labels_matter;
}

bool SnapshotUpdate::IsOrdinary(const PodRecord& pod) const {
  if (pod.request_unread || !pod.needs.empty() || pod.group.contains('@')) return false;
  return std::ranges::all_of(*pod.request, [&](const auto& of) {
    return of.second <= 0 || snapshot_.schema.Find(of.first);
  });
}

bool SnapshotUpdate::CanFollowGroups() const {
  const auto special = [&](std::uint32_t j) { return tables_.notes[j].special; };
  if (std::ranges::any_of(changes_.groups.removed(), special)) return false;
  return std::ranges::none_of(groups_, [&](std::uint32_t place) {
    const State state = changes_.groups.state(place);
    return (state == State::kChanged && special(changes_.groups.index(place))) ||
           (IsNewOrChanged(state) && !IsOrdinary(snapshot_.objects->pod_groups[place]));
  });
}

bool SnapshotUpdate::IsOrdinary(const PodGroupRecord& group) const {
  const auto named = tables_.namespaces.find(group.meta.namespace_);
  return !IsSpecial(group) && named != tables_.namespaces.end() &&
         named->second.value() < tables_.namespaces_of_their_own &&
         (!group.min_resources || !Minimums::HasUnserved(*group.min_resources, snapshot_.schema));
}

void SnapshotUpdate::Follow() {
  ReadNodes();
  TakeOffPods();
  TakeOutPods();
  TakeOutGroups();
  PutInGroups();
  PutInPods();
  for (const std::uint32_t place : pods_) {
    if (IsNewOrChanged(changes_.pods.state(place))) ReadPod(place);
  }
  AdoptPods();
  for (const std::uint32_t place : groups_) {
    if (IsNewOrChanged(changes_.groups.state(place)))
      jobs_.emplace_back(changes_.groups.index(place));
  }
  ReadJobs();
  FindHopeless();
  if (jobs_moved_) TellQueues();
  snapshot_.volumes_matter = tables_.mark_counts.Any(PodMark::kWaitsForVolumes);
  snapshot_.devices_matter =
      tables_.mark_counts.Any(PodMark::kWaitsForDevices) && GivesDevices(tables_.options);
  snapshot_.requests_unnamed = tables_.mark_counts.Any(PodMark::kUnnamed);
  SumUp();
  snapshot_.notices.resize(tables_.own_notices);
  tables_.minimums.Tell(snapshot_);
  // Sums that were cut off do not come back.
  if (tables_.mark_counts.Any(PodMark::kAbsurd)) snapshot_.standing = tables_.standing = nullptr;
  changes_.pods.Settle();
  changes_.groups.Settle();
}

void SnapshotUpdate::ReadNodes() {
  for (const std::uint32_t place : changes_.nodes) {
    const NodeRecord& node = snapshot_.objects->nodes[place];
    NodeFacts& facts = snapshot_.nodes[tables_.nodes.at(node.meta.name).value()];
    const NodeFacts before = std::exchange(facts, ReadNode(node, snapshot_, tables_));
    usable_changed_ = usable_changed_ || facts.usable != before.usable;
    if (standing() != nullptr)
      standing()->Offer(tables_.nodes.at(node.meta.name), before.allocatable, facts.allocatable);
    if (before.usable) snapshot_.total -= before.allocatable;
    if (facts.usable) snapshot_.total += facts.allocatable;
  }
  if (!changes_.nodes.empty()) tables_.fits_empty_node.clear();
}

// What runs on nodes that are not usable counts too.
void SnapshotUpdate::SumUp() {
  if (usable_changed_) {
    snapshot_.total = {};
    tables_.foreign = AddTotal(snapshot_);
  } else {
    ShareTotal(tables_.foreign, snapshot_);
  }
}

void SnapshotUpdate::TakeOff(TaskIndex t) {
  const TaskFacts& task = snapshot_.task(t);
  if (standing() != nullptr) standing()->TakeOff(snapshot_, t);
  ChangeTotal(task, TaskChange::kGoes, snapshot_, tables_.foreign);
  tables_.mark_counts.TakeOff(std::exchange(tables_.marks[t.value()], {}));
  if (!task.job.is_none()) jobs_.push_back(task.job);
}

void SnapshotUpdate::TakeOffPods() {
  for (const std::uint32_t t : changes_.pods.removed()) TakeOff(TaskIndex(t));
  for (const std::uint32_t place : pods_) {
    if (changes_.pods.state(place) == State::kChanged)
      TakeOff(TaskIndex(changes_.pods.index(place)));
  }
}

void SnapshotUpdate::TakeOutPods() {
  RenumberTasks(TakeOut(snapshot_.tasks, changes_.pods.removed()));
  PointTo(snapshot_.objects->pods, changes_.pods, pods_, changes_.pods_stand_elsewhere,
          snapshot_.tasks);
}

void SnapshotUpdate::TakeOutGroups() {
  for (const std::uint32_t j : changes_.groups.removed()) {
    for (const TaskIndex t : snapshot_.jobs[j].tasks) {
      TaskFacts& task = snapshot_.tasks[t.value()];
      task.job = JobIndex::None();
      task.role = task.sub_job = 0;
      MarkAnew(t);
    }
    tables_.minimums.Forget(tables_.notes[j].left_out);
    if (standing() != nullptr) standing()->LeaveQueue(snapshot_, JobIndex(j));
  }
  jobs_moved_ = jobs_moved_ || !changes_.groups.removed().empty();
  RenumberJobs(TakeOut(snapshot_.jobs, changes_.groups.removed()));
  PointTo(snapshot_.objects->pod_groups, changes_.groups, groups_, changes_.groups_stand_elsewhere,
          snapshot_.jobs);
}

void SnapshotUpdate::PutInGroups() {
  std::vector<JobFacts> come;
  for (const std::uint32_t place : groups_) {
    if (changes_.groups.state(place) == State::kNew)
      come.emplace_back().record = &snapshot_.objects->pod_groups[place];
  }
  if (come.empty()) return;
  jobs_moved_ = true;
  std::vector<std::uint32_t> places;
  RenumberJobs(PutIn(snapshot_.jobs, std::move(come), places));
  for (const std::uint32_t j : places) {
    const auto place = snapshot_.jobs[j].record - snapshot_.objects->pod_groups.data();
    changes_.groups.Put(static_cast<std::size_t>(place), j);
  }
}

void SnapshotUpdate::PutInPods() {
  std::vector<TaskFacts> come;
  for (const std::uint32_t place : pods_) {
    if (changes_.pods.state(place) == State::kNew)
      come.emplace_back().record = &snapshot_.objects->pods[place];
  }
  std::vector<std::uint32_t> places;
  RenumberTasks(PutIn(snapshot_.tasks, std::move(come), places));
  for (const std::uint32_t t : places) {
    const auto place = snapshot_.tasks[t].record - snapshot_.objects->pods.data();
    changes_.pods.Put(static_cast<std::size_t>(place), t);
  }
}

void SnapshotUpdate::ReadPod(std::uint32_t place) {
  const PodRecord& pod = snapshot_.objects->pods[place];
  const TaskIndex t(changes_.pods.index(place));
  TaskFacts& task = snapshot_.tasks[t.value()];
  const JobIndex before = task.job;
  TaskFacts facts = task_reader_.Read(pod);
  facts.gated = facts.gated || !pod.meta.flaw.empty();
  const JobIndex job = facts.foreign ? JobIndex::None() : JobOf(pod);
  if (job != before) Leave(t);
  facts.job = task.job;
  task = facts;
  if (job != before) Join(t, job);
  if (!job.is_none()) jobs_.push_back(job);
  if (standing() != nullptr) standing()->PutOn(snapshot_, t);
  ChangeTotal(task, TaskChange::kComes, snapshot_, tables_.foreign);
  MarkAnew(t);
}

// As a rule the pods of a group come before it or with it.
void SnapshotUpdate::AdoptPods() {
  const bool comes = std::ranges::any_of(
      groups_, [&](std::uint32_t g) { return changes_.groups.state(g) == State::kNew; });
  if (!comes || !tables_.mark_counts.Any(PodMark::kWithoutJob)) return;
  for (std::size_t t = 0; t < snapshot_.tasks.size(); ++t) {
    const PodMarks marks = tables_.marks[t];
    if (!marks.Has(PodMark::kWithoutJob) || marks.Has(PodMark::kOtherGroup)) continue;
    Join(TaskIndex(t), JobOf(*snapshot_.tasks[t].record));
    MarkAnew(TaskIndex(t));
  }
}

void SnapshotUpdate::ReadJobs() {
  SortUnique(jobs_);
  JobReader reader(snapshot_, tables_);
  for (const JobIndex j : jobs_) {
    JobFacts& job = snapshot_.jobs[j.value()];
    const PodGroupRecord& group = *job.record;
    JobNotes& notes = tables_.notes[j.value()];
    tables_.minimums.Forget(notes.left_out);
    notes = {};
    JobFacts facts = reader.Read(group, group.meta.Key(), group.queue, notes);
    jobs_moved_ = jobs_moved_ || facts.queue != job.queue;
    for (const TaskIndex t : job.tasks) {
      TaskFacts& task = snapshot_.tasks[t.value()];
      reader.Join(*task.record, t, std::nullopt, facts, task);
    }
    if (facts.roles.empty()) facts.roles.push_back({"", 0});
    if (standing() != nullptr) standing()->LeaveQueue(snapshot_, j);
    job = std::move(facts);
    if (standing() != nullptr) standing()->CountJob(snapshot_, j);
  }
  snapshot_.base_classes = tables_.classes.size();
}

void SnapshotUpdate::FindHopeless() {
  EmptyNodes empty(snapshot_, tables_.fits_empty_node);
  const auto find = [&](JobFacts& job) { job.fits_nowhere = empty.FitsNowhere(job); };
  if (changes_.nodes.empty()) {
    for (const JobIndex j : jobs_) find(snapshot_.jobs[j.value()]);
  } else {
    std::ranges::for_each(snapshot_.jobs, find);
  }
}

void SnapshotUpdate::TellQueues() {
  for (QueueFacts& queue : snapshot_.queues) queue.jobs.clear();
  for (std::size_t j = 0; j < snapshot_.jobs.size(); ++j) {
    const QueueIndex queue = snapshot_.jobs[j].queue;
    if (!queue.is_none()) snapshot_.queues[queue.value()].jobs.emplace_back(j);
  }
}

// None: there is no such group.
JobIndex SnapshotUpdate::JobOf(const PodRecord& pod) const {
  if (pod.group.empty()) return JobIndex::None();
  const auto at = changes_.group_places.find(pod.meta.namespace_ + "/" + pod.group);
  if (at == changes_.group_places.end()) return JobIndex::None();
  const std::uint32_t j = changes_.groups.index(at->second);
  return j == ChangedPlaces::kNone ? JobIndex::None() : JobIndex(j);
}

void SnapshotUpdate::Join(TaskIndex t, JobIndex job) {
  if (job.is_none()) return;
  std::vector<TaskIndex>& tasks = snapshot_.jobs[job.value()].tasks;
  tasks.insert(std::ranges::lower_bound(tasks, t), t);
  snapshot_.tasks[t.value()].job = job;
  jobs_.push_back(job);
}

void SnapshotUpdate::Leave(TaskIndex t) {
  TaskFacts& task = snapshot_.tasks[t.value()];
  if (task.job.is_none()) return;
  std::erase(snapshot_.jobs[task.job.value()].tasks, t);
  task.job = JobIndex::None();
}

void SnapshotUpdate::MarkAnew(TaskIndex t) {
  PodMarks& marks = tables_.marks[t.value()];
  tables_.mark_counts.TakeOff(marks);
  const TaskFacts& task = snapshot_.task(t);
  marks = MarksOf(*task.record, task);
  tables_.mark_counts.Add(marks);
}

void SnapshotUpdate::RenumberTasks(const Renumbering& numbers) {
  batholith::Follow(numbers, snapshot_.tasks.size(), tables_.marks);
  if (standing() != nullptr) standing()->RenumberTasks(numbers, snapshot_.tasks.size());
  if (numbers.empty()) return;
  batholith::Follow(numbers, changes_.pods);
  for (JobFacts& job : snapshot_.jobs) {
    std::size_t left = 0;
    for (const TaskIndex t : job.tasks) {
      const std::uint32_t now = numbers[t.value()];
      if (now != ChangedPlaces::kNone) job.tasks[left++] = TaskIndex(now);
    }
    job.tasks.resize(left);
  }
}

void SnapshotUpdate::RenumberJobs(const Renumbering& numbers) {
  batholith::Follow(numbers, snapshot_.jobs.size(), tables_.notes);
  if (standing() != nullptr) standing()->RenumberJobs(numbers, snapshot_.jobs.size());
  if (numbers.empty()) return;
  jobs_moved_ = true;
  batholith::Follow(numbers, changes_.groups);
  for (TaskFacts& task : snapshot_.tasks) {
    if (!task.job.is_none()) task.job = JobIndex(numbers[task.job.value()]);
  }
  for (JobIndex& job : jobs_) job = JobIndex(numbers[job.value()]);
  std::erase_if(jobs_, [](JobIndex job) { return job.is_none(); });
}

}  // namespace batholith
