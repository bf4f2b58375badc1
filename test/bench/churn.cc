#include "test/bench/churn.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "test/bench/scenario.h"

namespace batholith::bench {

std::shared_ptr<const ClusterObjects> Churn::NextWave() {
  if (oldest_go_) DropOldest();
  AddArrivals(maker_, sizes_, wave_++);
  return std::make_shared<const ClusterObjects>(maker_.objects());
}

void Churn::Apply(const CycleResult& result) {
  std::map<std::string_view, std::string_view> node_of;
  std::set<std::string_view> started;
  for (const Bind& bind : result.binds) {
    node_of.emplace(bind.pod, bind.node);
    started.insert(bind.job);
  }
  for (PodRecord& pod : maker_.objects().pods) {
    if (!pod.node_name.empty()) continue;
    const auto bound = node_of.find(pod.meta.Key());
    if (bound == node_of.end()) continue;
    pod.node_name = bound->second;
    pod.phase = PodPhase::kRunning;
  }
  for (PodGroupRecord& group : maker_.objects().pod_groups) {
    if (group.phase != JobPhase::kRunning && started.contains(group.meta.Key()))
      group.phase = JobPhase::kRunning;
  }
}

void Churn::DropOldest() {
  std::vector<PodRecord>& pods = maker_.objects().pods;
  std::vector<PodGroupRecord>& groups = maker_.objects().pod_groups;
  std::size_t left = sizes_.changes;
  std::erase_if(pods, [&](const PodRecord& pod) {
    if (left == 0 || pod.phase != PodPhase::kRunning) return false;
    --left;
    return true;
  });
  std::set<std::string> used;
  for (const PodRecord& pod : pods) used.insert(pod.meta.namespace_ + "/" + pod.group);
  std::erase_if(groups, [&](const PodGroupRecord& g) { return !used.contains(g.meta.Key()); });
}

}  // namespace batholith::bench
