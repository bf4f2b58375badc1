#include "test/bench/measure.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "cache/snapshot_builder.h"
#include "framework/cycle.h"
#include "sim/cluster.h"
#include "test/bench/churn.h"
#include "test/property/invariants.h"

namespace batholith::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Objects = std::shared_ptr<const ClusterObjects>;

// Below this many nodes × pods the exhaustive arg-max is compared too.
constexpr std::size_t kSmall = 2'000'000;
constexpr TimeNs kStart = TimeNs{1} << 60;
constexpr TimeNs kSecond = 1'000'000'000;
constexpr int kMostSessions = 1000;  // of a series

double Seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

SnapshotOptions OptionsOfSnapshot() {
  SnapshotOptions options;
  options.default_queue = "queue-0";
  options.now = kStart;
  return options;
}

class Bench {
 public:
  Bench(const Scenario& scenario, const Sizes& sizes, const Pipeline& pipeline,
        const MeasureOptions& options)
      : scenario_(scenario), sizes_(sizes), pipeline_(pipeline), options_(options) {
    ClusterMaker maker(sizes);
    scenario.fill(maker, sizes);
    if (scenario.course == Course::kChanges) {
      churn_.emplace(std::move(maker), sizes, /*oldest_go=*/scenario.name == "delta");
    } else {
      start_ = std::make_shared<const ClusterObjects>(std::move(maker.objects()));
    }
  }

  Result<Measurement> Run() {
    for (std::size_t i = 0; i < options_.warmup + options_.repeat; ++i) {
      measured_ = i >= options_.warmup;
      out_.sessions = out_.placed = out_.evicted = 0;
      const Result<Phases> phases = RunOnce();
      if (!phases) return std::unexpected(phases.error());
      if (measured_) out_.runs.push_back(*phases);
    }
    return std::move(out_);
  }

 private:
  Result<Phases> RunOnce() {
    switch (scenario_.course) {
      case Course::kSame:
        return RunSame();
      case Course::kChanges:
        return RunChanges();
      case Course::kUntilIdle:
        return RunSeries();
    }
    return Phases();
  }

  Result<Phases> RunSame() {
    Result<Phases> phases = Session(start_);
    if (!phases) return phases;
    // What the warm-up left is what the measured ones start from: they do not start alike.
    const bool same = !before_ || *before_ == result_;
    if (options_.check && !same) Record({"two runs differ"});
    if (measured_ || !result_.slack.ran) before_ = std::move(result_);
    return phases;
  }

  Result<Phases> RunChanges() {
    Result<Phases> phases = Session(churn_->NextWave());
    if (phases) churn_->Apply(result_);
    return phases;
  }

  Result<Phases> RunSeries() {
    SimCluster cluster(*start_, VictimFate::kGone, kStart);
    Phases sum;
    for (int i = 0; i < kMostSessions; ++i) {
      const TimeNs now = kStart + i * kSecond;
      cluster.Advance(now);
      const Result<Phases> phases = Session(cluster.Objects());
      if (!phases) return phases;
      sum.snapshot += phases->snapshot;
      sum.open += phases->open;
      sum.actions += phases->actions;
      sum.close += phases->close;
      cluster.Apply(result_, now);
      if (!result_.had_effect && !cluster.IsRestless()) return sum;
    }
    Record({"not idle after " + std::to_string(kMostSessions) + " sessions"});
    return sum;
  }

  // One session on the clock, then its checks.
  Result<Phases> Session(const Objects& objects) {
    const Clock::time_point start = Clock::now();
    const auto snapshot = BuildSnapshot(objects, OptionsOfSnapshot());
    const Clock::time_point built = Clock::now();
    Clock::time_point opened;
    Clock::time_point acted;
    CycleOptions cycle;
    cycle.threads = options_.threads;
    cycle.on_phase = [&](CyclePhase phase) {
      (phase == CyclePhase::kActions ? opened : acted) = Clock::now();
    };
    // What the warm-up left, for each measured session the same.
    if (warm_) {
      cycle.slack_before = &warm_->slack;
      cycle.autoscale_before = &warm_->autoscale;
    }
    result_ = RunCycle(*snapshot, pipeline_, cycle);
    const Clock::time_point closed = Clock::now();
    if (!measured_) warm_ = result_;
    ++out_.sessions;
    out_.placed += result_.binds.size();
    out_.evicted += result_.evictions.size();
    Check(*objects, *snapshot);
    return Phases{Seconds(start, built), Seconds(built, opened), Seconds(opened, acted),
                  Seconds(acted, closed)};
  }

  // Never placeholder by placeholder over the nodes.
  std::vector<std::string> CheckSlack(const ClusterObjects& objects) const {
    const SlackReport& slack = result_.slack;
    std::size_t bound = slack.sources.size() * objects.nodes.size();
    for (const PlaceholderSource& source : slack.sources) bound += source.nodes.size();
    if (static_cast<std::size_t>(slack.evaluations) <= bound) return {};
    return {"slack asked " + std::to_string(slack.evaluations) + " times, more than " +
            std::to_string(bound)};
  }

  void Check(const ClusterObjects& objects, const Snapshot& snapshot) {
    if (!options_.check || !measured_ || !out_.problems.empty()) return;
    Record(property::CheckResult(objects, result_));
    Record(CheckSlack(objects));
    // Once for a measurement on one cluster: it costs nodes × pods.
    const bool known = scenario_.course == Course::kSame && compared_;
    if (known || objects.nodes.size() * objects.pods.size() > kSmall) return;
    const bool reserved =
        !result_.pipelined.empty() || std::ranges::any_of(objects.pods, [](const PodRecord& pod) {
          return !pod.nominated_node.empty();
        });
    if (reserved || !out_.problems.empty()) return;
    compared_ = true;
    Record(property::CheckArgMax(snapshot, pipeline_, result_));
  }

  void Record(std::vector<std::string> problems) {
    if (out_.problems.empty()) out_.problems = std::move(problems);
  }

  const Scenario& scenario_;
  const Sizes& sizes_;
  const Pipeline& pipeline_;
  const MeasureOptions& options_;
  Objects start_;
  std::optional<Churn> churn_;
  Measurement out_;
  CycleResult result_;
  std::optional<CycleResult> before_;  // of Course::kSame
  std::optional<CycleResult> warm_;    // of the last session before the measured ones
  bool measured_ = false;
  bool compared_ = false;
};

}  // namespace

Result<Measurement> Measure(const Scenario& scenario, const Sizes& sizes, const Pipeline& pipeline,
                            const MeasureOptions& options) {
  return Bench(scenario, sizes, pipeline, options).Run();
}

}  // namespace batholith::bench
