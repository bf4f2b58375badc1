#include "actions/common/victim_sums.h"

#include <algorithm>

namespace batholith {

VictimSums::VictimSums(const Session& session)
    : session_(session),
      snapshot_(session.snapshot()),
      width_(snapshot_.schema.size()),
      moved_(session.state().moved().size()),
      touched_(session.state().touched().size()),
      spared_(snapshot_.jobs.size(), -1),
      rooms_(snapshot_.nodes.size(), width_),
      progress_(session.classes().size()) {}

void VictimSums::Refresh(QueueIndex reclaimers) {
  if (reclaimers_changed_ == 0 || reclaimers != reclaimers_) {
    reclaimers_ = reclaimers;
    ++reclaimers_changed_;
    known_.assign(snapshot_.nodes.size(), Sum::kUnknown);
    refused_.assign(snapshot_.nodes.size(), false);
    risen_.clear();
  }
  LookAtJobs();
  LookAtNodes();
}

// What the tasks of a job that is spared, or no longer is, do to the sums of their nodes waits
// until somebody asks for these.
void VictimSums::LookAtJobs() {
  const std::span<const TaskIndex> moved = session_.state().moved().subspan(moved_);
  moved_ += moved.size();
  JobIndex last;
  for (const TaskIndex t : moved) {
    const JobIndex job = snapshot_.task(t).job;
    if (job.is_none() || job == last) continue;
    last = job;
    std::int8_t& spared = spared_[job.value()];
    if (spared < 0) continue;
    const bool before = spared != 0;
    spared = session_.chains().ReclaimSpares(job) ? 1 : 0;
    if (before == (spared != 0)) continue;
    for (const TaskIndex other : snapshot_.job(job).tasks) {
      const NodeIndex node = session_.state().node(other);
      if (node.is_none() || known_[node.value()] == Sum::kUnknown) continue;
      known_[node.value()] = Sum::kOutdated;
      if (before) risen_.push_back(node);
    }
  }
}

void VictimSums::LookAtNodes() {
  const std::span<const NodeIndex> touched = session_.state().touched().subspan(touched_);
  touched_ += touched.size();
  for (const NodeIndex node : touched) {
    if (known_[node.value()] == Sum::kCurrent) known_[node.value()] = Sum::kOutdated;
  }
  for (const NodeIndex node : touched) {
    if (known_[node.value()] == Sum::kOutdated) AddUp(node);
  }
}

bool VictimSums::IsSpared(JobIndex job) {
  std::int8_t& spared = spared_[job.value()];
  if (spared < 0) spared = session_.chains().ReclaimSpares(job) ? 1 : 0;
  return spared != 0;
}

bool VictimSums::MayFall(TaskIndex task) {
  if (session_.state().status(task) != TaskStatus::kRunning) return false;
  const TaskFacts& facts = snapshot_.task(task);
  if (facts.job.is_none() || !facts.preemptable) return false;
  const QueueIndex queue = snapshot_.job(facts.job).queue;
  return !queue.is_none() && queue != reclaimers_ && snapshot_.queue(queue).reclaimable &&
         !IsSpared(facts.job);
}

void VictimSums::AddUp(NodeIndex node) {
  ResourceVector room = session_.state().future_idle(node);
  for (const TaskIndex t : session_.state().tasks_on(node)) {
    if (MayFall(t)) room += snapshot_.task(t).request;
  }
  const ResourceRow before = rooms_[node.value()];
  bool risen = refused_[node.value()];
  for (std::size_t r = 0; r < width_; ++r) risen = risen || room[r] > before[r];
  if (risen && known_[node.value()] != Sum::kUnknown) risen_.push_back(node);
  rooms_.Set(node.value(), room);
  known_[node.value()] = Sum::kCurrent;
}

NodeIndex VictimSums::FirstFor(ClassIndex class_) {
  Progress& progress = progress_[class_.value()];
  if (progress.reclaimers != reclaimers_changed_) progress = {reclaimers_changed_, NodeIndex(0), 0};
  for (; progress.cursor < risen_.size(); ++progress.cursor)
    progress.first = std::min(progress.first, risen_[progress.cursor]);
  return progress.first;
}

bool VictimSums::CouldHold(NodeIndex node, const Asker& asker) {
  if (known_[node.value()] != Sum::kCurrent) AddUp(node);
  const ResourceRow sum = rooms_[node.value()];
  for (const std::size_t r : asker.wanted) {
    std::int64_t room = sum[r];
    if (room == INT64_MAX) continue;  // saturated: it may be any amount
    if (asker.guarded)
      room = ResourceVector::SubSaturating(room, session_.slack_guard().Held(node)[r]);
    if (room < (*asker.request)[r]) return false;
  }
  return true;
}

void VictimSums::PassOver(NodeIndex node, ClassIndex class_, bool refused) {
  Progress& progress = progress_[class_.value()];
  if (progress.first != node) return;
  progress.first = NodeIndex(node.value() + 1);
  if (refused) refused_[node.value()] = true;
}

}  // namespace batholith
