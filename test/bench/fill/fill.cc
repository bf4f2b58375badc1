#include "test/bench/fill/fill.h"

#include <algorithm>
#include <utility>

#include "codec/pod.h"

namespace batholith::bench {

Batch Jobs(ClusterMaker& maker, const Sizes& sizes, std::string prefix, std::size_t pods) {
  Batch batch;
  batch.prefix = std::move(prefix);
  batch.pods = pods;
  batch.gang = sizes.gang;
  batch.min_member = sizes.min_member;
  batch.min_resources = true;
  batch.queues = sizes.queues;
  batch.request = [&maker](std::size_t) { return maker.DrawRequest(); };
  return batch;
}

void AddGround(ClusterMaker& maker, const Sizes& sizes, std::size_t running) {
  maker.AddQueues(sizes.queues);
  maker.AddNamespaces();
  maker.AddQuotas();
  maker.AddNodes();
  Batch run = Jobs(maker, sizes, "run", running);
  run.running = true;
  maker.AddBatch(run);
}

void Place(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, sizes.running);
  Batch batch = Jobs(maker, sizes, "job", sizes.pods);
  batch.oversized = sizes.oversized;
  maker.AddBatch(batch);
}

void ShapeTopology(Sizes& sizes) {
  if (sizes.gangs > 0) sizes.pods = sizes.gangs * sizes.gang;
}

void Topology(ClusterMaker& maker, const Sizes& sizes) {
  Place(maker, sizes);
  constexpr std::size_t kMembers = 16;
  std::vector<std::string> inside;
  for (const NodeRecord& node : maker.objects().nodes) inside.push_back(node.meta.name);
  for (std::size_t tier = 1; tier <= sizes.levels; ++tier) {
    std::vector<std::string> made;
    for (std::size_t first = 0; first < inside.size(); first += kMembers) {
      HyperNodeRecord hyper_node;
      hyper_node.meta.name = "tier-" + std::to_string(tier) + "-" + std::to_string(made.size());
      hyper_node.tier = static_cast<std::int32_t>(tier);
      for (std::size_t i = first; i < std::min(first + kMembers, inside.size()); ++i)
        hyper_node.members.push_back({tier == 1, inside[i], {}, {}});
      made.push_back(hyper_node.meta.name);
      maker.objects().hyper_nodes.push_back(std::move(hyper_node));
    }
    inside = std::move(made);
  }
  std::size_t job = 0;
  for (PodGroupRecord& group : maker.objects().pod_groups) {
    group.network_topology = NetworkTopology{};
    group.network_topology->highest_tier = static_cast<std::int32_t>(job++ % sizes.levels + 1);
  }
}

void Idle(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, sizes.running + sizes.pods);
}

// Every pod asks for a little more than a whole node, so that only looking at the nodes tells.
void Hopeless(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, sizes.running);
  Batch batch = Jobs(maker, sizes, "job", sizes.pods);
  batch.min_resources = false;
  batch.request = [&sizes](std::size_t job) {
    const auto more = static_cast<std::int64_t>(job % sizes.classes);
    return ResourceList{{"cpu", kNodeCpu + 10 * (more + 1)}, {"memory", kNodeMemory / 64}};
  };
  maker.AddBatch(batch);
}

// On each node one pod leaves a cpu to the others.
void OneFree(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, 0);
  Batch run = Jobs(maker, sizes, "run", sizes.nodes);
  run.gang = 1;
  run.running = true;
  run.request = [](std::size_t) {
    return ResourceList{{"cpu", kNodeCpu - kNodeCpu / 32}, {"memory", kNodeMemory / 2}};
  };
  maker.AddBatch(run);
  maker.AddBatch(Jobs(maker, sizes, "job", sizes.pods));
}

void Hierarchy(ClusterMaker& maker, const Sizes& sizes) {
  maker.AddQueueTree(sizes.queues);
  maker.AddNamespaces();
  maker.AddNodes();
  maker.AddBatch(Jobs(maker, sizes, "job", sizes.pods));
}

void ShapeColdStart(Sizes& sizes) { sizes.gang = 2; }

// 58 groups for 100 pods: of 25 pods 21 have a partner.
void ColdStart(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, 0);
  for (const bool running : {true, false}) {
    const std::size_t pods = running ? sizes.running : sizes.pods;
    const std::size_t alone = pods / 25 * 4;
    const std::string prefix = running ? "run" : "job";
    for (const bool single : {false, true}) {
      Batch batch = Jobs(maker, sizes, prefix + (single ? "-one" : "-two"), 0);
      batch.pods = single ? alone : pods - alone;
      batch.gang = single ? 1 : sizes.gang;
      batch.running = running;
      maker.AddBatch(batch);
    }
  }
}

void ShapeTrace(Sizes& sizes) {
  sizes.nodes = sizes.scale * sizes.trace->nodes.size();
  sizes.pods = sizes.scale * sizes.trace->pods.size();
  sizes.running = 0;
}

void Trace(ClusterMaker& maker, const Sizes& sizes) {
  constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;
  const OpenbTrace& trace = *sizes.trace;
  maker.AddQueues(sizes.queues);
  maker.AddNamespaces();
  for (std::size_t copy = 0; copy < sizes.scale; ++copy) {
    for (const OpenbNode& from : trace.nodes) {
      NodeRecord node;
      node.meta.name = "copy-" + std::to_string(copy) + "-" + from.name;
      node.meta.labels = {{kHost, node.meta.name}};
      if (!from.model.empty()) node.meta.labels[kOpenbModelLabel] = from.model;
      node.allocatable = {
          {"cpu", from.cpu_milli}, {"memory", from.memory_mib * kMebibyte}, {"pods", 110}};
      if (from.gpus > 0) node.allocatable[kGpu] = from.gpus;
      maker.AddNode(std::move(node));
    }
  }
  ConstraintTable table;
  Batch batch = Jobs(maker, sizes, "job", sizes.pods);
  batch.min_resources = false;
  batch.request = nullptr;
  batch.adorn = [&](std::size_t, std::size_t pod, PodRecord& record) {
    const OpenbPod& from = trace.pods[pod % trace.pods.size()];
    record.request = {{"cpu", from.cpu_milli}, {"memory", from.memory_mib * kMebibyte}};
    if (from.gpus > 0) record.request[kGpu] = from.gpus;
    if (from.models.empty()) return;
    PodConstraints constraints;
    constraints.has_required_node_affinity = true;
    constraints.required_node_terms = {
        {{{kOpenbModelLabel, Requirement::Op::kIn, from.models}}, {}}};
    record.constraints = table.Intern(std::move(constraints));
  };
  maker.AddBatch(batch);
}

}  // namespace batholith::bench
