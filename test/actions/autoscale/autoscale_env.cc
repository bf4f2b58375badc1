#include "test/actions/autoscale/autoscale_env.h"

namespace batholith {

std::size_t TestCluster::AddGroup(const std::string& name, std::int64_t min, std::int64_t max,
                                  std::int64_t target, ResourceVector usable) {
  NodeGroup group;
  group.name = name;
  group.min = min;
  group.max = max;
  group.target = target;
  group.node_template = NodeTemplate{
      .capacity = usable, .allocatable = usable, .usable = usable, .labels = {}, .taints = {}};
  input.groups.push_back(std::move(group));
  for (DemandShape& shape : input.shapes) shape.fits_group.push_back(true);
  return input.groups.size() - 1;
}

std::size_t TestCluster::AddNode(const std::string& name, std::size_t group, TimeNs creation) {
  AutoscaleNode node;
  node.name = name;
  node.group = group;
  node.creation = creation;
  node.allocatable = group == AutoscaleNode::kNoGroup
                         ? Amounts(4000, 16384, 110)
                         : input.groups[group].node_template->allocatable;
  node.free = node.allocatable;
  input.nodes.push_back(std::move(node));
  return input.nodes.size() - 1;
}

std::size_t TestCluster::AddPod(std::size_t node, ResourceVector request) {
  std::size_t id = 0;
  for (const auto& [n, list] : pods) id += list.size();
  NodePod pod;
  pod.id = id;
  pod.request = request;
  pod.drain.owner_kind = "ReplicaSet";
  pod.drain.namespace_ = "default";
  pods[node].push_back(std::move(pod));
  AutoscaleNode& on = input.nodes[node];
  on.free -= request;
  on.requested += request;
  ++on.pods;
  return id;
}

std::size_t TestCluster::AddShape(ResourceVector request) {
  input.shapes.push_back(
      {.request = request, .fits_group = std::vector<bool>(input.groups.size(), true)});
  return input.shapes.size() - 1;
}

void TestCluster::AddDemand(std::size_t shape, std::int64_t count, DemandOrigin origin) {
  input.demand.push_back({.shape = shape, .count = count, .origin = origin});
}

void TestCluster::AddGang(const std::string& name, std::size_t shape, std::int64_t required,
                          std::int64_t count) {
  input.demand.push_back(
      {.shape = shape, .count = count, .gang = input.gangs.size(), .required = required});
  input.gangs.push_back(name);
}

void TestCluster::AddPlaceholders(std::size_t node, std::size_t shape, std::int64_t count) {
  input.nodes[node].placeholders.push_back({shape, count});
}

const AutoscaleInput& TestCluster::Ready() {
  input.shape_fits = [](std::size_t, std::size_t) { return true; };
  input.pod_fits = [](std::size_t, std::size_t) { return true; };
  input.pods_of = [this](std::size_t node) { return pods[node]; };
  return input;
}

}  // namespace batholith
