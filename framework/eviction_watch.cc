#include "framework/eviction_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace batholith {
namespace {

// No namespace/name looks like it.
std::string NoJob(const std::string& action) { return " " + action; }

bool IsJob(const std::string& side) { return !side.starts_with(' '); }

}  // namespace

void EvictionWatch::Observe(const CycleResult& result) {
  ++session_;
  std::set<std::pair<std::string_view, std::string_view>> told;  // one round a session
  for (const Evict& evict : result.evictions) {
    if (evict.job.empty() || evict.job == evict.for_job) continue;
    if (told.emplace(evict.job, evict.for_job).second)
      Record(evict.job, evict.for_job.empty() ? NoJob(evict.action) : evict.for_job, evict.action);
  }
  std::erase_if(pairs_, [&](const auto& pair) { return session_ - pair.second.last > kSessions; });
  if (pairs_.empty()) return;
  std::set<std::string_view> bound;
  for (const Bind& bind : result.binds) bound.insert(bind.job);
  for (auto& [key, pair] : pairs_) {
    if (bound.contains(key.first)) pair.sides[0].has_nodes = true;
    if (bound.contains(key.second)) pair.sides[1].has_nodes = true;
  }
}

void EvictionWatch::Record(const std::string& loser, const std::string& gainer,
                           const std::string& action) {
  const bool second = gainer < loser;
  Pair& pair = PairOf(second ? Key(gainer, loser) : Key(loser, gainer));
  Side& side = pair.sides[second ? 1 : 0];
  if (side.has_nodes) {
    ++side.rounds;
    pair.last = session_;
  }
  side.has_nodes = false;
  pair.action = action;
}

EvictionWatch::Pair& EvictionWatch::PairOf(const Key& key) {
  const auto it = pairs_.find(key);
  if (it != pairs_.end() && session_ - it->second.last <= kSessions) return it->second;
  if (it != pairs_.end()) return it->second = Pair();
  if (pairs_.size() >= kMostPairs) {
    pairs_.erase(
        std::ranges::min_element(pairs_, {}, [](const auto& pair) { return pair.second.last; }));
  }
  return pairs_[key];
}

std::vector<EvictionRound> EvictionWatch::GoingRound() const {
  std::vector<EvictionRound> out;
  for (const auto& [key, pair] : pairs_) {
    if (pair.sides[0].rounds + pair.sides[1].rounds <= kRounds) continue;
    // Where both lose, the first by name, so that it does not change with whose turn it is.
    const std::size_t loser = pair.sides[0].rounds > 0 ? 0 : 1;
    const std::string& gainer = loser == 0 ? key.second : key.first;
    out.push_back({loser == 0 ? key.first : key.second, IsJob(gainer) ? gainer : std::string(),
                   pair.action, pair.sides[loser].rounds, pair.sides[1 - loser].rounds});
  }
  return out;
}

std::string EvictionRoundText(const EvictionRound& round) {
  std::string text = fmt::format("pods of {} were evicted {} times by {}", round.group,
                                 round.rounds, round.action);
  if (!round.for_job.empty()) text += " for " + round.for_job;
  if (round.back > 0)
    text += fmt::format(", and those of {} {} times for it", round.for_job, round.back);
  return text + ", and got nodes again each time between";
}

}  // namespace batholith
