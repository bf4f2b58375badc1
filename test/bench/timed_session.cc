#include "test/bench/timed_session.h"

#include <chrono>
#include <utility>

#include "cache/snapshot_builder.h"
#include "framework/cycle.h"
#include "test/bench/digest.h"
#include "test/bench/live_feed.h"
#include "test/bench/process_use.h"

namespace batholith::bench {
namespace {

using Clock = std::chrono::steady_clock;

double Seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

void TimedSession::BeginRun() {
  out_.sessions = out_.placed = out_.evicted = out_.events = out_.still = 0;
  if (options_.allocations) out_.allocations = 0;
}

Phases TimedSession::Run(std::shared_ptr<const ClusterObjects> objects, TimeNs now) {
  SnapshotOptions options = OptionsOfSnapshot();
  options.now = now;
  return Timed(*objects, [] { return true; }, [&] { return BuildSnapshot(objects, options); });
}

Phases TimedSession::Run(LiveCluster& cluster, std::vector<ClusterEvent> events, TimeNs now) {
  out_.events += events.size();
  const auto apply = [&] {
    for (ClusterEvent& event : events) cluster.Apply(std::move(event));
    return !decision_.StandsAt(cluster.version());
  };
  return Timed(cluster.objects(), apply, [&] {
    auto snapshot = cluster.Take(now);
    seen_ = cluster.version();
    return snapshot;
  });
}

Phases TimedSession::Assume(LiveCluster& cluster, TimeNs now) {
  Phases phases;
  if (still_) return phases;
  const double cpu = CpuSeconds();
  CountAllocations(options_.allocations);
  const std::uint64_t allocated = Allocations();
  const Clock::time_point start = Clock::now();
  const SessionOrders orders = cluster.Assume(std::move(result_), now);
  decision_.Keep(pipeline_, seen_, cluster.version());
  phases.assume = Seconds(start, Clock::now());
  phases.cpu = CpuSeconds() - cpu;
  if (out_.allocations) *out_.allocations += Allocations() - allocated;
  CountAllocations(false);
  decided_ = orders.report;
  return phases;
}

Phases TimedSession::Timed(const ClusterObjects& objects, const std::function<bool()>& apply,
                           const Snapshots& take) {
  Clock::time_point opened;
  Clock::time_point acted;
  CycleOptions cycle;
  cycle.threads = options_.threads;
  cycle.nodes = false;  // as in a live cluster
  cycle.on_phase = [&](CyclePhase phase) {
    (phase == CyclePhase::kActions ? opened : acted) = Clock::now();
  };
  if (has_memory_) {
    cycle.slack_before = &slack_;
    cycle.autoscale_before = &autoscale_;
  }
  result_ = CycleResult();
  CountAllocations(options_.allocations);
  const std::uint64_t allocated = Allocations();
  const double cpu = CpuSeconds();
  const Clock::time_point start = Clock::now();
  still_ = !apply();
  const Clock::time_point applied = Clock::now();
  const auto snapshot = still_ ? nullptr : take();
  const Clock::time_point built = opened = acted = still_ ? applied : Clock::now();
  if (!still_) result_ = RunCycle(*snapshot, pipeline_, cycle);
  const Clock::time_point closed = still_ ? applied : Clock::now();
  Phases phases;
  phases.cpu = CpuSeconds() - cpu;
  CountAllocations(false);
  if (out_.allocations) *out_.allocations += Allocations() - allocated;
  phases.apply = Seconds(start, applied);
  phases.snapshot = Seconds(applied, built);
  phases.open = Seconds(built, opened);
  phases.actions = Seconds(opened, acted);
  phases.close = Seconds(acted, closed);
  Count();
  if (still_) result_ = *decided_;
  if (measured_) {
    constexpr std::uint64_t kPrime = 0x100000001b3;
    out_.decisions = (out_.decisions ^ DigestOf(result_).decisions) * kPrime;
    if (options_.check && !still_) judge_.Check(objects, *snapshot, result_);
  }
  return phases;
}

void TimedSession::Count() {
  if (!judge_.has_checked()) out_.peak_rss_bytes = PeakRssBytes();
  ++out_.sessions;
  if (still_) {
    ++out_.still;
    return;
  }
  out_.placed += result_.binds.size();
  out_.evicted += result_.evictions.size();
  if (remembers_ || !measured_) {
    slack_ = result_.slack;
    autoscale_ = result_.autoscale;
    has_memory_ = true;
  }
}

bool TimedSession::SameAsBefore() {
  const std::uint64_t now = DigestOf(result_).all;
  return !measured_ || std::exchange(before_, now).value_or(now) == now;
}

void TimedSession::Finish(Measurement& out) {
  out_.runs = std::move(out.runs);
  out_.more = std::move(out.more);
  out_.problems = judge_.problems();
  out = std::move(out_);
}

}  // namespace batholith::bench
