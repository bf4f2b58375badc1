#include <algorithm>
#include <utility>

#include "test/bench/fill/fill.h"

namespace batholith::bench {
namespace {

Batch FullNodes(const Sizes& sizes, ResourceList request) {
  Batch run;
  run.prefix = "run";
  run.pods = sizes.running;
  run.gang = 10;
  run.min_member = 1;
  run.running = true;
  run.request = [request = std::move(request)](std::size_t) { return request; };
  return run;
}

// Jobs of the second queue, which has nothing yet.
Batch Claims(ClusterMaker& maker, const Sizes& sizes, ResourceList request) {
  Batch ask = Jobs(maker, sizes, "job", sizes.pods);
  ask.min_resources = false;
  ask.first_queue = 1;
  ask.queues = 1;
  ask.request = [request = std::move(request)](std::size_t) { return request; };
  return ask;
}

// Eight one-GPU pods on each node, of the first queue.
void AddGpuGround(ClusterMaker& maker, const Sizes& sizes) {
  maker.AddQueues(sizes.queues);
  maker.AddNamespaces();
  maker.AddNodes(kGpusOfNode);
  maker.AddBatch(
      FullNodes(sizes, {{"cpu", kNodeCpu / 16}, {"memory", kNodeMemory / 16}, {kGpu, 1}}));
}

}  // namespace

void ShapeReclaim(Sizes& sizes) {
  sizes.queues = 2;
  sizes.running = 32 * sizes.nodes;
  sizes.pods = 16 * sizes.nodes;
}

void Reclaim(ClusterMaker& maker, const Sizes& sizes) {
  const ResourceList one{{"cpu", kNodeCpu / 32}, {"memory", kNodeMemory / 64}};
  AddGround(maker, sizes, 0);
  maker.AddBatch(FullNodes(sizes, one));
  maker.AddBatch(Claims(maker, sizes, one));
}

void ShapeReclaimLarge(Sizes& sizes) {
  sizes.queues = 2;
  sizes.running = static_cast<std::size_t>(kGpusOfNode) * sizes.nodes;
  sizes.pods = std::max<std::size_t>(sizes.nodes / 10, 1);
  sizes.gang = sizes.pods;
}

void ReclaimLarge(ClusterMaker& maker, const Sizes& sizes) {
  AddGpuGround(maker, sizes);
  maker.AddBatch(Claims(maker, sizes,
                        {{"cpu", kNodeCpu / 2}, {"memory", kNodeMemory / 2}, {kGpu, kGpusOfNode}}));
}

void ShapeReclaimMany(Sizes& sizes) {
  sizes.queues = 2;
  sizes.running = static_cast<std::size_t>(kGpusOfNode) * sizes.nodes;
  sizes.pods = sizes.running;
  sizes.gang = 1;
}

void ReclaimMany(ClusterMaker& maker, const Sizes& sizes) {
  AddGpuGround(maker, sizes);
  maker.AddBatch(
      Claims(maker, sizes, {{"cpu", kNodeCpu / 16}, {"memory", kNodeMemory / 16}, {kGpu, 1}}));
}

void ShapePreempt(Sizes& sizes) {
  if (sizes.running == 0) sizes.running = 8 * sizes.nodes;
}

// Running pods share each node evenly, so that it is full; a preemptor needs the room of one of
// them.
void Preempt(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, 0);
  maker.AddPriorityClass("high", 1000);
  const auto on_node = static_cast<std::int64_t>((sizes.running + sizes.nodes - 1) / sizes.nodes);
  Batch run =
      FullNodes(sizes, {{"cpu", kNodeCpu / on_node}, {"memory", kNodeMemory / 2 / on_node}});
  run.queues = sizes.queues;
  maker.AddBatch(run);
  Batch ask = Jobs(maker, sizes, "job", sizes.pods);
  ask.min_resources = false;
  ask.priority_class = "high";
  ask.request = [&sizes, on_node](std::size_t job) {
    const auto less = static_cast<std::int64_t>(job % sizes.classes);
    return ResourceList{{"cpu", kNodeCpu / on_node - less}, {"memory", kNodeMemory / 2 / on_node}};
  };
  maker.AddBatch(ask);
}

}  // namespace batholith::bench
