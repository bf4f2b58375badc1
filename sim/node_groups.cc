#include "sim/node_groups.h"

#include <algorithm>
#include <map>
#include <utility>

namespace batholith {
namespace {

NodeGroupRecord* Find(ClusterObjects& objects, const std::string& name) {
  const auto it = std::ranges::find_if(
      objects.node_groups, [&](const NodeGroupRecord& group) { return group.Name() == name; });
  return it == objects.node_groups.end() ? nullptr : &*it;
}

bool IsOf(const NodeRecord& node, const std::string& group) {
  const auto it = node.meta.labels.find(kNodeGroupLabel);
  return it != node.meta.labels.end() && it->second == group;
}

bool IsFinished(const PodRecord& pod) {
  return pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed;
}

}  // namespace

void SimNodeGroups::AddNodes(ClusterObjects& objects, const NodeGroupRecord& group,
                             std::int64_t count, TimeNs now) {
  if (!group.node_template || count <= 0) return;  // nobody knows what they would be
  std::set<std::string> names;
  for (const NodeRecord& node : objects.nodes) names.insert(node.meta.name);
  for (std::size_t number = 1; count > 0; ++number) {
    std::string name = group.Name() + "-" + std::to_string(number);
    if (names.contains(name)) continue;
    AddNode(objects, group, std::move(name), now);
    --count;
  }
}

void SimNodeGroups::AddNode(ClusterObjects& objects, const NodeGroupRecord& group, std::string name,
                            TimeNs now) {
  NodeRecord node = *group.node_template;
  node.meta.name = std::move(name);
  node.meta.uid = "node-" + node.meta.name + "-" + std::to_string(now);
  node.meta.creation = now;
  node.meta.labels["kubernetes.io/hostname"] = node.meta.name;
  node.meta.labels[kNodeGroupLabel] = group.Name();
  objects.nodes.push_back(std::move(node));
}

void SimNodeGroups::StandUp(ClusterObjects& objects, TimeNs now) {
  for (const NodeGroupRecord& group : objects.node_groups) {
    if (group.kind != "NodeGroup") continue;
    const auto there = std::ranges::count_if(
        objects.nodes, [&](const NodeRecord& node) { return IsOf(node, group.Name()); });
    AddNodes(objects, group, group.replicas - there, now);
  }
}

std::vector<std::string> SimNodeGroups::Apply(const std::vector<NodeGroupOrder>& orders,
                                              ClusterObjects& objects, TimeNs now) {
  std::vector<std::string> leaving;
  for (const NodeGroupOrder& order : orders) {
    NodeGroupRecord* group = Find(objects, order.target);
    if (group == nullptr) continue;
    const std::int64_t more = order.to + std::ssize(order.removals) - group->replicas;
    for (std::int64_t i = 0; i < more; ++i) coming_.push_back({order.target, now + group->delay});
    for (std::int64_t i = more; i < 0; ++i) {  // given up: the youngest requests
      const auto it =
          std::ranges::find(coming_.rbegin(), coming_.rend(), order.target, &Coming::group);
      if (it != coming_.rend()) coming_.erase(std::next(it).base());
    }
    group->replicas = order.to;
    going_.insert(order.removals.begin(), order.removals.end());
  }
  for (NodeRecord& node : objects.nodes) {
    if (going_.contains(node.meta.name)) {
      node.unschedulable = true;
      node.meta.deleting = true;
    }
  }
  for (const PodRecord& pod : objects.pods) {
    if (going_.contains(pod.node_name) && !pod.meta.deleting &&
        pod.meta.owner->kind != "DaemonSet" && !IsFinished(pod))
      leaving.push_back(pod.meta.Key());
  }
  return leaving;
}

void SimNodeGroups::Advance(ClusterObjects& objects, TimeNs now) {
  std::map<std::string, std::int64_t> due;
  for (const Coming& coming : coming_) due[coming.group] += coming.at <= now ? 1 : 0;
  for (const auto& [name, count] : due) {
    if (const NodeGroupRecord* group = Find(objects, name)) AddNodes(objects, *group, count, now);
  }
  std::erase_if(coming_, [&](const Coming& coming) { return coming.at <= now; });
  if (going_.empty()) return;
  std::set<std::string> occupied;
  for (const PodRecord& pod : objects.pods) {
    if (pod.meta.owner->kind != "DaemonSet" && !IsFinished(pod)) occupied.insert(pod.node_name);
  }
  std::set<std::string> gone;
  for (const std::string& node : going_) {
    if (!occupied.contains(node)) gone.insert(node);
  }
  std::erase_if(objects.nodes,
                [&](const NodeRecord& node) { return gone.contains(node.meta.name); });
  std::erase_if(objects.pods, [&](const PodRecord& pod) { return gone.contains(pod.node_name); });
  std::erase_if(going_, [&](const std::string& node) { return gone.contains(node); });
}

}  // namespace batholith
