#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/effect.h"
#include "api/eviction_round.h"

namespace batholith {

// Finds evictions that go round, over the sessions of one run: pods of a group are evicted for a
// job, get nodes again, and are evicted for it again; or each of two groups is evicted for the
// other in turn. A round counts only when the group has got a node since the one before, so that a
// large group that gives way step by step is none. A value: equal sessions give equal answers.
// Memory: kMostPairs pairs; whose last round is longest ago gives way.
class EvictionWatch {
 public:
  // More rounds than this: a job that grew, or came back once or twice, is no circle.
  static constexpr int kRounds = 3;
  // Sessions from one round to the next, at most. A victim takes its grace period of some 30
  // seconds to leave, and a busy scheduler has ten sessions a second; the rest is for longer ones.
  static constexpr std::int64_t kSessions = 1'000;
  static constexpr std::size_t kMostPairs = 1'000;

  // What the next session decided. Cost: O(evictions + pairs), and O(binds) where there are pairs.
  void Observe(const CycleResult& result);

  // The pairs that go round now, by names. Cost: O(pairs).
  std::vector<EvictionRound> GoingRound() const;

 private:
  // Two groups in order of their names; or a group, and an action that evicts it for no job.
  using Key = std::pair<std::string, std::string>;
  struct Side {
    int rounds = 0;
    bool has_nodes = true;  // since its last round
  };
  struct Pair {
    Side sides[2];
    std::string action;
    std::int64_t last = 0;  // session
  };

  void Record(const std::string& loser, const std::string& gainer, const std::string& action);
  Pair& PairOf(const Key& key);

  std::map<Key, Pair> pairs_;
  std::int64_t session_ = 0;
};

// A line for a person: who loses pods to whom, how often, and what may end it.
std::string EvictionRoundText(const EvictionRound& round);

}  // namespace batholith
