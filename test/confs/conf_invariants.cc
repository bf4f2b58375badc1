#include "test/confs/conf_invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "api/value_text.h"
#include "framework/disruption_budgets.h"
#include "test/property/checks.h"
#include "test/property/invariants.h"

namespace batholith::property {
namespace {

bool Ours(const PodRecord& pod) { return pod.scheduler_name == "volcano"; }

bool Waits(const PodRecord& pod) {
  return pod.phase == PodPhase::kPending && pod.node_name.empty() && !pod.meta.deleting;
}

// Only what gang was asked about makes a gang smaller: shuffle and revoke ask nobody.
CycleResult WithGuardedEvictions(CycleResult result, const ConfTraits& conf) {
  std::erase_if(result.evictions, [&](const Evict& e) { return !conf.Guards("gang", e.action); });
  return result;
}

// What the figures say a queue deserves limits it only where proportion admits by them.
CycleResult WithoutFigures(CycleResult result) {
  result.queues.clear();
  return result;
}

bool CoolsDown(const PodRecord& pod, TimeNs now) {
  if (pod.phase != PodPhase::kRunning || pod.scheduled_at == 0) return false;
  for (const Labels* notes : {&*pod.meta.labels, &*pod.meta.annotations}) {
    const auto text = notes->find("volcano.sh/cooldown-time");
    if (text == notes->end()) continue;
    const auto time = ParseGoDuration(text->second);
    if (time) return time->count() > now - pod.scheduled_at;
  }
  return false;
}

bool OfTheSystem(const PodRecord& pod) {
  return pod.meta.namespace_ == "kube-system" || pod.priority_class == "system-node-critical" ||
         pod.priority_class == "system-cluster-critical";
}

bool SaysNo(const PodRecord& pod) {
  for (const Labels* notes : {&*pod.meta.annotations, &*pod.meta.labels}) {
    const auto text = notes->find("volcano.sh/preemptable");
    if (text != notes->end()) return text->second == "false";
  }
  return false;
}

Problems CheckBudgets(const ClusterObjects& objects, const CycleResult& result,
                      const ConfTraits& conf) {
  Problems problems;
  const Pods pods = PodsByKey(objects);
  const DisruptionBudgets budgets(objects);
  std::vector<std::int32_t> taken(budgets.allowed().size());
  for (const Evict& evict : result.evictions) {
    const auto pod = pods.find(evict.pod);
    if (pod == pods.end() || !conf.Guards("pdb", evict.action)) continue;
    for (const std::size_t b : budgets.Covering(*pod->second)) ++taken[b];
  }
  for (std::size_t b = 0; b < taken.size(); ++b) {
    if (taken[b] > std::max(budgets.allowed()[b], 0)) {
      problems.push_back(fmt::format("budget {} allows {} disruptions, {} were made",
                                     objects.disruption_budgets[b].meta.Key(), budgets.allowed()[b],
                                     taken[b]));
    }
  }
  return problems;
}

}  // namespace

Problems CheckPlaces(const ClusterObjects& objects, const CycleResult& result) {
  Problems problems;
  const Pods pods = PodsByKey(objects);
  std::set<std::string> nodes;
  for (const NodeRecord& node : objects.nodes) nodes.insert(node.meta.name);
  std::set<std::string> placed;
  const auto check = [&](const char* what, const std::string& key, const std::string& node) {
    const auto pod = pods.find(key);
    if (pod == pods.end() || !Ours(*pod->second) || !Waits(*pod->second) ||
        !pod->second->scheduling_gates.empty()) {
      problems.push_back(fmt::format("{} of {}, which is no pod of ours that waits", what, key));
    }
    if (!nodes.contains(node)) problems.push_back(fmt::format("{} on unknown {}", what, node));
    if (!placed.insert(key).second) problems.push_back(fmt::format("{} has two places", key));
  };
  for (const Bind& bind : result.binds) check("bind", bind.pod, bind.node);
  for (const Pipelined& p : result.pipelined) check("reservation", p.pod, p.node);
  for (const Evict& evict : result.evictions) {
    if (placed.contains(evict.pod))
      problems.push_back(fmt::format("{} is placed and evicted", evict.pod));
  }
  return problems;
}

Problems CheckReasons(const ClusterObjects& objects, const CycleResult& result) {
  Problems problems;
  std::set<std::string> bound;
  for (const Bind& bind : result.binds) bound.insert(bind.pod);
  std::map<std::string, const PodStatus*> told;
  for (const PodStatus& pod : result.pods) {
    if (!told.emplace(pod.key, &pod).second)
      problems.push_back(fmt::format("{} is told twice", pod.key));
  }
  for (const PodRecord& pod : objects.pods) {
    const std::string key = pod.meta.Key();
    const auto status = told.find(key);
    if (!Ours(pod) || !Waits(pod) || bound.contains(key)) {
      if (status != told.end())
        problems.push_back(fmt::format("{} does not wait, but is told {}: {}", key,
                                       status->second->reason, status->second->message));
      continue;
    }
    if (status == told.end()) {
      problems.push_back(fmt::format("{} waits and is told nothing", key));
    } else if (status->second->reason.empty() || status->second->message.empty()) {
      problems.push_back(fmt::format("{} waits for \"{}\": \"{}\"", key, status->second->reason,
                                     status->second->message));
    }
  }
  // A group that had pods and has none any more is Pending too, and waits for nothing.
  std::set<std::string> waited;
  for (const PodGroupRecord& group : objects.pod_groups) {
    if (group.phase == JobPhase::kPending) waited.insert(group.meta.Key());
  }
  for (const JobStatus& job : result.jobs) {
    if (job.phase == JobPhase::kPending && job.message.empty() && waited.contains(job.key))
      problems.push_back(fmt::format("job {} is not admitted and is told nothing", job.key));
  }
  return problems;
}

Problems CheckVictims(const ClusterObjects& objects, const CycleResult& result,
                      const ConfTraits& conf, TimeNs now) {
  Problems problems = CheckBudgets(objects, result, conf);
  const Pods pods = PodsByKey(objects);
  for (const Evict& evict : result.evictions) {
    const auto found = pods.find(evict.pod);
    if (found == pods.end()) continue;
    const PodRecord& pod = *found->second;
    const auto complain = [&](const char* why) {
      problems.push_back(fmt::format("{} evicts {}, {}", evict.action, evict.pod, why));
    };
    if (!Ours(pod)) complain("a pod of another scheduler");
    const bool for_others = evict.action == "preempt" || evict.action == "reclaim";
    if (for_others && SaysNo(pod)) complain("which may not be preempted");
    if (for_others && evict.for_job.empty()) complain("for nobody");
    if (conf.Guards("conformance", evict.action) && OfTheSystem(pod)) complain("of the system");
    if (conf.Guards("cdp", evict.action) && CoolsDown(pod, now)) complain("in its cooldown");
  }
  return problems;
}

Problems CheckSession(const ClusterObjects& objects, const CycleResult& result,
                      const ConfTraits& conf, TimeNs now) {
  Problems problems = CheckBindsAreLegal(objects, result);
  Append(problems, CheckPlaces(objects, result));
  Append(problems, CheckNodesHold(objects, result));
  Append(problems, CheckReasons(objects, result));
  Append(problems, CheckVictims(objects, result, conf, now));
  if (conf.Has("gang", Point::kJobReady))
    Append(problems, CheckGangsWhole(objects, WithGuardedEvictions(result, conf)));
  if (conf.PlacesBeforeItEvicts()) {
    if (conf.Has("proportion", Point::kAllocatable)) {
      Append(problems, CheckQueuesHold(objects, result));
    } else if (conf.Has("capacity", Point::kAllocatable)) {
      Append(problems, CheckQueuesHold(objects, WithoutFigures(result)));
    }
  }
  return problems;
}

}  // namespace batholith::property
