#pragma once

#include <cstdint>
#include <span>

// kube-scheduler's resource formulas: whole numbers 0 to 100, rounded down as it does.
namespace batholith {

// What a node would have in use of one resource with the task on it, and what it has without.
struct Usage {
  std::int64_t requested = 0;
  std::int64_t allocatable = 0;
  std::int64_t before = 0;
};

// Mean over the resources that the node has.
std::int64_t LeastAllocatedScore(std::span<const Usage> usages);
std::int64_t MostAllocatedScore(std::span<const Usage> usages);
// Whether the task makes the shares of the resources more equal: 75 when it changes nothing, 50
// when it spoils a perfect balance, 100 when it makes one. Source: kube-scheduler's change
// kubernetes/kubernetes#135573: 75 + (balance after − balance before) / 2.
std::int64_t BalancedScore(std::span<const Usage> usages);

// `sum_bytes`: size of the pod's images that the node has, each scaled by the share of nodes that
// have it.
std::int64_t ImageScore(std::int64_t sum_bytes, std::int64_t containers);

}  // namespace batholith
