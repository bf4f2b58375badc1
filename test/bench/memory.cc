#include "test/bench/memory.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "test/bench/live_feed.h"
#include "test/bench/process_use.h"
#include "test/bench/timed_session.h"

namespace batholith::bench {
namespace {

std::int64_t Each(std::int64_t bytes, std::size_t count) {
  return bytes / static_cast<std::int64_t>(std::max<std::size_t>(count, 1));
}

}  // namespace

void MeasureMemory(const Scenario& scenario, const Sizes& sizes, const Pipeline& pipeline,
                   const MeasureOptions& options, Measurement& out) {
  MeasureOptions counted = options;
  counted.allocations = true;
  LiveCluster cluster(OptionsOfSnapshot());
  const std::int64_t empty = HeapBytes();
  std::int64_t with_nodes = empty;
  ClusterMaker maker(sizes);
  maker.StreamTo([&](ObjectRecord record) {
    const bool is_node = std::holds_alternative<NodeRecord>(record);
    cluster.Apply(ObjectPut{std::move(record)});
    if (is_node) with_nodes = HeapBytes();
  });
  scenario.fill(maker, sizes);
  const std::int64_t filled = HeapBytes();
  auto snapshot = cluster.Take(kStart);
  const std::int64_t taken = HeapBytes();
  snapshot.reset();

  TimedSession session(pipeline, counted, /*is_same=*/false, /*remembers=*/true);
  session.BeginMeasured();
  std::uint64_t allocations[2] = {0, 0};
  // The first session of a process allocates what later ones reuse.
  for (int i = 0; i < 3; ++i) {
    const TimeNs now = kStart + i * kSecond;
    session.BeginRun();
    const std::uint64_t before = Allocations();
    Phases phases = session.Run(cluster, {}, now);
    phases.Add(session.Assume(cluster, now));
    allocations[i == 0 ? 0 : 1] = Allocations() - before;
    out.runs.push_back(phases);
  }
  const std::size_t pods = sizes.pods + sizes.running;
  out.more["bytes"] = {{"node", Each(with_nodes - empty, sizes.nodes)},
                       {"pod", Each(filled - with_nodes, pods)},
                       {"snapshot_for_each_pod", Each(taken - filled, pods)},
                       {"resident", ResidentBytes()}};
  out.more["allocations_placing"] = allocations[0];
  out.more["allocations_steady"] = allocations[1];
  session.Finish(out);
}

}  // namespace batholith::bench
