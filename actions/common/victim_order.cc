#include "actions/common/victim_order.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

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

bool VictimOrder::Stands(TaskIndex task) const {
  const TaskStatus status = session_.state().status(task);
  return status == TaskStatus::kRunning || status == TaskStatus::kBound;
}

// --- the victims of a job ---

// Of the whole queue, so that later two are compared by their places.
void VictimOrder::SortVictims(QueueIndex queue) {
  std::vector<Victim> all;
  for (const JobIndex job : snapshot_.queue(queue).jobs) {
    for (const TaskIndex t : snapshot_.job(job).tasks) {
      const TaskFacts& facts = snapshot_.task(t);
      if (!IsVictim(facts)) continue;
      const ResourceVector*& request = request_of_class_[facts.base_class.value()];
      if (request == nullptr) request = &*facts.request;
      all.push_back({t, job, facts.node, 0, request});
    }
  }
  // Mostly the plugins order them in this way; to find that out is much cheaper than to sort by
  // what they say.
  const auto usually = [&](const Victim& v) {
    const TaskFacts& task = snapshot_.task(v.task);
    return std::tuple(task.priority, -task.name_number, -std::int64_t(v.task.value()));
  };
  const auto falls_before = [&](const Victim& a, const Victim& b) {
    return session_.chains().CompareTasks(a.task, b.task) > 0;
  };
  std::ranges::sort(all, std::less<>(), usually);
  if (!std::ranges::is_sorted(all, falls_before)) std::ranges::sort(all, falls_before);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].place = static_cast<std::uint32_t>(i);
    victims_[all[i].job.value()].sorted.push_back(all[i]);
  }
  for (const JobIndex job : snapshot_.queue(queue).jobs) {
    auto& [sorted, standing] = victims_[job.value()];
    while (standing < sorted.size() && !Stands(sorted[standing].task)) ++standing;
  }
}

std::span<const VictimOrder::Victim> VictimOrder::VictimsOf(JobIndex job) {
  LanesOf(snapshot_.job(job).queue);
  return victims_[job.value()].sorted;
}

std::span<const VictimOrder::Victim> VictimOrder::StandingOf(JobIndex job) const {
  const JobVictims& victims = victims_[job.value()];
  return std::span(victims.sorted).subspan(victims.standing);
}

// Keeps the first of its job's victims that stands.
void VictimOrder::LookAt(TaskIndex moved) {
  const TaskFacts& facts = snapshot_.task(moved);
  if (!IsVictim(facts) || victims_[facts.job.value()].sorted.empty()) return;
  auto& [sorted, standing] = victims_[facts.job.value()];
  const auto place = std::ranges::partition_point(
      sorted, [&](const Victim& v) { return session_.chains().CompareTasks(v.task, moved) > 0; });
  const auto position = static_cast<std::size_t>(place - sorted.begin());
  if (Stands(moved)) {
    standing = std::min(standing, position);
  } else if (position == standing) {
    while (standing < sorted.size() && !Stands(sorted[standing].task)) ++standing;
  }
}

// --- the ranks of a queue and namespace ---

void VictimOrder::Build(QueueIndex queue) {
  std::vector<Lane>& lanes = lanes_[queue.value()].emplace();
  SortVictims(queue);
  std::vector<std::vector<JobIndex>> jobs_of_lane;
  for (const JobIndex job : snapshot_.queue(queue).jobs) {
    const JobFacts& facts = snapshot_.job(job);
    if (victims_[job.value()].sorted.empty()) continue;
    const auto known = std::ranges::find(lanes, facts.namespace_, &Lane::namespace_);
    auto lane = static_cast<std::size_t>(known - lanes.begin());
    if (known == lanes.end()) {
      lanes.push_back({facts.namespace_, false, {}});
      lanes.push_back({facts.namespace_, true, {}});
      jobs_of_lane.resize(lanes.size());
    }
    if (session_.chains().PreemptSpares(job)) ++lane;
    jobs_of_lane[lane].push_back(job);
  }
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    std::ranges::sort(jobs_of_lane[l], [&](JobIndex a, JobIndex b) {
      return session_.chains().CompareJobs(a, b) > 0;
    });
    Lane& lane = lanes[l];
    for (const JobIndex job : jobs_of_lane[l]) {
      const std::size_t end = lane.ranks.size();
      const bool alike =
          end > 0 && session_.chains().RankJobs(lane.ranks.back()->jobs.front(), job) == 0;
      if (!alike) NewRank(lane, end);
      Add(lane, alike ? end - 1 : end, job);
    }
    for (std::size_t i = lane.ranks.size(); i-- > 0;)
      lane.ranks[i]->least_left = LeastFrom(lane, i);
  }
}

std::span<const VictimOrder::Lane> VictimOrder::LanesOf(QueueIndex queue) {
  if (!lanes_[queue.value()]) Build(queue);
  return *lanes_[queue.value()];
}

// Whoever moved is taken out before anybody is compared with anybody else.
void VictimOrder::Refresh() {
  const std::span<const TaskIndex> moved = session_.state().moved().subspan(cursor_);
  cursor_ += moved.size();
  moved_jobs_.clear();
  for (const TaskIndex t : moved) {
    const JobIndex job = snapshot_.task(t).job;
    if (!job.is_none() && places_[job.value()].rank != nullptr) {
      Remove(job);
      moved_jobs_.push_back(job);
    }
  }
  for (const TaskIndex t : moved) LookAt(t);
  for (const JobIndex job : moved_jobs_) {
    Lane* const lane = places_[job.value()].lane;
    const bool spared = session_.chains().PreemptSpares(job);
    Insert(spared == lane->spared ? *lane : *(spared ? lane + 1 : lane - 1), job);
  }
}

VictimOrder::Rank* VictimOrder::NewRank(Lane& lane, std::size_t position) {
  Rank* rank = nullptr;
  if (unused_.empty()) {
    rank = &ranks_.emplace_back();
  } else {
    rank = unused_.back();
    unused_.pop_back();
  }
  lane.ranks.insert(lane.ranks.begin() + static_cast<std::ptrdiff_t>(position), rank);
  return rank;
}

void VictimOrder::Insert(Lane& lane, JobIndex job) {
  const auto order = [&](const Rank* rank) {
    return session_.chains().RankJobs(rank->jobs.front(), job);
  };
  const auto place =
      std::ranges::partition_point(lane.ranks, [&](const Rank* rank) { return order(rank) > 0; });
  const auto position = static_cast<std::size_t>(place - lane.ranks.begin());
  if (place == lane.ranks.end() || order(*place) != 0) NewRank(lane, position);
  Add(lane, position, job);
  KeepLeast(lane, position);
}

void VictimOrder::Add(Lane& lane, std::size_t position, JobIndex job) {
  Rank& rank = *lane.ranks[position];
  rank.jobs.push_back(job);
  places_[job.value()] = {&lane, &rank, rank.jobs.size() - 1};
  if (rank.heaped) Lift(rank, rank.jobs.size() - 1);
  const std::int32_t priority = snapshot_.job(job).priority;
  if (priority < rank.least || rank.with_least == 0) {
    rank.least = priority;
    rank.with_least = 0;
  }
  if (priority == rank.least) ++rank.with_least;
}

void VictimOrder::Remove(JobIndex job) {
  Place& place = places_[job.value()];
  Lane& lane = *place.lane;
  Rank& rank = *std::exchange(place.rank, nullptr);
  const std::size_t slot = place.slot;
  const JobIndex last = rank.jobs.back();
  rank.jobs.pop_back();
  if (last != job) {
    Put(rank, slot, last);
    if (rank.heaped) {
      Lift(rank, slot);
      Sink(rank, places_[last.value()].slot);
    }
  }
  if (snapshot_.job(job).priority == rank.least) --rank.with_least;
  if (rank.with_least > 0) return;
  const auto position = std::ranges::find(lane.ranks, &rank) - lane.ranks.begin();
  if (rank.jobs.empty()) {
    lane.ranks.erase(lane.ranks.begin() + position);
    rank.heaped = false;
    rank.least = rank.least_left = INT32_MAX;
    unused_.push_back(&rank);
    if (position > 0) KeepLeast(lane, static_cast<std::size_t>(position - 1));
    return;
  }
  rank.least = INT32_MAX;
  for (const JobIndex other : rank.jobs)
    rank.least = std::min(rank.least, snapshot_.job(other).priority);
  rank.with_least = static_cast<std::size_t>(std::ranges::count_if(
      rank.jobs, [&](JobIndex other) { return snapshot_.job(other).priority == rank.least; }));
  KeepLeast(lane, static_cast<std::size_t>(position));
}

std::int32_t VictimOrder::LeastFrom(const Lane& lane, std::size_t i) {
  const std::int32_t least = lane.ranks[i]->least;
  return i + 1 < lane.ranks.size() ? std::min(least, lane.ranks[i + 1]->least_left) : least;
}

// Sets `least_left` at `from`, then before it until nothing changes any more.
void VictimOrder::KeepLeast(Lane& lane, std::size_t from) {
  lane.ranks[from]->least_left = LeastFrom(lane, from);
  for (std::size_t i = from; i-- > 0;) {
    const std::int32_t least = LeastFrom(lane, i);
    if (std::exchange(lane.ranks[i]->least_left, least) == least) return;
  }
}

// --- the jobs of a rank ---

const std::vector<JobIndex>& VictimOrder::HeapOf(Rank& rank) {
  if (!rank.heaped) {
    rank.heaped = true;
    for (std::size_t slot = rank.jobs.size() / 2; slot-- > 0;) Sink(rank, slot);
  }
  return rank.jobs;
}

// Who has nobody left comes last.
bool VictimOrder::HeadFallsBefore(JobIndex a, JobIndex b) const {
  const std::span<const Victim> of_a = StandingOf(a);
  if (of_a.empty()) return false;
  const std::span<const Victim> of_b = StandingOf(b);
  return of_b.empty() || of_a.front().place < of_b.front().place;
}

void VictimOrder::Put(Rank& rank, std::size_t slot, JobIndex job) {
  rank.jobs[slot] = job;
  places_[job.value()].slot = slot;
}

void VictimOrder::Lift(Rank& rank, std::size_t slot) {
  const JobIndex job = rank.jobs[slot];
  for (; slot > 0 && HeadFallsBefore(job, rank.jobs[(slot - 1) / 2]); slot = (slot - 1) / 2)
    Put(rank, slot, rank.jobs[(slot - 1) / 2]);
  Put(rank, slot, job);
}

void VictimOrder::Sink(Rank& rank, std::size_t slot) {
  const JobIndex job = rank.jobs[slot];
  for (;;) {
    std::size_t child = 2 * slot + 1;
    if (child >= rank.jobs.size()) break;
    if (child + 1 < rank.jobs.size() && HeadFallsBefore(rank.jobs[child + 1], rank.jobs[child]))
      ++child;
    if (!HeadFallsBefore(rank.jobs[child], job)) break;
    Put(rank, slot, rank.jobs[child]);
    slot = child;
  }
  Put(rank, slot, job);
}

}  // namespace batholith
