#include "test/property/random_events.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "test/property/units.h"

namespace batholith::property {
namespace {

template <std::size_t... kinds>
void FeedKinds(const ClusterObjects& objects, LiveCluster& cluster, std::index_sequence<kinds...>) {
  const auto feed = [&]<typename Record>(const std::vector<Record>& all) {
    for (const Record& record : all) cluster.Apply(ObjectPut{record});
  };
  (feed(AllOf<std::variant_alternative_t<kinds, ObjectRecord>>(objects)), ...);
}

}  // namespace

void RandomEvents::Feed(const ClusterObjects& objects, LiveCluster& cluster) {
  FeedKinds(objects, cluster, std::make_index_sequence<std::variant_size_v<ObjectRecord>>());
  std::set<std::string> known;
  for (const NamespaceRecord& record : objects.namespaces) known.insert(record.meta.name);
  for (const PodGroupRecord& group : objects.pod_groups) {
    if (!known.insert(group.meta.namespace_).second) continue;
    NamespaceRecord record;
    record.meta.name = record.meta.uid = group.meta.namespace_;
    cluster.Apply(ObjectPut{record});
  }
}

void RandomEvents::Next(bool odd, LiveCluster& cluster) {
  const int which = draws_.Int(1, 100);
  if (which <= 60) {
    NextPod(odd, cluster);
  } else if (which <= 94) {
    NextGroup(odd, cluster);
  } else {
    ChangeOther(odd, cluster);
  }
}

// Now and then of the same moment as others, or of a moment long ago.
void RandomEvents::Rename(ObjectMeta& meta) {
  ++made_;
  meta.uid = fmt::format("{}-{}", draws_.Int(0, 9), made_);
  if (draws_.Chance(80)) meta.name = fmt::format("made-{}", made_);
  if (draws_.Chance(60)) meta.creation += draws_.Int(-3, 3) * kSecond;
}

template <typename Record>
std::optional<Record> RandomEvents::Choose(int returns, std::vector<Record>& gone, int which,
                                           LiveCluster& cluster) {
  const std::vector<Record>& all = AllOf<Record>(cluster.objects());
  if (all.empty() || (which <= returns && !gone.empty())) {
    if (!gone.empty()) cluster.Apply(ObjectPut{draws_.Of(gone)});
    return std::nullopt;
  }
  Record record = draws_.Of(all);
  if (which > 30) return record;
  gone.push_back(record);
  cluster.Apply(GoneOf<Record>(KeyOf(record), draws_.Chance(50) ? record.meta.uid : ""));
  return std::nullopt;
}

void RandomEvents::NextPod(bool odd, LiveCluster& cluster) {
  const int which = draws_.Int(1, 100);
  std::optional<PodRecord> pod = Choose(10, gone_pods_, which, cluster);
  if (!pod) return;
  if (which <= 55) Rename(pod->meta);
  for (int i = draws_.Int(0, 3); i > 0; --i) ChangePod(odd, *pod, cluster.objects());
  cluster.Apply(ObjectPut{*pod});
}

void RandomEvents::ChangePod(bool odd, PodRecord& pod, const ClusterObjects& objects) {
  const PodRecord& other = draws_.Of(objects.pods);
  if (odd && draws_.Chance(25)) {
    ChangePodOddly(pod);
    return;
  }
  switch (draws_.Int(1, 18)) {
    case 1:
      pod.phase = draws_.Of(std::vector{PodPhase::kPending, PodPhase::kRunning});
      break;
    case 2:
      pod.phase = draws_.Of(std::vector{PodPhase::kSucceeded, PodPhase::kFailed});
      break;
    case 3:
    case 4:
      pod.node_name = objects.nodes.empty() || draws_.Chance(20)
                          ? draws_.Word({"", "elsewhere"})
                          : draws_.Of(objects.nodes).meta.name;
      break;
    case 5:
      pod.meta.deleting = draws_.Chance(50);
      break;
    case 6:
      pod.meta.labels.Edit()["round"] = draws_.Word({"a", "b"});
      break;
    case 7:
      pod.group = draws_.Chance(20) ? draws_.Word({"", "nobody"}) : other.group;
      break;
    case 8:
      pod.task_role = draws_.Word({"", "worker", "master"});
      break;
    case 9:
      pod.priority = draws_.Int(0, 3);
      break;
    case 10:
      pod.request = other.request;
      break;
    case 11:
      pod.request.Edit()["cpu"] = draws_.Int(0, 4) * 500;
      break;
    case 12:
      pod.nominated_node = other.node_name;
      break;
    case 13:
      pod.scheduling_gates.assign(draws_.Chance(50) ? 1 : 0, "gate");
      break;
    case 14:
      pod.constraints = other.constraints;
      break;
    case 15:
      pod.unnamed_cpu = draws_.Int(0, 1) * 100;
      break;
    case 16:
      pod.scheduler_name = draws_.Word({"volcano", "volcano", "default-scheduler"});
      break;
    case 17:
      pod.volumes = other.volumes;
      break;
    default:
      pod.meta.flaw = draws_.Word({"", "spec.priority: is no number"});
      break;
  }
}

void RandomEvents::ChangePodOddly(PodRecord& pod) {
  switch (draws_.Int(1, 4)) {
    case 1:
      pod.request.Edit()["nobody.example/has"] = draws_.Int(0, 1);
      break;
    case 2:
      pod.request_unread = draws_.Chance(50);
      break;
    case 3:
      if (draws_.Chance(50)) {
        pod.needs.Edit()[PlacementNeed::kDeviceClaims] = "spec.resourceClaims names gpu";
      } else {
        pod.needs = {};
      }
      break;
    default:
      pod.group = draws_.Word({"gang@koordinator", "other@kubernetes"});
      break;
  }
}

void RandomEvents::NextGroup(bool odd, LiveCluster& cluster) {
  const int which = draws_.Int(1, 100);
  std::optional<PodGroupRecord> group = Choose(15, gone_groups_, which, cluster);
  if (!group) return;
  if (which <= 45) Rename(group->meta);
  for (int i = draws_.Int(0, 3); i > 0; --i) ChangeGroup(odd, *group, cluster.objects());
  cluster.Apply(ObjectPut{*group});
}

void RandomEvents::ChangeGroup(bool odd, PodGroupRecord& group, const ClusterObjects& objects) {
  switch (draws_.Int(1, odd ? 14 : 10)) {
    case 1:
      group.min_member = draws_.Int(0, 4);
      break;
    case 2:
      group.min_task_member = {{draws_.Word({"worker", "master"}), draws_.Int(0, 2)}};
      break;
    case 3:
      group.queue = objects.queues.empty() || draws_.Chance(20)
                        ? "nobody"
                        : draws_.Of(objects.queues).meta.name;
      break;
    case 4:
      group.priority_class = draws_.Of(objects.pod_groups).priority_class;
      break;
    case 5:
      group.min_resources = ResourceList{{"cpu", draws_.Int(0, 8) * 1000}};
      break;
    case 6:
      group.min_resources = ResourceList{{draws_.Word({"count/pods", "count/jobs"}), 1000}};
      break;
    case 7:
      group.phase = draws_.Of(std::vector{JobPhase::kInqueue, JobPhase::kRunning});
      break;
    case 8:
      group.phase = JobPhase::kPending;
      break;
    case 9:
      group.sub_group_policies.clear();
      if (draws_.Chance(50)) {
        SubGroupPolicy policy;
        policy.name = "rounds";
        policy.sub_group_size = 2;
        policy.match_label_keys = {"round"};
        group.sub_group_policies = {policy};
      }
      break;
    case 10:
      group.made_for_pod = draws_.Chance(30);
      break;
    case 11:
      group.meta.flaw = draws_.Word({"", "spec.minMember: is no number"});
      break;
    case 12:
      group.min_resources = ResourceList{{"nobody.example/has", 1000}};
      break;
    case 13:
      group.needs.Edit()[PlacementNeed::kNuma] = "an annotation asks for one node of memory";
      break;
    default:
      group.meta.namespace_ = draws_.Word({"left-alone", "default"});
      break;
  }
}

void RandomEvents::ChangeOther(bool odd, LiveCluster& cluster) {
  const ClusterObjects& objects = cluster.objects();
  if (!objects.nodes.empty() && (!odd || draws_.Chance(60))) {
    NodeRecord node = draws_.Of(objects.nodes);
    const int what = draws_.Int(1, 4);
    if (what == 1) node.unschedulable = !node.unschedulable;
    if (what == 2) node.allocatable["cpu"] = draws_.Int(odd ? 0 : 1, 16) * 1000;
    if (what == 3) node.taints = draws_.Of(objects.nodes).taints;
    if (what == 4) node.meta.labels.Edit()["zone"] = draws_.Word({"a", "b"});
    cluster.Apply(ObjectPut{node});
  } else if (!objects.queues.empty()) {
    QueueRecord queue = draws_.Of(objects.queues);
    if (draws_.Chance(30)) {
      cluster.Apply(GoneOf<QueueRecord>(queue.meta.Key()));
      return;
    }
    queue.deserved["cpu"] = draws_.Int(0, 8) * 1000;
    queue.meta.flaw = draws_.Chance(20) ? "spec.weight: is no number" : "";
    cluster.Apply(ObjectPut{queue});
  }
}

}  // namespace batholith::property
