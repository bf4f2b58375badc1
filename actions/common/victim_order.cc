#include "actions/common/victim_order.h"

#include <algorithm>

namespace batholith {

VictimOrder::VictimOrder(const Session& session)
    : session_(session),
      snapshot_(session.snapshot()),
      cursor_(session.state().moved().size()),
      lanes_(snapshot_.queues.size()),
      victims_(snapshot_.jobs.size()),
      places_(snapshot_.jobs.size()),
      request_of_class_(snapshot_.base_classes) {}

bool VictimOrder::IsVictim(const TaskFacts& task) {
  return task.preemptable && !task.job.is_none() && !task.node.is_none() &&
         (task.status == TaskStatus::kRunning || task.status == TaskStatus::kBound);
}

void VictimOrder::Build(QueueIndex queue) {
  std::vector<Lane>& lanes = lanes_[queue.value()].emplace();
  for (const JobIndex job : snapshot_.queue(queue).jobs) {
    const JobFacts& facts = snapshot_.job(job);
    if (std::ranges::none_of(facts.tasks, [&](TaskIndex t) { return IsVictim(snapshot_.task(t)); }))
      continue;
    auto lane = std::ranges::find(lanes, facts.namespace_, &Lane::namespace_);
    if (lane == lanes.end()) lane = lanes.insert(lane, Lane{facts.namespace_, {}, {}});
    lane->jobs.push_back({job, facts.priority, false});
  }
  for (Lane& lane : lanes) {
    std::ranges::sort(lane.jobs,
                      [&](const Ranked& a, const Ranked& b) { return FallsBefore(a.job, b.job); });
    for (std::size_t i = 1; i < lane.jobs.size(); ++i) Tie(lane, i);
    lane.least.resize(lane.jobs.size());
    for (std::size_t i = lane.jobs.size(); i-- > 0;) lane.least[i] = LeastAt(lane, i);
  }
}

// Says anew whether the job there is ranked as the one before it.
void VictimOrder::Tie(Lane& lane, std::size_t i) const {
  if (i >= lane.jobs.size()) return;
  lane.jobs[i].tied = i > 0 && AreAlike(lane.jobs[i - 1].job, lane.jobs[i].job);
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

VictimOrder::Lane* VictimOrder::LaneOf(JobIndex job) {
  const QueueIndex queue = snapshot_.job(job).queue;
  if (queue.is_none() || !lanes_[queue.value()]) return nullptr;
  std::vector<Lane>& lanes = *lanes_[queue.value()];
  const auto lane = std::ranges::find(lanes, snapshot_.job(job).namespace_, &Lane::namespace_);
  return lane == lanes.end() ? nullptr : &*lane;
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
    Lane* const lane = LaneOf(job);
    if (lane == nullptr) continue;
    const auto place = std::ranges::find(lane->jobs, job, &Ranked::job);
    if (place == lane->jobs.end()) continue;
    taken.emplace_back(lane, *place);
    const auto position = place - lane->jobs.begin();
    lane->jobs.erase(place);
    lane->least.erase(lane->least.begin() + position);
    Tie(*lane, static_cast<std::size_t>(position));
    if (position > 0) KeepLeast(*lane, static_cast<std::size_t>(position - 1));
  }
  for (const auto& [lane, ranked] : taken) {
    const auto place = std::ranges::lower_bound(
        lane->jobs, ranked,
        [&](const Ranked& a, const Ranked& b) { return FallsBefore(a.job, b.job); });
    const auto position = place - lane->jobs.begin();
    lane->jobs.insert(place, ranked);
    lane->least.insert(lane->least.begin() + position, ranked.priority);
    Tie(*lane, static_cast<std::size_t>(position));
    Tie(*lane, static_cast<std::size_t>(position + 1));
    KeepLeast(*lane, static_cast<std::size_t>(position));
  }
}

std::span<const VictimOrder::Victim> VictimOrder::VictimsOf(JobIndex job) {
  std::optional<std::vector<Victim>>& known = victims_[job.value()];
  if (known) return *known;
  known.emplace();
  for (const TaskIndex t : snapshot_.job(job).tasks) {
    const TaskFacts& facts = snapshot_.task(t);
    if (!IsVictim(facts)) continue;
    const ResourceVector*& request = request_of_class_[facts.base_class.value()];
    if (request == nullptr) request = &*facts.request;
    known->push_back({t, job, facts.node, request});
  }
  std::ranges::sort(
      *known, [&](const Victim& a, const Victim& b) { return TaskFallsBefore(a.task, b.task); });
  return *known;
}

// Mostly the jobs that were alike before still are: those that left are taken out of what was
// merged, and those that came are merged in.
std::span<const VictimOrder::Victim> VictimOrder::VictimsOf(std::span<const Ranked> alike) {
  if (alike.size() == 1) return VictimsOf(alike.front().job);
  Merged* merged = places_[alike[alike.size() / 2].job.value()].merged;
  if (merged == nullptr) merged = &merged_.emplace_back();
  const std::uint32_t before = merged->asked;
  merged->asked = ++asked_;
  std::vector<JobIndex> come;
  for (const Ranked& ranked : alike) {
    Place& place = places_[ranked.job.value()];
    if (place.merged == merged && place.asked == before) {
      place.asked = asked_;
    } else {
      come.push_back(ranked.job);
    }
  }
  std::vector<Victim>& all = merged->victims;
  if (come.empty() && merged->jobs == alike.size()) return all;
  merged->jobs = alike.size();
  std::erase_if(all, [&](const Victim& v) {
    const Place& place = places_[v.job.value()];
    return place.merged != merged || place.asked != asked_;
  });
  const auto stayed = std::ssize(all);
  for (const JobIndex job : come) {
    places_[job.value()] = {merged, asked_};
    const std::span<const Victim> more = VictimsOf(job);
    all.insert(all.end(), more.begin(), more.end());
  }
  const auto falls_before = [&](const Victim& a, const Victim& b) {
    return TaskFallsBefore(a.task, b.task);
  };
  std::sort(all.begin() + stayed, all.end(), falls_before);
  std::inplace_merge(all.begin(), all.begin() + stayed, all.end(), falls_before);
  return all;
}

VictimWalk::VictimWalk(VictimOrder& order, QueueIndex queue)
    : order_(order), session_(order.session()) {
  for (const VictimOrder::Lane& lane : order.LanesOf(queue)) {
    if (!lane.jobs.empty()) heads_.push_back({&lane, 0});
  }
  std::ranges::make_heap(heads_, [&](const Head& a, const Head& b) { return FallsAfter(a, b); });
}

bool VictimWalk::FallsAfter(const Head& a, const Head& b) const {
  return session_.chains().CompareJobs(a.lane->jobs[a.next].job, b.lane->jobs[b.next].job) < 0;
}

const VictimOrder::Victim* VictimWalk::Next() {
  while (rank_.empty()) {
    if (heads_.empty()) return nullptr;
    TakeRank();
  }
  auto first = rank_.begin();
  for (auto it = first + 1; it != rank_.end(); ++it) {
    if (order_.TaskFallsBefore(it->front().task, first->front().task)) first = it;
  }
  const VictimOrder::Victim* victim = &first->front();
  *first = first->subspan(1);
  if (first->empty()) rank_.erase(first);
  return victim;
}

// All the jobs of the first rank that is left, in whatever namespaces.
void VictimWalk::TakeRank() {
  least_left_ = INT32_MAX;
  for (const Head& head : heads_) least_left_ = std::min(least_left_, head.lane->least[head.next]);
  const JobIndex first = TakeHead();
  while (!heads_.empty()) {
    const JobIndex next = heads_.front().lane->jobs[heads_.front().next].job;
    if (session_.chains().RankJobs(first, next) != 0) return;
    TakeHead();
  }
}

// The jobs of one rank at the head of the first lane; returns one of them.
JobIndex VictimWalk::TakeHead() {
  const auto falls_after = [&](const Head& a, const Head& b) { return FallsAfter(a, b); };
  std::ranges::pop_heap(heads_, falls_after);
  const Head head = heads_.back();
  heads_.pop_back();
  const std::vector<VictimOrder::Ranked>& jobs = head.lane->jobs;
  std::size_t end = head.next + 1;
  while (end < jobs.size() && jobs[end].tied) ++end;
  rank_.push_back(order_.VictimsOf(std::span(jobs).subspan(head.next, end - head.next)));
  if (rank_.back().empty()) rank_.pop_back();
  if (end < jobs.size()) {
    heads_.push_back({head.lane, end});
    std::ranges::push_heap(heads_, falls_after);
  }
  return jobs[head.next].job;
}

}  // namespace batholith
