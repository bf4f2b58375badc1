#include "cache/live_cluster.h"

#include <algorithm>
#include <utility>

#include "api/decided.h"

namespace batholith {
namespace {

constexpr TimeNs kSecond = 1'000'000'000;

}  // namespace

LiveCluster::LiveCluster(SnapshotOptions options) : options_(std::move(options)) {}

template <typename Record>
Record* LiveCluster::Find(const std::string& key) {
  const Places& places = places_[KindOf<Record>()];
  const auto it = places.find(key);
  return it == places.end() ? nullptr : &AllOf<Record>(*objects_)[it->second];
}

template <typename Record>
Record& LiveCluster::Store(Record record) {
  std::vector<Record>& all = AllOf<Record>(*objects_);
  const auto [it, added] = places_[KindOf<Record>()].try_emplace(KeyOf(record), all.size());
  if (added) return all.emplace_back(std::move(record));
  return all[it->second] = std::move(record);
}

// The last one takes the place that becomes free: the order of objects means nothing.
template <typename Record>
void LiveCluster::Drop(const ObjectGone& gone) {
  Places& places = places_[gone.kind];
  const auto it = places.find(gone.key);
  if (it == places.end()) return;
  std::vector<Record>& all = AllOf<Record>(*objects_);
  const std::size_t place = it->second;
  if (!gone.uid.empty() && all[place].meta.uid != gone.uid) return;  // its successor is there
  places.erase(it);
  if (place + 1 != all.size()) {
    all[place] = std::move(all.back());
    places[KeyOf(all[place])] = place;
  }
  all.pop_back();
  if constexpr (std::is_same_v<Record, PodRecord>) {
    const auto assumed = assumed_.find(gone.key);
    if (assumed != assumed_.end()) assumed_.erase(assumed);
  }
}

void LiveCluster::Put(PodRecord record) { LayOver(Store(std::move(record))); }

// A group that is made for a pod again and again keeps what sessions said of it, and gives way to
// an object of its name.
void LiveCluster::Put(PodGroupRecord record) {
  if (record.made_for_pod) {
    const PodGroupRecord* before = Find<PodGroupRecord>(KeyOf(record));
    if (before != nullptr && !before->made_for_pod) return;
    if (before != nullptr) {
      record.phase = before->phase;
      record.conditions = before->conditions;
    }
  }
  Store(std::move(record));
}

void LiveCluster::LayOver(PodRecord& pod) {
  const auto it = assumed_.find(pod.meta.Key());
  if (it == assumed_.end()) return;
  const Assumed& assumed = it->second;
  const bool told = assumed.evicted ? pod.meta.deleting : !pod.node_name.empty();
  if (assumed.uid != pod.meta.uid || told) {
    assumed_.erase(it);
    return;
  }
  if (assumed.evicted) {
    pod.meta.deleting = true;
    pod.deletion = assumed.since + std::max<std::int64_t>(pod.grace_period_s, 0) * kSecond;
  } else {
    pod.node_name = assumed.node;
    pod.scheduled_at = assumed.since;
    pod.nominated_node.clear();
  }
}

void LiveCluster::Answer(const EffectOutcome& outcome) {
  const auto it = assumed_.find(outcome.pod);
  if (it == assumed_.end() || it->second.uid != outcome.uid) return;
  if (outcome.done) {
    it->second.done = true;
    return;
  }
  PodRecord* pod = Find<PodRecord>(outcome.pod);
  if (pod != nullptr && it->second.evicted) {
    pod->meta.deleting = false;
    pod->deletion = 0;
  } else if (pod != nullptr) {
    pod->node_name.clear();
    pod->scheduled_at = 0;
  }
  assumed_.erase(it);
}

void LiveCluster::Apply(ClusterEvent event) {
  if (auto* put = std::get_if<ObjectPut>(&event)) {
    std::visit([this](auto& record) { Put(std::move(record)); }, put->record);
  } else if (const auto* gone = std::get_if<ObjectGone>(&event)) {
    const auto drop = [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((gone->kind == I ? Drop<std::variant_alternative_t<I, ObjectRecord>>(*gone) : void()), ...);
    };
    drop(std::make_index_sequence<std::variant_size_v<ObjectRecord>>());
  } else {
    Answer(std::get<EffectOutcome>(event));
  }
}

// Until the object of the cluster comes, jobs need not wait for it.
void LiveCluster::EnsureQueue(const std::string& name) {
  if (Find<QueueRecord>(name) != nullptr) return;
  QueueRecord queue;
  queue.meta.name = queue.meta.uid = name;
  Store(std::move(queue));
}

Result<std::shared_ptr<const Snapshot>> LiveCluster::Take(TimeNs now) {
  EnsureQueue(options_.default_queue);
  options_.now = now;
  return BuildSnapshot(objects_, options_);
}

SessionOrders LiveCluster::Assume(CycleResult result, TimeNs now) {
  SessionOrders orders;
  const auto assume = [&](const std::string& key, Assumed assumed) -> const PodRecord* {
    PodRecord* pod = Find<PodRecord>(key);
    if (pod == nullptr) return nullptr;
    assumed.uid = pod->meta.uid;
    assumed.since = now;
    assumed_[key] = assumed;
    LayOver(*pod);
    return pod;
  };
  for (const Bind& bind : result.binds) {
    const PodRecord* pod = assume(bind.pod, {.uid = {}, .node = bind.node});
    if (pod != nullptr) orders.binds.push_back({bind, pod->meta.uid});
  }
  for (const Evict& evict : result.evictions) {
    const PodRecord* pod = assume(evict.pod, {.uid = {}, .node = {}, .evicted = true});
    if (pod != nullptr) orders.evictions.push_back({evict, pod->meta.uid, pod->grace_period_s});
  }
  ApplyStatuses(result, *objects_, [this](const std::string& key) { return Find<PodRecord>(key); });
  for (const PodRecord& pod : objects_->pods) {
    if (!pod.nominated_node.empty() && pod.node_name.empty())
      orders.nominations.emplace(pod.meta.Key(), pod.nominated_node);
  }
  orders.report = std::make_shared<const CycleResult>(std::move(result));
  return orders;
}

LiveCluster::Unanswered LiveCluster::unanswered() const {
  Unanswered out;
  for (const auto& [pod, assumed] : assumed_) {
    if (assumed.done) continue;
    ++out.count;
    out.since = out.since == 0 ? assumed.since : std::min(out.since, assumed.since);
  }
  return out;
}

}  // namespace batholith
