#include "test/bench/soak.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <thread>
#include <utility>

#include "test/bench/live_feed.h"
#include "test/bench/process_use.h"
#include "test/bench/timed_session.h"

namespace batholith::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Counts in steps of 1 %, so that it takes up the same room however long it lasts.
class Latencies {
 public:
  void Add(double seconds, std::size_t times) {
    const double step = std::log(std::max(seconds, kLeast) / kLeast) / std::log(kRatio);
    counts_[std::min(static_cast<std::size_t>(step), counts_.size() - 1)] += times;
    total_ += times;
  }
  double Quantile(double q) const {
    const auto rank = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(total_)));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen >= std::max<std::uint64_t>(rank, 1))
        return kLeast * std::pow(kRatio, static_cast<double>(i + 1));
    }
    return 0;
  }

 private:
  static constexpr double kLeast = 1e-6;
  static constexpr double kRatio = 1.01;
  std::array<std::uint64_t, 2000> counts_{};
  std::uint64_t total_ = 0;
};

struct Tenth {
  Latencies latencies;
  std::int64_t resident = 0;

  boost::json::object Report() const {
    return {{"p50", latencies.Quantile(0.5)},
            {"p99", latencies.Quantile(0.99)},
            {"resident_bytes", resident}};
  }
};

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double Ratio(double now, double before) { return before > 0 ? now / before : 0; }

}  // namespace

void MeasureSoak(const Scenario& scenario, const Sizes& sizes, const Pipeline& pipeline,
                 const MeasureOptions& options, Measurement& out) {
  // Checks cost more than a session: one comes at the end.
  MeasureOptions unchecked = options;
  unchecked.check = false;
  TimedSession session(pipeline, unchecked, /*is_same=*/false, /*remembers=*/true);
  LiveFeed feed(scenario, sizes, /*oldest_go=*/true);
  std::array<Tenth, 2> tenths;
  std::size_t came = 0;
  std::size_t placed = 0;
  session.BeginMeasured();
  session.BeginRun();
  Phases sum;
  const Clock::time_point start = Clock::now();
  for (double at = 0; at < options.duration_s; at = SecondsSince(start)) {
    const auto due = static_cast<std::size_t>(at * options.rate);
    if (due == came) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      continue;
    }
    const std::size_t arrivals = due - came;
    const TimeNs now = kStart + static_cast<TimeNs>(at * 1e9);
    sum.Add(session.Run(feed.cluster(), feed.NextEvents(arrivals), now));
    const double decided = SecondsSince(start);
    placed += session.result().binds.size();
    feed.Decided(session.result());
    sum.Add(session.Assume(feed.cluster(), now));
    const auto tenth = static_cast<int>(10 * at / options.duration_s);
    if (tenth == 1 || tenth == 9) {
      Tenth& into = tenths[tenth == 1 ? 0 : 1];
      for (std::size_t i = 0; i < arrivals; ++i)
        into.latencies.Add(decided - static_cast<double>(came + i + 1) / options.rate, 1);
      into.resident = ResidentBytes();
    }
    came = due;
  }
  out.runs = {sum};
  const auto& [first, last] = tenths;
  out.more["arrivals"] = came;
  out.more["second_tenth"] = first.Report();
  out.more["last_tenth"] = last.Report();
  out.more["drift"] = {
      {"p50", Ratio(last.latencies.Quantile(0.5), first.latencies.Quantile(0.5))},
      {"p99", Ratio(last.latencies.Quantile(0.99), first.latencies.Quantile(0.99))},
      {"resident", Ratio(static_cast<double>(last.resident), static_cast<double>(first.resident))}};
  session.Finish(out);
  if (!options.check) return;
  TimedSession last_one(pipeline, options, /*is_same=*/false, /*remembers=*/true);
  last_one.BeginMeasured();
  last_one.BeginRun();
  last_one.Run(feed.cluster(), feed.NextEvents(0),
               kStart + static_cast<TimeNs>(options.duration_s * 1e9));
  Measurement checked;
  last_one.Finish(checked);
  out.problems = std::move(checked.problems);
  if (placed != came && out.problems.empty()) {
    out.problems = {std::to_string(came) + " pods came, " + std::to_string(placed) +
                    " were placed"};
  }
}

}  // namespace batholith::bench
