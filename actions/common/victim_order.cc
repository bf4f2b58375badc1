#include "actions/common/victim_order.h"

#include <algorithm>

namespace batholith {

VictimOrder::VictimOrder(const Session& session)
    : session_(session),
      snapshot_(session.snapshot()),
      cursor_(session.state().moved().size()),
      lanes_(snapshot_.queues.size()),
      victims_(snapshot_.jobs.size()),
      request_of_class_(snapshot_.base_classes) {}

// Whoever may be evicted in this session ran, or was bound, when it opened.
bool VictimOrder::IsVictim(TaskIndex task) const {
  const TaskFacts& facts = snapshot_.task(task);
  return facts.preemptable && !facts.job.is_none() && !facts.node.is_none() &&
         (facts.status == TaskStatus::kRunning || facts.status == TaskStatus::kBound);
}

void VictimOrder::Build(QueueIndex queue) {
  std::vector<Lane>& lanes = lanes_[queue.value()].emplace();
  for (const JobIndex job : snapshot_.queue(queue).jobs) {
    const JobFacts& facts = snapshot_.job(job);
    if (std::ranges::none_of(facts.tasks, [&](TaskIndex t) { return IsVictim(t); })) continue;
    auto lane = std::ranges::find(lanes, facts.namespace_, &Lane::name_space);
    if (lane == lanes.end()) lane = lanes.insert(lane, Lane{facts.namespace_, {}, {}});
    lane->jobs.push_back({job, facts.priority});
  }
  for (Lane& lane : lanes) {
    std::ranges::sort(lane.jobs,
                      [&](const Ranked& a, const Ranked& b) { return FallsBefore(a.job, b.job); });
    lane.least.resize(lane.jobs.size());
    for (std::size_t i = lane.jobs.size(); i-- > 0;) lane.least[i] = LeastAt(lane, i);
  }
}

std::int32_t VictimOrder::LeastAt(const Lane& lane, std::size_t i) {
  const std::int32_t priority = lane.jobs[i].priority;
  return i + 1 < lane.jobs.size() ? std::min(priority, lane.least[i + 1]) : priority;
}

// Sets lane.least at `from`, then below it until nothing changes any more.
void VictimOrder::KeepLeast(Lane& lane, std::size_t from) {
  lane.least[from] = LeastAt(lane, from);
  for (std::size_t i = from; i-- > 0 && lane.least[i] != LeastAt(lane, i);)
    lane.least[i] = LeastAt(lane, i);
}

std::span<const VictimOrder::Lane> VictimOrder::LanesOf(QueueIndex queue) {
  if (!lanes_[queue.value()]) Build(queue);
  return *lanes_[queue.value()];
}

void VictimOrder::Refresh() {
  const std::span<const TaskIndex> moved = session_.state().moved().subspan(cursor_);
  cursor_ += moved.size();
  std::vector<JobIndex> jobs;
  for (const TaskIndex t : moved) {
    if (!snapshot_.task(t).job.is_none()) jobs.push_back(snapshot_.task(t).job);
  }
  std::ranges::sort(jobs);
  jobs.erase(std::unique(jobs.begin(), jobs.end()), jobs.end());
  std::vector<std::pair<Lane*, Ranked>> taken;
  for (const JobIndex job : jobs) {
    const QueueIndex queue = snapshot_.job(job).queue;
    if (queue.is_none() || !lanes_[queue.value()]) continue;
    std::vector<Lane>& lanes = *lanes_[queue.value()];
    const auto lane = std::ranges::find(lanes, snapshot_.job(job).namespace_, &Lane::name_space);
    if (lane == lanes.end()) continue;
    const auto place = std::ranges::find(lane->jobs, job, &Ranked::job);
    if (place == lane->jobs.end()) continue;
    taken.emplace_back(&*lane, *place);
    const auto position = place - lane->jobs.begin();
    lane->jobs.erase(place);
    lane->least.erase(lane->least.begin() + position);
    if (position > 0) KeepLeast(*lane, static_cast<std::size_t>(position - 1));
  }
  for (const auto& [lane, ranked] : taken) {
    const auto place = std::ranges::lower_bound(
        lane->jobs, ranked,
        [&](const Ranked& a, const Ranked& b) { return FallsBefore(a.job, b.job); });
    const auto position = place - lane->jobs.begin();
    lane->jobs.insert(place, ranked);
    lane->least.insert(lane->least.begin() + position, ranked.priority);
    KeepLeast(*lane, static_cast<std::size_t>(position));
  }
}

std::span<const VictimOrder::Victim> VictimOrder::VictimsOf(JobIndex job) {
  std::optional<std::vector<Victim>>& known = victims_[job.value()];
  if (known) return *known;
  known.emplace();
  for (const TaskIndex t : snapshot_.job(job).tasks) {
    if (!IsVictim(t)) continue;
    const TaskFacts& facts = snapshot_.task(t);
    const ResourceVector*& request = request_of_class_[facts.base_class.value()];
    if (request == nullptr) request = &facts.request;
    known->push_back({t, facts.node, request});
  }
  std::ranges::sort(*known, [&](const Victim& a, const Victim& b) {
    return session_.chains().CompareTasks(a.task, b.task) > 0;
  });
  return *known;
}

std::int64_t VictimOrder::LargestOn(NodeIndex node, std::size_t resource) {
  if (largest_.empty()) {
    largest_.resize(snapshot_.nodes.size());
    for (std::size_t t = 0; t < snapshot_.tasks.size(); ++t) {
      if (!IsVictim(TaskIndex(t))) continue;
      ResourceVector& most = largest_[snapshot_.tasks[t].node.value()];
      most = ResourceVector::Max(most, snapshot_.tasks[t].request);
    }
  }
  return largest_[node.value()][resource];
}

VictimWalk::VictimWalk(VictimOrder& order, QueueIndex queue) : session_(&order.session()) {
  for (const VictimOrder::Lane& lane : order.LanesOf(queue)) {
    if (!lane.jobs.empty()) heads_.push_back({&lane, 0});
  }
  std::ranges::make_heap(heads_, [&](const Head& a, const Head& b) { return FallsAfter(a, b); });
}

bool VictimWalk::FallsAfter(const Head& a, const Head& b) const {
  return session_->chains().CompareJobs(a.lane->jobs[a.next].job, b.lane->jobs[b.next].job) < 0;
}

JobIndex VictimWalk::Next() {
  if (heads_.empty()) return JobIndex::None();
  const auto falls_after = [&](const Head& a, const Head& b) { return FallsAfter(a, b); };
  std::ranges::pop_heap(heads_, falls_after);
  Head& head = heads_.back();
  const JobIndex job = head.lane->jobs[head.next++].job;
  if (head.next < head.lane->jobs.size()) {
    std::ranges::push_heap(heads_, falls_after);
  } else {
    heads_.pop_back();
  }
  return job;
}

std::int32_t VictimWalk::LeastPriorityLeft() const {
  std::int32_t least = INT32_MAX;
  for (const Head& head : heads_) least = std::min(least, head.lane->least[head.next]);
  return least;
}

}  // namespace batholith
