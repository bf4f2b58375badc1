#include "test/bench/measure.h"

#include <memory>
#include <string>
#include <utility>

#include "sim/cluster.h"
#include "test/bench/ingest.h"
#include "test/bench/live_feed.h"
#include "test/bench/memory.h"
#include "test/bench/soak.h"
#include "test/bench/timed_session.h"

namespace batholith::bench {
namespace {

constexpr int kMostSessions = 1000;  // of a series

// What every run of a measurement is made of.
struct Plan {
  const Scenario& scenario;
  const Sizes& sizes;
  const Pipeline& pipeline;
  const MeasureOptions& options;
};

// warmup + repeat runs of `once`, which gives the phases of one.
template <typename Once>
void RunAll(const Plan& plan, TimedSession& session, Measurement& out, Once once) {
  for (std::size_t i = 0; i < plan.options.warmup + plan.options.repeat; ++i) {
    const bool measured = i >= plan.options.warmup;
    if (measured) session.BeginMeasured();
    session.BeginRun();
    const Phases phases = once(i);
    if (measured) out.runs.push_back(phases);
  }
}

std::shared_ptr<const ClusterObjects> MakeObjects(const Plan& plan) {
  ClusterMaker maker(plan.sizes);
  plan.scenario.fill(maker, plan.sizes);
  return std::make_shared<const ClusterObjects>(std::move(maker.objects()));
}

void MeasureSame(const Plan& plan, Measurement& out) {
  TimedSession session(plan.pipeline, plan.options, /*is_same=*/true, /*remembers=*/false);
  const auto objects = MakeObjects(plan);
  RunAll(plan, session, out, [&](std::size_t) {
    const Phases phases = session.Run(objects, kStart);
    if (plan.options.check && !session.SameAsBefore()) session.Record({"two runs differ"});
    return phases;
  });
  session.Finish(out);
}

void MeasureUntilIdle(const Plan& plan, Measurement& out) {
  TimedSession session(plan.pipeline, plan.options, /*is_same=*/false, /*remembers=*/false);
  const auto start = MakeObjects(plan);
  RunAll(plan, session, out, [&](std::size_t) {
    SimCluster cluster(*start, VictimFate::kGone, kStart);
    Phases sum;
    for (int i = 0; i < kMostSessions; ++i) {
      const TimeNs now = kStart + i * kSecond;
      cluster.Advance(now);
      sum.Add(session.Run(cluster.Objects(), now));
      cluster.Apply(session.result(), now);
      if (!session.result().had_effect && !cluster.IsRestless()) return sum;
    }
    session.Record({"not idle after " + std::to_string(kMostSessions) + " sessions"});
    return sum;
  });
  session.Finish(out);
}

void MeasureLive(const Plan& plan, Measurement& out) {
  TimedSession session(plan.pipeline, plan.options, /*is_same=*/false, /*remembers=*/true);
  LiveFeed feed(plan.scenario, plan.sizes, /*oldest_go=*/!plan.scenario.to_decision);
  RunAll(plan, session, out, [&](std::size_t i) {
    const TimeNs now = kStart + static_cast<TimeNs>(i) * kSecond;
    Phases phases = session.Run(feed.cluster(), feed.NextEvents(plan.sizes.changes), now);
    feed.Decided(session.result());
    phases.Add(session.Assume(feed.cluster(), now));
    return phases;
  });
  session.Finish(out);
}

void MeasureColdStart(const Plan& plan, Measurement& out) {
  TimedSession session(plan.pipeline, plan.options, /*is_same=*/true, /*remembers=*/false);
  RunAll(plan, session, out, [&](std::size_t) {
    std::vector<ClusterEvent> events;
    ClusterMaker maker(plan.sizes);
    maker.StreamTo([&](ObjectRecord record) { events.push_back(ObjectPut{std::move(record)}); });
    plan.scenario.fill(maker, plan.sizes);
    LiveCluster cluster(OptionsOfSnapshot());
    Phases phases = session.Run(cluster, std::move(events), kStart);
    if (plan.options.check && !session.SameAsBefore()) session.Record({"two runs differ"});
    phases.Add(session.Assume(cluster, kStart));
    return phases;
  });
  session.Finish(out);
}

}  // namespace

void Phases::Add(const Phases& more) {
  apply += more.apply;
  snapshot += more.snapshot;
  open += more.open;
  actions += more.actions;
  close += more.close;
  assume += more.assume;
  cpu += more.cpu;
}

Measurement Measure(const Scenario& scenario, const Sizes& sizes, const Pipeline& pipeline,
                    const MeasureOptions& options) {
  const Plan plan{scenario, sizes, pipeline, options};
  Measurement out;
  switch (scenario.course) {
    case Course::kSame:
      MeasureSame(plan, out);
      break;
    case Course::kUntilIdle:
      MeasureUntilIdle(plan, out);
      break;
    case Course::kLive:
      MeasureLive(plan, out);
      break;
    case Course::kColdStart:
      MeasureColdStart(plan, out);
      break;
    case Course::kIngest:
      MeasureIngest(sizes, options, out);
      break;
    case Course::kMemory:
      MeasureMemory(scenario, sizes, pipeline, options, out);
      break;
    case Course::kSoak:
      MeasureSoak(scenario, sizes, pipeline, options, out);
      break;
  }
  return out;
}

}  // namespace batholith::bench
