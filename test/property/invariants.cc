#include "test/property/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "framework/session.h"
#include "framework/statement.h"
#include "test/property/checks.h"

namespace batholith::property {
namespace {

std::map<std::string, const PodGroupRecord*> GroupsByKey(const ClusterObjects& objects) {
  std::map<std::string, const PodGroupRecord*> groups;
  for (const PodGroupRecord& group : objects.pod_groups) groups.emplace(group.meta.Key(), &group);
  return groups;
}

bool Finished(const PodRecord& pod) {
  return pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed;
}

// Bound or running, and staying.
bool HoldsPlace(const PodRecord& pod) {
  const bool alive = pod.phase == PodPhase::kRunning ||
                     (pod.phase == PodPhase::kPending && !pod.node_name.empty());
  return alive && !pod.meta.deleting;
}

bool WaitsForSlotOnly(const PodRecord& pod) {
  if (pod.phase != PodPhase::kPending || !pod.node_name.empty() || pod.meta.deleting) return false;
  return std::ranges::all_of(pod.request, [](const auto& entry) { return entry.second == 0; });
}

void Add(ResourceList& sum, const ResourceList& more) {
  for (const auto& [name, amount] : more)
    sum[name] = ResourceVector::AddSaturating(sum[name], amount);
}

// The names in which a pod of `binds` asks for something.
std::set<std::string> AskedFor(const std::vector<const PodRecord*>& bound) {
  std::set<std::string> names;
  for (const PodRecord* pod : bound) {
    for (const auto& [name, amount] : pod->request) {
      if (amount > 0) names.insert(name);
    }
  }
  return names;
}

}  // namespace

std::string Decisions(const CycleResult& r) {
  std::string text;
  for (const Evict& e : r.evictions)
    text += fmt::format("\n    {} evicts {} for {}", e.action, e.pod, e.for_job);
  for (const Pipelined& p : r.pipelined)
    text += fmt::format("\n    {} keeps {} for {}", p.action, p.node, p.pod);
  for (const Bind& b : r.binds)
    text += fmt::format("\n    {} binds {} to {}", b.action, b.pod, b.node);
  return text;
}

std::vector<std::string> DecisionLines(const CycleResult& r) {
  std::vector<std::string> lines;
  for (const Bind& b : r.binds)
    lines.push_back(fmt::format("bind {} {} {} {}", b.pod, b.job, b.node, b.action));
  for (const Evict& e : r.evictions) {
    lines.push_back(
        fmt::format("evict {} {} {} for {}: {}", e.pod, e.node, e.action, e.for_job, e.reason));
  }
  for (const Pipelined& p : r.pipelined)
    lines.push_back(fmt::format("pipeline {} {} {}", p.pod, p.node, p.action));
  return lines;
}

Problems CheckBindsAreLegal(const ClusterObjects& objects, const CycleResult& result) {
  Problems problems;
  const auto pods = PodsByKey(objects);
  std::set<std::string> nodes;
  for (const NodeRecord& node : objects.nodes) nodes.insert(node.meta.name);
  std::set<std::string> seen;
  for (const Bind& bind : result.binds) {
    const auto pod = pods.find(bind.pod);
    if (pod == pods.end()) {
      problems.push_back(fmt::format("bind of {}, which does not exist", bind.pod));
      continue;
    }
    const PodRecord& p = *pod->second;
    if (!p.node_name.empty() || p.phase != PodPhase::kPending || p.meta.deleting ||
        !p.scheduling_gates.empty()) {
      problems.push_back(fmt::format("bind of {}, which does not wait for a node", bind.pod));
    }
    if (!nodes.contains(bind.node))
      problems.push_back(fmt::format("{} bound to unknown {}", bind.pod, bind.node));
    if (!seen.insert(bind.pod).second) problems.push_back(fmt::format("{} bound twice", bind.pod));
  }
  std::set<std::string> evicted;
  for (const Evict& evict : result.evictions) {
    const auto pod = pods.find(evict.pod);
    if (pod == pods.end() || !HoldsPlace(*pod->second)) {
      problems.push_back(fmt::format("eviction of {}, which holds no place", evict.pod));
    }
    if (!evicted.insert(evict.pod).second)
      problems.push_back(fmt::format("{} evicted twice", evict.pod));
  }
  return problems;
}

Problems CheckNodesHold(const ClusterObjects& objects, const CycleResult& result) {
  Problems problems;
  const auto pods = PodsByKey(objects);
  std::map<std::string, ResourceList> used;
  std::map<std::string, std::vector<const PodRecord*>> bound;
  for (const PodRecord& pod : objects.pods) {
    if (pod.node_name.empty() || Finished(pod)) continue;
    Add(used[pod.node_name], pod.request);
    ++used[pod.node_name]["pods"];
  }
  for (const Bind& bind : result.binds) {
    const auto pod = pods.find(bind.pod);
    if (pod == pods.end()) continue;
    Add(used[bind.node], pod->second->request);
    ++used[bind.node]["pods"];
    bound[bind.node].push_back(pod->second);
  }
  for (const NodeRecord& node : objects.nodes) {
    const auto newcomers = bound.find(node.meta.name);
    if (newcomers == bound.end()) continue;
    std::set<std::string> names = AskedFor(newcomers->second);
    names.insert("pods");
    for (const std::string& name : names) {
      const std::int64_t amount = AmountOf(used[node.meta.name], name);
      const std::int64_t room = AmountOf(node.allocatable, name);
      if (amount > room) {
        problems.push_back(
            fmt::format("{} holds {} of {}, has {}", node.meta.name, amount, name, room));
      }
    }
  }
  return problems;
}

Problems CheckGangsWhole(const ClusterObjects& objects, const CycleResult& result) {
  Problems problems;
  std::set<std::string> newly;
  std::set<std::string> gone;
  for (const Bind& bind : result.binds) newly.insert(bind.pod);
  for (const Evict& evict : result.evictions) {
    // A pod that gives way to another one of its own job leaves the gang no smaller.
    if (evict.for_job != evict.job) gone.insert(evict.pod);
  }
  std::map<std::string, std::int32_t> ready;
  std::map<std::pair<std::string, std::string>, std::int32_t> ready_of_role;
  std::set<std::string> touched;
  for (const PodRecord& pod : objects.pods) {
    if (pod.group.empty() || pod.scheduler_name != "volcano") continue;
    const std::string key = pod.meta.Key();
    const std::string job = pod.meta.namespace_ + "/" + pod.group;
    const bool is_new = newly.contains(key);
    if (is_new) touched.insert(job);
    const bool stays = HoldsPlace(pod) && !gone.contains(key);
    if (!is_new && !stays && pod.phase != PodPhase::kSucceeded && !WaitsForSlotOnly(pod)) continue;
    ++ready[job];
    ++ready_of_role[{job, pod.task_role}];
  }
  for (const auto& [job, group] : GroupsByKey(objects)) {
    if (!touched.contains(job)) continue;
    if (ready[job] < group->min_member) {
      problems.push_back(
          fmt::format("gang {} got {} of {} pods", job, ready[job], group->min_member));
    }
    // Role minimums bind only while the job's own minimum covers them.
    std::int32_t role_total = 0;
    for (const auto& [role, min] : group->min_task_member) role_total += min;
    if (role_total > group->min_member) continue;
    for (const auto& [role, min] : group->min_task_member) {
      const std::int32_t have = ready_of_role[{job, role}];
      if (have < min)
        problems.push_back(fmt::format("role {} of {} got {} of {} pods", role, job, have, min));
    }
  }
  return problems;
}

Problems CheckQueuesHold(const ClusterObjects& objects, const CycleResult& result,
                         const std::string& default_queue) {
  Problems problems;
  const auto groups = GroupsByKey(objects);
  std::set<std::string> newly;
  for (const Bind& bind : result.binds) newly.insert(bind.pod);
  std::map<std::string, ResourceList> allocated;
  std::map<std::string, std::vector<const PodRecord*>> bound;
  for (const PodRecord& pod : objects.pods) {
    const auto group = groups.find(pod.meta.namespace_ + "/" + pod.group);
    if (group == groups.end() || pod.scheduler_name != "volcano") continue;
    const bool is_new = newly.contains(pod.meta.Key());
    if (!is_new && !HoldsPlace(pod)) continue;
    const std::string& queue = group->second->queue.empty() ? default_queue : group->second->queue;
    Add(allocated[queue], pod.request);
    if (is_new) bound[queue].push_back(&pod);
  }
  std::map<std::string, const QueueStatus*> reported;
  for (const QueueStatus& queue : result.queues) reported.emplace(queue.name, &queue);
  for (const QueueRecord& queue : objects.queues) {
    const std::string& name = queue.meta.name;
    if (!bound.contains(name)) continue;
    for (const std::string& resource : AskedFor(bound[name])) {
      const std::int64_t amount = AmountOf(allocated[name], resource);
      const auto limit = queue.capability.find(resource);
      const bool unlimited = limit == queue.capability.end() ||
                             (limit->second <= 0 && (resource == "cpu" || resource == "memory"));
      if (!unlimited && amount > limit->second) {
        problems.push_back(fmt::format("queue {} holds {} of {}, capability {}", name, amount,
                                       resource, limit->second));
      }
      const auto status = reported.find(name);
      if (status == reported.end()) continue;
      const std::int64_t deserved = AmountOf(status->second->deserved, resource);
      if (amount > deserved) {
        problems.push_back(
            fmt::format("queue {} holds {} of {}, deserves {}", name, amount, resource, deserved));
      }
    }
  }
  return problems;
}

Problems CheckResult(const ClusterObjects& objects, const CycleResult& result) {
  Problems problems = CheckBindsAreLegal(objects, result);
  Append(problems, CheckNodesHold(objects, result));
  Append(problems, CheckGangsWhole(objects, result));
  Append(problems, CheckQueuesHold(objects, result));
  return problems;
}

namespace {

NodeIndex ExhaustiveBest(Session& session, TaskIndex task, bool slot_only) {
  const ResourceVector& request = session.snapshot().task(task).request;
  const NodeChecks checks = session.chains().ChecksFor(task);
  std::vector<NodeIndex> feasible;
  for (std::size_t i = 0; i < session.snapshot().nodes.size(); ++i) {
    const ResourceVector& idle = session.state().idle(NodeIndex(i));
    const bool room = slot_only ? idle[ResourceSchema::kPods] >= request[ResourceSchema::kPods]
                                : request.FitsIn(idle);
    if (room && checks.Check(NodeIndex(i)).ok()) feasible.push_back(NodeIndex(i));
  }
  if (feasible.empty()) return NodeIndex::None();
  std::vector<double> scores(feasible.size(), 0);
  session.chains().Score(task, feasible, scores);
  std::size_t best = 0;
  for (std::size_t i = 1; i < scores.size(); ++i) {
    if (scores[i] > scores[best]) best = i;
  }
  return feasible[best];
}

}  // namespace

Problems CheckArgMax(const Snapshot& snapshot, const Pipeline& pipeline,
                     const CycleResult& result) {
  Problems problems;
  std::map<std::string, TaskIndex> tasks;
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    tasks.emplace(snapshot.tasks[t].record->meta.Key(), TaskIndex(t));
  }
  std::map<std::string, NodeIndex> nodes;
  for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
    nodes.emplace(snapshot.nodes[n].record->meta.name, NodeIndex(n));
  }
  Session session(snapshot, pipeline, CycleOptions());
  for (const Bind& bind : result.binds) {
    const TaskIndex task = tasks.at(bind.pod);
    const NodeIndex got = nodes.at(bind.node);
    const NodeIndex best = ExhaustiveBest(session, task, /*slot_only=*/bind.action == "backfill");
    if (best != got) {
      problems.push_back(
          fmt::format("{} went to {}, the best node is {}", bind.pod, bind.node,
                      best.is_none() ? "none" : snapshot.node(best).record->meta.name));
      return problems;  // what follows would only echo this
    }
    Statement statement(session);
    statement.Allocate(task, got);
    statement.Commit();
  }
  return problems;
}

}  // namespace batholith::property
