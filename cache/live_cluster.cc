#include "cache/live_cluster.h"

#include <algorithm>
#include <utility>

#include "cache/node_reader.h"

namespace batholith {
namespace {

constexpr TimeNs kSecond = 1'000'000'000;

// Whether a snapshot is the same with one record or the other. Their statuses change with each pod.
template <typename Record>
bool SameFacts(const Record&, const Record&) {
  return false;
}
bool SameFacts(const ElasticQuotaRecord& a, const ElasticQuotaRecord& b) {
  return a.min == b.min && a.max == b.max && a.shared_weight == b.shared_weight &&
         a.total_resource == b.total_resource;
}
bool SameFacts(const ResourceQuotaRecord& a, const ResourceQuotaRecord& b) {
  return a.hard == b.hard;
}

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
  Record* stored = added ? nullptr : &all[it->second];
  if (!added && *stored == record) return *stored;
  ++version_;
  if (added) {
    keeper_.OnAdded<Record>();
    stored = &all.emplace_back(std::move(record));
  } else {
    TellKeeper(it->second, *stored, record);
    *stored = std::move(record);
  }
  if constexpr (std::is_same_v<Record, PodRecord>) NoteNomination(*stored);
  return *stored;
}

template <typename Record>
void LiveCluster::TellKeeper(std::size_t place, const Record& before, const Record& now) {
  const bool same_object =
      before.meta.uid == now.meta.uid && before.meta.creation == now.meta.creation;
  if constexpr (std::is_same_v<Record, NodeRecord>) {
    if (same_object && OfferTheSame(before, now)) {
      keeper_.OnNodeChanged(place);
      return;
    }
  }
  if (!SameFacts(before, now)) keeper_.OnChanged<Record>(place, same_object);
}

template <typename Record>
void LiveCluster::Touch(const Record& record) {
  ++version_;
  const auto place = static_cast<std::size_t>(&record - AllOf<Record>(*objects_).data());
  if constexpr (std::is_same_v<Record, NodeRecord>) {
    keeper_.OnNodeChanged(place);
  } else {
    keeper_.OnChanged<Record>(place);
  }
  if constexpr (std::is_same_v<Record, PodRecord>) NoteNomination(record);
}

void LiveCluster::NoteNomination(const PodRecord& pod) {
  if (!pod.nominated_node.empty()) {
    nominated_.insert(pod.meta.Key());
  } else if (!nominated_.empty()) {
    nominated_.erase(pod.meta.Key());
  }
}

// The last one takes the place that becomes free: the order of objects means nothing.
template <typename Record>
void LiveCluster::Drop(const ObjectGone& gone) {
  Places& places = places_[gone.kind];
  if constexpr (std::is_same_v<Record, PodGroupRecord>) {
    const auto hidden = hidden_.find(gone.key);
    if (hidden != hidden_.end() && hidden->second.meta.uid == gone.uid) {
      hidden_.erase(hidden);
      return;
    }
  }
  const auto it = places.find(gone.key);
  if (it == places.end()) return;
  std::vector<Record>& all = AllOf<Record>(*objects_);
  const std::size_t place = it->second;
  if (!gone.uid.empty() && all[place].meta.uid != gone.uid) return;  // its successor is there
  ++version_;
  if constexpr (std::is_same_v<Record, PersistentVolumeRecord> ||
                std::is_same_v<Record, PersistentVolumeClaimRecord>)
    assumed_volumes_.TakeOff(all[place]);  // not for a successor of its name
  std::string left;
  if constexpr (std::is_same_v<Record, PodRecord>) {
    if (all[place].group.ends_with(SuffixOf(GroupApi::kKoordinator)))
      left = all[place].meta.namespace_ + "/" + all[place].group;
  }
  if constexpr (std::is_same_v<Record, PodRecord>) nominated_.erase(gone.key);
  keeper_.OnRemoved<Record>(place);
  places.erase(it);
  if (place + 1 != all.size()) {
    all[place] = std::move(all.back());
    places[KeyOf(all[place])] = place;
  }
  all.pop_back();
  if constexpr (std::is_same_v<Record, PodRecord>) {
    const auto assumed = assumed_.find(gone.key);
    if (assumed != assumed_.end()) assumed_.erase(assumed);
    if (!left.empty()) DropMadeGroup(left);
  }
  if constexpr (std::is_same_v<Record, PodGroupRecord>) {
    auto made = hidden_.extract(gone.key);
    if (!made.empty()) Store(std::move(made.mapped()));  // its pod still waits for it
  }
}

// A pod that names another group than before leaves the one behind that was made for it, if any.
// What cannot be read of its requests and its node is as it was before: both hardly ever change.
void LiveCluster::Put(PodRecord record) {
  const PodRecord* before = Find<PodRecord>(KeyOf(record));
  if (record.request_unread && before != nullptr && before->meta.uid == record.meta.uid) {
    for (const auto& [name, amount] : before->request) {
      std::int64_t& now = record.request[name];
      now = std::max(now, amount);
    }
    record.request_unread = before->request_unread;
  }
  const bool may_stand = !record.meta.flaw.empty() && record.node_name.empty() && before != nullptr;
  if (may_stand && before->meta.uid == record.meta.uid && !assumed_.contains(KeyOf(record)))
    record.node_name = before->node_name;
  const bool leaves = before != nullptr && before->group != record.group;
  const std::string left = leaves ? before->meta.namespace_ + "/" + before->group : "";
  LayOver(Store(std::move(record)));
  if (leaves) DropMadeGroup(left);
}

// Made for pods, so gone with the last of them.
void LiveCluster::DropMadeGroup(const std::string& key) {
  // Only gangs that annotations name are made for several pods.
  if (key.ends_with(SuffixOf(GroupApi::kKoordinator)) &&
      std::ranges::any_of(objects_->pods, [&](const PodRecord& pod) {
        return pod.meta.namespace_ + "/" + pod.group == key;
      }))
    return;
  Drop<PodGroupRecord>(GoneOf<PodGroupRecord>(key, key));
}

// A group that is made for a pod again and again keeps what sessions said of it, and gives way to
// an object of its name for as long as there is one.
void LiveCluster::Put(PodGroupRecord record) {
  const std::string key = KeyOf(record);
  PodGroupRecord* before = Find<PodGroupRecord>(key);
  if (before != nullptr && record.made_for_pod && !before->made_for_pod) {
    hidden_.insert_or_assign(key, std::move(record));
    return;
  }
  if (before != nullptr && before->made_for_pod) {
    if (record.made_for_pod) {
      record.phase = before->phase;
      record.conditions = before->conditions;
    } else {
      hidden_.insert_or_assign(key, std::move(*before));
    }
  }
  Store(std::move(record));
}

void LiveCluster::Put(NodeRecord record) {
  const auto going = going_.find(record.meta.name);
  if (going != going_.end()) going->second = std::exchange(record.unschedulable, true);
  Store(std::move(record));
}

void LiveCluster::Put(PersistentVolumeRecord record) {
  assumed_volumes_.LayOver(record);
  Store(std::move(record));
}

void LiveCluster::Put(PersistentVolumeClaimRecord record) {
  assumed_volumes_.LayOver(record);
  Store(std::move(record));
}

void LiveCluster::AssumeVolumes(const Bind& bind, const std::string& uid) {
  for (const VolumeChoice& choice : bind.volumes) {
    auto* claim = Find<PersistentVolumeClaimRecord>(choice.claim);
    if (claim == nullptr) continue;
    if (choice.volume.empty()) {
      assumed_volumes_.Assume(uid, bind.node, *claim);
    } else if (auto* volume = Find<PersistentVolumeRecord>(choice.volume); volume != nullptr) {
      assumed_volumes_.Assume(uid, *claim, *volume);
    }
  }
}

void LiveCluster::AnswerVolumes(const EffectOutcome& outcome) {
  const AssumedVolumes::Held held = assumed_volumes_.Release(outcome.uid);
  if (outcome.done) return;
  for (const std::string& key : held.volumes) {
    if (auto* volume = Find<PersistentVolumeRecord>(key)) assumed_volumes_.TakeOff(*volume);
  }
  for (const std::string& key : held.claims) {
    if (auto* claim = Find<PersistentVolumeClaimRecord>(key)) assumed_volumes_.TakeOff(*claim);
  }
  if (!held.volumes.empty() || !held.claims.empty()) ++version_;
}

void LiveCluster::AssumeGoing(const AutoscaleReport& report) {
  std::map<std::string, bool, std::less<>> going;
  for (const auto& [name, removal] : report.memory.removals) {
    NodeRecord* node = Find<NodeRecord>(name);
    if (node == nullptr) continue;
    const auto before = going_.find(name);
    going[name] = before == going_.end() ? node->unschedulable : before->second;
    if (!std::exchange(node->unschedulable, true)) Touch(*node);
  }
  for (const auto& [name, cordoned] : going_) {
    NodeRecord* node = going.contains(name) ? nullptr : Find<NodeRecord>(name);
    if (node == nullptr) continue;
    if (std::exchange(node->unschedulable, cordoned) != cordoned) Touch(*node);
  }
  if (!going.empty() || !going_.empty()) ++version_;
  going_ = std::move(going);
}

void LiveCluster::LayOver(PodRecord& pod) {
  const auto it = assumed_.find(pod.meta.Key());
  if (it == assumed_.end()) return;
  Assumed& assumed = it->second;
  if (!pod.node_name.empty()) assumed.bind.reset();
  if (pod.meta.deleting) assumed.evict.reset();
  if (assumed.uid != pod.meta.uid || (!assumed.bind && !assumed.evict)) {
    assumed_.erase(it);
  } else {
    LayOver(assumed, pod);
  }
}

void LiveCluster::LayOver(const Assumed& assumed, PodRecord& pod) {
  if (assumed.bind) {
    pod.node_name = assumed.node;
    pod.scheduled_at = assumed.bind->since;
    pod.nominated_node.clear();
  }
  if (assumed.evict) {
    pod.meta.deleting = true;
    pod.deletion = assumed.evict->since + std::max<std::int64_t>(pod.grace_period_s, 0) * kSecond;
  }
  Touch(pod);
}

void LiveCluster::Answer(const EffectOutcome& outcome) {
  const bool is_bind = outcome.effect == EffectOutcome::Effect::kBind;
  if (is_bind) AnswerVolumes(outcome);
  const auto it = assumed_.find(outcome.pod);
  if (it == assumed_.end() || it->second.uid != outcome.uid) return;
  std::optional<Sent>& sent = is_bind ? it->second.bind : it->second.evict;
  if (!sent) return;  // an event was quicker
  if (outcome.done) {
    sent->done = true;
    return;
  }
  sent.reset();
  PodRecord* pod = Find<PodRecord>(outcome.pod);
  if (pod != nullptr && is_bind) {
    pod->node_name.clear();
    pod->scheduled_at = 0;
  } else if (pod != nullptr) {
    pod->meta.deleting = false;
    pod->deletion = 0;
  }
  if (pod != nullptr) Touch(*pod);
  if (!it->second.bind && !it->second.evict) assumed_.erase(it);
}

void LiveCluster::Apply(ClusterEvent event) {
  if (auto* put = std::get_if<ObjectPut>(&event)) {
    std::visit([this](auto& record) { Put(std::move(record)); }, put->record);
  } else if (const auto* gone = std::get_if<ObjectGone>(&event)) {
    const auto drop = [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((gone->kind == I ? Drop<std::variant_alternative_t<I, ObjectRecord>>(*gone) : void()), ...);
    };
    drop(std::make_index_sequence<std::variant_size_v<ObjectRecord>>());
  } else if (const auto* outcome = std::get_if<EffectOutcome>(&event)) {
    Answer(*outcome);
  }  // what could not be scaled is for the next session's memory
}

// Until the object of the cluster comes, jobs need not wait for it.
void LiveCluster::EnsureQueue(const std::string& name) {
  if (Find<QueueRecord>(name) != nullptr) return;
  QueueRecord queue;
  queue.meta.name = queue.meta.uid = name;
  Store(std::move(queue));
}

std::shared_ptr<const Snapshot> LiveCluster::Take(TimeNs now,
                                                  const std::vector<std::string>& node_resources,
                                                  PlacementNeedSet ignored) {
  EnsureQueue(options_.default_queue);
  options_.now = now;
  options_.node_resources = node_resources;
  options_.ignored = ignored;
  return keeper_.Take(objects_, options_, places_[KindOf<PodGroupRecord>()]);
}

ObjectFinder LiveCluster::Finder() {
  return {[this](const std::string& key) { return Find<PodRecord>(key); },
          [this](const std::string& identity) { return Find<PodGroupRecord>(identity); },
          [this] {
            std::vector<PodRecord*> pods;
            for (const std::string& key : nominated_) pods.push_back(Find<PodRecord>(key));
            return pods;
          }};
}

SessionOrders LiveCluster::Assume(CycleResult result, TimeNs now) {
  SessionOrders orders;
  for (const Bind& bind : result.binds) {
    PodRecord* pod = Find<PodRecord>(bind.pod);
    if (pod == nullptr) continue;
    Assumed& assumed = assumed_[bind.pod];
    assumed.uid = pod->meta.uid;
    assumed.node = bind.node;
    assumed.bind = Sent{now};
    LayOver(assumed, *pod);
    AssumeVolumes(bind, pod->meta.uid);
    orders.binds.push_back({bind, pod->meta.uid});
  }
  for (const Evict& evict : result.evictions) {
    PodRecord* pod = Find<PodRecord>(evict.pod);
    if (pod == nullptr) continue;
    Assumed& assumed = assumed_[evict.pod];
    assumed.uid = pod->meta.uid;
    assumed.evict = Sent{now};
    LayOver(assumed, *pod);
    orders.evictions.push_back({evict, pod->meta.uid});
  }
  for (const PodLabel& label : result.labels) {
    if (const PodRecord* pod = Find<PodRecord>(label.pod); pod != nullptr)
      orders.labels.push_back({label, pod->meta.uid});
  }
  const StatusChanges told = ApplyStatuses(result, *objects_, Finder());
  for (const PodRecord* pod : told.pods) Touch(*pod);
  for (const PodGroupRecord* group : told.groups) Touch(*group);
  if (told.others) {
    ++version_;
    keeper_.Drop();
  }
  for (const std::string& key : nominated_) {
    const PodRecord* pod = Find<PodRecord>(key);
    if (pod->node_name.empty()) orders.nominations.emplace(key, pod->nominated_node);
  }
  AssumeGoing(result.autoscale);
  orders.report = std::make_shared<const CycleResult>(std::move(result));
  return orders;
}

LiveCluster::Unanswered LiveCluster::unanswered() const {
  Unanswered out;
  for (const auto& [pod, assumed] : assumed_) {
    for (const std::optional<Sent>& sent : {assumed.bind, assumed.evict}) {
      if (!sent || sent->done) continue;
      ++out.count;
      out.since = out.since == 0 ? sent->since : std::min(out.since, sent->since);
    }
  }
  return out;
}

}  // namespace batholith
