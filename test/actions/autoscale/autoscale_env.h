#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "actions/autoscale/model/decide.h"
#include "api/resource_schema.h"

// Small clusters for the tests of autoscale: cpu in millicores, memory in MiB where numbers are
// plain.
namespace batholith {

inline ResourceVector Amounts(std::int64_t cpu, std::int64_t memory_mib, std::int64_t pods = 0) {
  ResourceVector v;
  v[ResourceSchema::kCpu] = cpu;
  v[ResourceSchema::kMemory] = memory_mib << 20;
  v[ResourceSchema::kPods] = pods;
  return v;
}

// A cluster whose pods are told by node; copies are cheap enough to change one for a test.
struct TestCluster {
  AutoscaleInput input;
  std::map<std::size_t, std::vector<NodePod>> pods;  // by node

  // Groups must be there before shapes; both may be changed afterwards.
  std::size_t AddGroup(const std::string& name, std::int64_t min, std::int64_t max,
                       std::int64_t target, ResourceVector usable = Amounts(4000, 16384, 110));
  std::size_t AddNode(const std::string& name, std::size_t group, TimeNs creation = 0);
  // A pod of a ReplicaSet; takes its room.
  std::size_t AddPod(std::size_t node, ResourceVector request);
  std::size_t AddShape(ResourceVector request);
  void AddDemand(std::size_t shape, std::int64_t count, DemandOrigin origin = DemandOrigin::kPods);
  void AddGang(const std::string& name, std::size_t shape, std::int64_t required,
               std::int64_t count);
  void AddPlaceholders(std::size_t node, std::size_t shape, std::int64_t count);
  // With callbacks that allow everything and read `pods`. Valid as long as the cluster.
  const AutoscaleInput& Ready();
};

constexpr TimeNs Seconds(std::int64_t s) { return s * kAutoscaleSecond; }
constexpr TimeNs Minutes(std::int64_t m) { return m * kAutoscaleMinute; }

inline constexpr TimeNs kAutoscaleNow = Minutes(100'000);

// Past every hold after a start.
inline AutoscaleMemory LongRunning(TimeNs now) {
  AutoscaleMemory memory;
  memory.first_decision = now - Minutes(600);
  memory.last_decision = now - Seconds(10);
  return memory;
}

}  // namespace batholith
