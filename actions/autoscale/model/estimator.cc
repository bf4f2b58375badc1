#include "actions/autoscale/model/estimator.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "api/check.h"
#include "api/resource_schema.h"
#include "api/wide.h"

namespace batholith {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

bool Holds(const NodeBins::Run& run, std::size_t shape) {
  return std::ranges::binary_search(run.lone, shape);
}

std::int64_t ShareOf(const ResourceVector& request, const ResourceVector& capacity, std::size_t r) {
  if (capacity[r] <= 0) return 0;
  return static_cast<std::int64_t>(static_cast<Wide>(request[r]) * kMillion / capacity[r]);
}

}  // namespace

std::int64_t CountInRoom(const DemandShape& shape, const ResourceVector& room) {
  std::int64_t count = std::numeric_limits<std::int32_t>::max();
  for (std::size_t r = 0; r < ResourceVector::kMaxDimensions; ++r) {
    if (shape.request[r] <= 0) continue;
    if (room[r] < shape.request[r]) return 0;
    count = std::min(count, room[r] / shape.request[r]);
  }
  return shape.one_per_node ? std::min<std::int64_t>(count, 1) : count;
}

void NodeBins::Add(std::size_t group, std::int64_t nodes, const ResourceVector& usable) {
  if (nodes > 0) runs_.push_back({.group = group, .nodes = nodes, .room = usable, .lone = {}});
}

std::int64_t NodeBins::Place(std::span<const DemandShape> shapes, std::size_t shape,
                             std::int64_t count) {
  const DemandShape& what = shapes[shape];
  std::int64_t left = count;
  const auto put = [&](Run& run, std::int64_t each) {
    run.room.AddTimes(what.request, -each);
    if (what.one_per_node) run.lone.insert(std::ranges::lower_bound(run.lone, shape), shape);
  };
  for (std::size_t i = 0; i < runs_.size() && left > 0; ++i) {
    if (!what.fits_group[runs_[i].group] || Holds(runs_[i], shape)) continue;
    const std::int64_t each = CountInRoom(what, runs_[i].room);
    if (each == 0) continue;
    const std::int64_t full = std::min(left / each, runs_[i].nodes);
    const std::int64_t rest = full < runs_[i].nodes ? left - full * each : 0;
    left -= full * each + rest;
    // The run splits: full nodes, one with the rest, untouched ones. The touched ones come first.
    Run untouched = runs_[i];
    untouched.nodes -= full + (rest > 0 ? 1 : 0);
    std::vector<Run> parts;
    if (full > 0) {
      parts.push_back(runs_[i]);
      parts.back().nodes = full;
      put(parts.back(), each);
    }
    if (rest > 0) {
      parts.push_back(runs_[i]);
      parts.back().nodes = 1;
      put(parts.back(), rest);
    }
    if (untouched.nodes > 0) parts.push_back(std::move(untouched));
    runs_[i] = std::move(parts.front());
    runs_.insert(runs_.begin() + static_cast<std::ptrdiff_t>(i) + 1, parts.begin() + 1,
                 parts.end());
    i += parts.size() - 1;
  }
  return count - left;
}

void NodeBins::Append(const NodeBins& more) {
  runs_.insert(runs_.end(), more.runs_.begin(), more.runs_.end());
}

std::vector<std::size_t> PackingOrder(std::span<const DemandShape> shapes,
                                      std::span<const DemandPart> parts,
                                      const ResourceVector& capacity) {
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t part) {
    const ResourceVector& request = shapes[parts[part].shape].request;
    return -(ShareOf(request, capacity, ResourceSchema::kCpu) +
             ShareOf(request, capacity, ResourceSchema::kMemory));
  };
  std::ranges::stable_sort(order, {}, size);
  return order;
}

Packing PackNewNodes(std::span<const DemandShape> shapes, std::span<const DemandPart> parts,
                     const NodeGroup& group, std::size_t group_index, std::int64_t limit) {
  CHECK(group.node_template);
  const ResourceVector& usable = group.node_template->usable;
  Packing out;
  out.placed.resize(parts.size());
  for (const std::size_t p : PackingOrder(shapes, parts, group.node_template->allocatable)) {
    const DemandShape& shape = shapes[parts[p].shape];
    if (parts[p].count == 0 || !shape.fits_group[group_index]) continue;
    out.placed[p] = out.bins.Place(shapes, parts[p].shape, parts[p].count);
    const std::int64_t left = parts[p].count - out.placed[p];
    const std::int64_t each = CountInRoom(shape, usable);
    if (left == 0 || each == 0) continue;
    const std::int64_t nodes = std::min((left - 1) / each + 1, limit - out.nodes);
    if (nodes <= 0) continue;
    out.nodes += nodes;
    NodeBins opened;
    opened.Add(group_index, nodes, usable);
    out.placed[p] += opened.Place(shapes, parts[p].shape, left);
    out.bins.Append(opened);
  }
  return out;
}

}  // namespace batholith
