#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "actions/common/victim_judge.h"

namespace batholith {

struct QuotaPlan {
  NodeIndex node;
  std::vector<TaskIndex> victims;
  std::vector<TaskIndex> dragged = {};  // of these, who goes only because half of his job does
  std::size_t violating = 0;            // so many are protected by disruption budgets
  std::size_t touched_nodes = 0;
};

// How plans compare, the best first. Source: reference (elastic quotas) 5.6, step 4.
struct QuotaPlanRank {
  std::size_t violating = 0;
  std::int32_t top_priority = 0;
  std::int64_t priorities = 0;  // of all victims, added up
  std::size_t victims = 0;
  std::size_t touched_nodes = 0;
  TimeNs start = 0;  // minus that of whoever runs longest of the top priority
  std::string_view node;
  auto operator<=>(const QuotaPlanRank&) const = default;
};

// QuotaPlanRank::start of victims who started then. The lowest of all times, which also stands for
// nobody, has no opposite: it is its own, so that nothing is taken for worse than it may be.
inline TimeNs StartRank(TimeNs start) { return start == INT64_MIN ? INT64_MIN : -start; }

// Whom preemptors of one kind may take from, their own jobs aside. Quotas cut across queues; a
// queue's own rules still hold for what is in others.
struct QuotaVictimFilter {
  VictimKind kind = VictimKind::kPreemptJobs;
  QueueIndex queue = {};  // of the preemptors; none: any
  bool own_queue_only = false;
  bool best_effort = false;  // the preemptors ask for nothing

  bool Passes(const Session& session, TaskIndex victim) const;
  bool operator==(const QuotaVictimFilter&) const = default;
};

// What is known of one preemptor that is bound to a quota, and of plans for it.
class QuotaJudge : public VictimJudge {
 public:
  QuotaPlanRank RankOf(const QuotaPlan& plan) const;

 protected:
  QuotaJudge(Session& session, Statement& statement, TaskIndex preemptor, VictimKind kind,
             bool own_queue_only);
  ~QuotaJudge() = default;

  // So may all that fall with it.
  bool MayBeVictim(TaskIndex t) const {
    const VictimUnit* unit = UnitOf(t);
    return (unit == nullptr || !unit->standing.empty()) && MayTake(t);
  }
  bool MayTake(TaskIndex t) const override;
  bool On(TaskIndex t, NodeIndex node) const { return session_.state().node(t) == node; }
  bool HasRoomSoon() const override {
    return session_.chains().AdmitsSoon(queue_, preemptor_).ok() &&
           quota_.KeepsFair(preemptor_, held_);
  }
  // Whether the task has something that the preemptor asks for and lacks: in its quota, where that
  // is short, or beyond `room`, if there is one.
  // What others give that fall with it counts, wherever they are.
  bool Gives(TaskIndex t, bool quota_short, const ResourceVector* room) const;
  // Whether some plugin leaves every job its minimum.
  bool MinimumsAreSpared() const;
  bool WithinLimits(const QuotaPlan& plan) const {
    return !plan.victims.empty() && plan.victims.size() <= limits_.victims &&
           plan.touched_nodes <= limits_.touched_nodes;
  }
  std::size_t NodesOf(const std::vector<TaskIndex>& victims) const;
  // The best scored of the nodes, as many as may be tried.
  std::vector<NodeIndex> BestScored(std::vector<NodeIndex> nodes) const;

  const QuotaOwner& quota_;
  const QuotaOwner::Limits limits_;
  const QuotaVictimFilter filter_;
  const ResourceVector held_;  // by the quota, before anybody is evicted

 private:
  std::vector<TaskIndex> sharing_;  // tasks of the quotas by index, where some fall together
};

}  // namespace batholith
