#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "actions/autoscale/model/demand.h"
#include "actions/autoscale/model/node_group.h"
#include "api/resource_vector.h"

namespace batholith {

// How many of a shape have room in `room`. A shape that asks for nothing: INT32_MAX.
std::int64_t CountInRoom(const DemandShape& shape, const ResourceVector& room);

// Nodes that do not exist yet, in runs of equal ones, and what is put on them. Arithmetic for whole
// runs: the cost of placing any number of one shape is O(runs).
class NodeBins {
 public:
  // Nodes of one group with the same room left and the same lone shapes on them.
  struct Run {
    std::size_t group = 0;
    std::int64_t nodes = 0;
    ResourceVector room;
    std::vector<std::size_t> lone;  // shapes of one_per_node that are on them, ascending
  };

  void Add(std::size_t group, std::int64_t nodes, const ResourceVector& usable);
  // Puts up to `count` of a shape on the first nodes that have room; the number that found some.
  std::int64_t Place(std::span<const DemandShape> shapes, std::size_t shape, std::int64_t count);
  void Append(const NodeBins& more);

  const std::vector<Run>& runs() const { return runs_; }

 private:
  std::vector<Run> runs_;
};

// Some of one shape that look for a place together.
struct DemandPart {
  std::size_t shape = 0;
  std::int64_t count = 0;
};

// Places of the parts in the order in which they are packed: those that take most of `capacity`
// (cpu and memory shares added) first, ties by place.
std::vector<std::size_t> PackingOrder(std::span<const DemandShape> shapes,
                                      std::span<const DemandPart> parts,
                                      const ResourceVector& capacity);

struct Packing {
  std::int64_t nodes = 0;            // new ones
  std::vector<std::int64_t> placed;  // by part
  NodeBins bins;                     // the new nodes with what is left of them
};

// Packs the parts onto at most `limit` new nodes of the group: first fit, largest first.
// REQUIRES: the group has a template. Cost: O(parts × runs).
Packing PackNewNodes(std::span<const DemandShape> shapes, std::span<const DemandPart> parts,
                     const NodeGroup& group, std::size_t group_index, std::int64_t limit);

}  // namespace batholith
