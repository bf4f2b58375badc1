#include "plugins/common/domains.h"

#include <algorithm>

namespace batholith {
namespace {

void CountAt(DomainCounts& counts, const NodeRecord& node, const std::string& key, std::int64_t n) {
  if (const std::string* value = LabelOf(node, key)) counts[{key, *value}] += n;
}

bool EligibleForSpread(const TopologySpread& s, const PodConstraints& c, const NodeRecord& node) {
  if (LabelOf(node, s.topology_key) == nullptr) return false;
  if (s.honor_node_affinity && !MatchesNode(c, node)) return false;
  if (!s.honor_node_taints) return true;
  return std::ranges::all_of(node.taints, [&](const Taint& taint) {
    return taint.effect == TaintEffect::kPreferNoSchedule || Tolerates(c.tolerations, taint);
  });
}

}  // namespace

bool HasOwnTerms(const PodConstraints& c) {
  return !c.required_affinity.empty() || !c.preferred_affinity.empty() ||
         !c.required_anti_affinity.empty() || !c.preferred_anti_affinity.empty() ||
         !c.topology_spread.empty();
}

AffinityCounts CountAffinity(const Snapshot& snapshot, const SessionState& state, TaskIndex task) {
  const PodRecord& pod = *snapshot.task(task).record;
  const PodConstraints& c = *pod.constraints;
  const std::string& ns = pod.meta.namespace_;
  AffinityCounts out;
  out.affinity.resize(c.required_affinity.size());
  out.anti_affinity.resize(c.required_anti_affinity.size());
  const auto matches_all = [&](const PodRecord& other) {
    return std::ranges::all_of(c.required_affinity, [&](const PodAffinityTerm& t) {
      return MatchesAffinityTerm(t, ns, other, snapshot);
    });
  };
  out.self_match = matches_all(pod);
  for (const TaskIndex t : StandingTasks(snapshot, state)) {
    if (t == task) continue;
    const PodRecord& other = *snapshot.task(t).record;
    const NodeRecord& node = *snapshot.node(state.node(t)).record;
    if (!c.required_affinity.empty() && matches_all(other)) {
      out.anybody = true;
      for (std::size_t i = 0; i < c.required_affinity.size(); ++i) {
        CountAt(out.affinity[i], node, c.required_affinity[i].topology_key, 1);
      }
    }
    for (std::size_t i = 0; i < c.required_anti_affinity.size(); ++i) {
      const PodAffinityTerm& term = c.required_anti_affinity[i];
      if (MatchesAffinityTerm(term, ns, other, snapshot))
        CountAt(out.anti_affinity[i], node, term.topology_key, 1);
    }
    for (const PodAffinityTerm& term : other.constraints->required_anti_affinity) {
      if (MatchesAffinityTerm(term, other.meta.namespace_, pod, snapshot)) {
        CountAt(out.existing_anti, node, term.topology_key, 1);
      }
    }
  }
  return out;
}

DomainCounts ScoreAffinity(const Snapshot& snapshot, const SessionState& state, TaskIndex task) {
  const PodRecord& pod = *snapshot.task(task).record;
  const PodConstraints& c = *pod.constraints;
  DomainCounts out;
  const auto own = [&](const std::vector<PodAffinityTerm>& terms, const PodRecord& other,
                       const NodeRecord& node, int sign) {
    for (const PodAffinityTerm& t : terms) {
      if (MatchesAffinityTerm(t, pod.meta.namespace_, other, snapshot))
        CountAt(out, node, t.topology_key, sign * t.weight);
    }
  };
  const auto theirs = [&](const std::vector<PodAffinityTerm>& terms, const PodRecord& other,
                          const NodeRecord& node, int sign, bool hard) {
    for (const PodAffinityTerm& t : terms) {
      if (MatchesAffinityTerm(t, other.meta.namespace_, pod, snapshot)) {
        CountAt(out, node, t.topology_key, sign * (hard ? 1 : t.weight));
      }
    }
  };
  for (const TaskIndex t : StandingTasks(snapshot, state)) {
    if (t == task) continue;
    const PodRecord& other = *snapshot.task(t).record;
    const NodeRecord& node = *snapshot.node(state.node(t)).record;
    own(c.preferred_affinity, other, node, 1);
    own(c.preferred_anti_affinity, other, node, -1);
    theirs(other.constraints->required_affinity, other, node, 1, true);
    theirs(other.constraints->preferred_affinity, other, node, 1, false);
    theirs(other.constraints->preferred_anti_affinity, other, node, -1, false);
  }
  return out;
}

std::vector<SpreadCounts> CountSpread(const Snapshot& snapshot, const SessionState& state,
                                      TaskIndex task, bool hard) {
  const PodRecord& pod = *snapshot.task(task).record;
  const PodConstraints& c = *pod.constraints;
  std::vector<SpreadCounts> out;
  for (const TopologySpread& s : c.topology_spread) {
    if (s.hard != hard) continue;
    SpreadCounts counts;
    for (const NodeFacts& node : snapshot.nodes) {
      if (EligibleForSpread(s, c, *node.record))
        counts.by_value.try_emplace(*LabelOf(*node.record, s.topology_key), 0);
    }
    for (const TaskIndex t : StandingTasks(snapshot, state)) {
      const PodRecord& other = *snapshot.task(t).record;
      if (t == task || other.meta.namespace_ != pod.meta.namespace_ || other.meta.deleting)
        continue;
      const NodeRecord& node = *snapshot.node(state.node(t)).record;
      if (!s.selector || !MatchesSelector(*s.selector, other.meta.labels) ||
          !EligibleForSpread(s, c, node))
        continue;
      ++counts.by_value[*LabelOf(node, s.topology_key)];
    }
    bool first = true;
    for (const auto& [value, n] : counts.by_value) {
      if (first || n < counts.least) counts.least = n;
      first = false;
    }
    if (static_cast<std::int64_t>(counts.by_value.size()) < s.min_domains) counts.least = 0;
    out.push_back(std::move(counts));
  }
  return out;
}

}  // namespace batholith
