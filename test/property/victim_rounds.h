#pragma once

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <string_view>

#include "actions/common/victim_search.h"
#include "test/property/property_env.h"

// Searches for victims on random clusters.
namespace batholith::property {

// Of the confs that evict one after another, and one of the test's own.
inline const Pipeline& PipelineOfVictimRound(std::uint64_t seed, const Pipeline& own) {
  if (seed % 3 == 0) return PipelineOf(ConfKind::kPreempt);
  return seed % 3 == 1 ? PipelineOf(ConfKind::kReclaim) : own;
}

// Calls `check(session, search, statement, preemptor, kind)` for each task that waits. One search
// serves all of them, so its memory is tested by statements that are kept and undone.
template <typename Check>
void ForEachPreemptor(std::uint64_t seed, const Snapshot& snapshot, const Pipeline& pipeline,
                      Check check) {
  constexpr std::array kKinds{VictimKind::kPreemptJobs, VictimKind::kPreemptWithin,
                              VictimKind::kReclaim};
  Session session(snapshot, pipeline, CycleOptions());
  VictimSearch search(session);
  std::mt19937_64 random(seed);
  Statement statement(session);
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    const TaskIndex preemptor(t);
    const JobIndex job = snapshot.task(preemptor).job;
    if (session.state().status(preemptor) != TaskStatus::kPending || job.is_none()) continue;
    if (snapshot.job(job).queue.is_none()) continue;
    const VictimKind kind = kKinds[random() % kKinds.size()];
    const Statement::Checkpoint start = statement.checkpoint();
    ASSERT_NO_FATAL_FAILURE(check(session, search, statement, preemptor, kind)) << "task " << t;
    if (random() % 3 == 0) statement.RollbackTo(start);
    if (random() % 8 == 0) statement.Commit();
  }
}

}  // namespace batholith::property
