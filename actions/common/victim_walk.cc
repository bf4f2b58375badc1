#include "actions/common/victim_walk.h"

#include <algorithm>

namespace batholith {

VictimWalk::VictimWalk(VictimOrder& order, QueueIndex queue, bool with_spared)
    : order_(order), session_(order.session()) {
  for (const VictimOrder::Lane& lane : order.LanesOf(queue)) {
    if (!lane.ranks.empty() && (with_spared || !lane.spared)) heads_.push_back({&lane, 0});
  }
  std::ranges::make_heap(heads_, [&](const Head& a, const Head& b) { return FallsAfter(a, b); });
}

bool VictimWalk::FallsAfter(const Head& a, const Head& b) const {
  return session_.chains().CompareJobs(a.lane->ranks[a.next]->jobs.front(),
                                       b.lane->ranks[b.next]->jobs.front()) < 0;
}

bool VictimWalk::ComesAfter(const Reached& a, const Reached& b) {
  return b.victim->place < a.victim->place;
}

const VictimOrder::Victim* VictimWalk::Next() {
  Leave();
  while (reached_.empty()) {
    if (heads_.empty()) return nullptr;
    TakeRank();
  }
  std::ranges::pop_heap(reached_, ComesAfter);
  last_ = reached_.back();
  reached_.pop_back();
  return last_.victim;
}

// What the last victim stood in front of.
void VictimWalk::Leave() {
  if (last_.next != last_.end) Push({last_.next, last_.next + 1, last_.end, nullptr, 0});
  if (last_.rank != nullptr) {
    Reach(*last_.rank, 2 * last_.slot + 1);
    Reach(*last_.rank, 2 * last_.slot + 2);
  }
  last_ = {};
}

void VictimWalk::Reach(VictimOrder::Rank& rank, std::size_t slot) {
  const std::vector<JobIndex>& jobs = order_.HeapOf(rank);
  if (slot >= jobs.size()) return;
  const std::span<const VictimOrder::Victim> victims = order_.StandingOf(jobs[slot]);
  if (victims.empty()) return;  // nor has anybody below it any
  const VictimOrder::Victim* first = victims.data();
  Push({first, first + 1, first + victims.size(), &rank, slot});
}

void VictimWalk::Push(const Reached& reached) {
  reached_.push_back(reached);
  std::ranges::push_heap(reached_, ComesAfter);
}

// All the jobs of the first rank that is left, in whatever lanes.
void VictimWalk::TakeRank() {
  least_left_ = INT32_MAX;
  for (const Head& head : heads_)
    least_left_ = std::min(least_left_, head.lane->ranks[head.next]->least_left);
  const JobIndex first = TakeHead();
  while (!heads_.empty()) {
    const JobIndex next = heads_.front().lane->ranks[heads_.front().next]->jobs.front();
    if (session_.chains().RankJobs(first, next) != 0) return;
    TakeHead();
  }
}

// The rank at the head of the first lane; returns one of its jobs.
JobIndex VictimWalk::TakeHead() {
  const auto falls_after = [&](const Head& a, const Head& b) { return FallsAfter(a, b); };
  std::ranges::pop_heap(heads_, falls_after);
  const Head head = heads_.back();
  heads_.pop_back();
  VictimOrder::Rank& rank = *head.lane->ranks[head.next];
  Reach(rank, 0);
  if (head.next + 1 < head.lane->ranks.size()) {
    heads_.push_back({head.lane, head.next + 1});
    std::ranges::push_heap(heads_, falls_after);
  }
  return rank.jobs.front();
}

}  // namespace batholith
