#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/effect.h"
#include "api/eviction_round.h"

namespace batholith {

// What one cycle took and decided. Times in seconds.
struct SessionFigures {
  double snapshot_s = 0, open_s = 0, close_s = 0, total_s = 0;
  std::vector<std::pair<std::string, double>> actions_s = {};  // in the order in which they ran
  std::size_t unanswered = 0;      // orders that no event has answered yet
  double oldest_unanswered_s = 0;  // age of the oldest of them
  // With a report (CycleOptions::report); nullptr: no session ran, and what the last one said
  // stays.
  const CycleResult* report = nullptr;
  bool built_anew = false;  // the snapshot
};

// What the scheduler tells Prometheus (metrics/table.h). Told at the bounds of phases, never inside
// of loops over nodes or tasks. Any thread, at any time; Text does not hold up those who tell.
class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // Jobs, queues, namespaces, quotas, capacity buffers and node groups that the report does not
  // name any more lose their series, those of slack and of node groups all where their action did
  // not run. Cost: O(jobs + queues + namespaces + quotas + decisions), each by its resources, and
  // O(placeholders + node groups).
  void ObserveSession(const SessionFigures& figures);
  // From sending a bind to the API server's answer.
  void ObserveBindLatency(double seconds);
  // How many orders were refused since the start.
  void CountRefusals(std::uint64_t total);
  // A size of a node group that was not written. `reason`: forbidden, conflict, timeout, refused or
  // gone; another word counts as refused.
  void CountScaleUpFailure(const std::string& group, std::string_view reason);
  // `lag_s`: how long nothing was heard of the kind. The state before this one loses its series.
  void SetWatch(std::string_view kind, std::string_view state, double lag_s);
  // How many objects of the kind are not read in full.
  void SetUnreadable(std::string_view kind, std::size_t objects);
  void CountConfReload(bool ok);
  // Plugins and actions, as kind and name, that the conf in force names and this build lacks.
  void SetLeftOut(std::span<const std::pair<std::string, std::string>> parts);
  void SetBuild(const std::string& version, const std::string& commit,
                const std::string& build_type, const std::string& compiler);
  void CountSessionFailure();
  void CountStillSession();
  void SetLeader(bool leads);
  // The evictions that go round now; of very many those with the most rounds. Others lose their
  // series.
  void SetEvictionRounds(std::span<const EvictionRound> rounds);

  // The answer to /metrics, in the content type below. Cost: O(series).
  std::string Text() const;
  static constexpr std::string_view kContentType = "text/plain; version=0.0.4; charset=utf-8";

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace batholith
