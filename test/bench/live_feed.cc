#include "test/bench/live_feed.h"

#include <algorithm>
#include <utility>

#include "test/bench/fill/fill.h"

namespace batholith::bench {
namespace {

std::string GroupOf(const PodRecord& pod) { return pod.meta.namespace_ + "/" + pod.group; }

}  // namespace

SnapshotOptions OptionsOfSnapshot() {
  SnapshotOptions options;
  options.default_queue = "queue-0";
  options.hold_device_claims = false;
  return options;
}

LiveFeed::LiveFeed(const Scenario& scenario, const Sizes& sizes, bool oldest_go)
    : sizes_(sizes), cluster_(OptionsOfSnapshot()), maker_(sizes), oldest_go_(oldest_go) {
  maker_.StreamTo([this](ObjectRecord record) {
    const PodRecord* pod = std::get_if<PodRecord>(&record);
    if (oldest_go_ && pod != nullptr && !pod->node_name.empty())
      running_.push_back({pod->meta.Key(), GroupOf(*pod)});
    cluster_.Apply(ObjectPut{std::move(record)});
  });
  scenario.fill(maker_, sizes);
}

std::vector<ClusterEvent> LiveFeed::NextEvents(std::size_t arrivals) {
  std::vector<ClusterEvent> events = std::exchange(confirmations_, {});
  if (oldest_go_) DropOldest(arrivals, events);
  ChangeNodes(events);
  maker_.StreamTo([&](ObjectRecord record) {
    if (const PodRecord* pod = std::get_if<PodRecord>(&record))
      waiting_.emplace(pod->meta.Key(), *pod);
    events.push_back(ObjectPut{std::move(record)});
  });
  maker_.AddBatch(Jobs(maker_, sizes_, "wave-" + std::to_string(wave_++), arrivals));
  return events;
}

void LiveFeed::Decided(const CycleResult& result) {
  for (const Bind& bind : result.binds) {
    auto waiting = waiting_.extract(bind.pod);
    if (waiting.empty()) continue;
    PodRecord& pod = waiting.mapped();
    pod.node_name = bind.node;
    pod.phase = PodPhase::kRunning;
    if (oldest_go_) running_.push_back({bind.pod, GroupOf(pod)});
    confirmations_.push_back(ObjectPut{std::move(pod)});
  }
  for (const Evict& evict : result.evictions)
    confirmations_.push_back(GoneOf<PodRecord>(evict.pod));
}

// The pods of a group stand one behind the other.
void LiveFeed::DropOldest(std::size_t pods, std::vector<ClusterEvent>& events) {
  for (; pods > 0 && !running_.empty(); --pods) {
    const Running oldest = std::move(running_.front());
    running_.pop_front();
    events.push_back(GoneOf<PodRecord>(oldest.pod));
    if (running_.empty() || running_.front().group != oldest.group)
      events.push_back(GoneOf<PodGroupRecord>(oldest.group));
  }
}

void LiveFeed::ChangeNodes(std::vector<ClusterEvent>& events) {
  const std::vector<NodeRecord>& nodes = cluster_.objects().nodes;
  for (std::size_t i = 0; i < std::min(sizes_.node_changes, nodes.size()); ++i) {
    NodeRecord node = nodes[next_node_++ % nodes.size()];
    node.allocatable["memory"] ^= std::int64_t{1} << 20;
    events.push_back(ObjectPut{std::move(node)});
  }
}

}  // namespace batholith::bench
