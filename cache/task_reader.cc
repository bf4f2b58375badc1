#include "cache/task_reader.h"

#include <algorithm>

#include "cache/class_key.h"
#include "cache/pod_facts.h"

namespace batholith {

TaskFacts TaskReader::Read(const PodRecord& pod) {
  TaskFacts facts;
  if (IsLikeLast(pod)) {
    facts.request = last_.request;
    facts.best_effort = last_.best_effort;
    facts.unserved = last_.unserved;
    facts.base_class = last_.base_class;
  } else {
    ReadRequest(pod, facts);
    facts.base_class = ClassOf(pod, facts);
    last_ = facts;
  }
  facts.record = &pod;
  if (const auto it = tables_.nodes.find(pod.node_name); it != tables_.nodes.end())
    facts.node = it->second;
  if (const auto it = tables_.nodes.find(pod.nominated_node); it != tables_.nodes.end())
    facts.nominated = it->second;
  ReadOwnFacts(pod, facts);
  const auto& ours = tables_.options.scheduler_names;
  facts.foreign = std::ranges::find(ours, pod.scheduler_name) == ours.end();
  return facts;
}

// Pods of one job come one after another. True: ReadRequest and ClassOf look at the same.
bool TaskReader::IsLikeLast(const PodRecord& pod) const {
  if (last_.record == nullptr) return false;
  const PodRecord& last = *last_.record;
  return pod.request == last.request && pod.unnamed_cpu == last.unnamed_cpu &&
         pod.unnamed_memory == last.unnamed_memory && pod.constraints == last.constraints &&
         (!snapshot_.labels_matter ||
          (pod.meta.namespace_ == last.meta.namespace_ && pod.meta.labels == last.meta.labels));
}

void TaskReader::ReadRequest(const PodRecord& pod, TaskFacts& facts) {
  // So that sums of a few absurd requests stay exact, and come off whole again.
  constexpr std::int64_t kMostOfOne = std::int64_t{1} << 58;
  facts.record = &pod;
  facts.best_effort = true;
  ResourceVector request;
  for (const auto& [name, amount] : pod.request) {
    facts.best_effort = facts.best_effort && amount == 0;
    if (const auto r = snapshot_.schema.Find(name)) {
      request[*r] = std::min(amount, kMostOfOne);
    } else if (amount > 0) {
      facts.unserved = true;
      snapshot_.uncounted.Add(name);
    }
  }
  request[ResourceSchema::kPods] = 1;
  facts.request = tables_.amounts->Intern(request);
}

ClassIndex TaskReader::ClassOf(const PodRecord& pod, const TaskFacts& facts) {
  return tables_.classes
      .try_emplace(ClassKey(pod, facts, snapshot_), ClassIndex(tables_.classes.size()))
      .first->second;
}

}  // namespace batholith
