#include "test/confs/same_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "test/property/invariants.h"

namespace batholith::property {
namespace {

// By key: what one side has and the other has not, or has otherwise.
template <typename List, typename Key>
std::string Differing(const char* what, const List& got, const List& want, Key key) {
  if (got == want) return "";
  std::map<std::string, typename List::const_iterator> places;
  for (auto it = want.begin(); it != want.end(); ++it) places.emplace(key(*it), it);
  for (const auto& item : got) {
    const auto place = places.find(key(item));
    if (place == places.end()) return fmt::format("{}: {} is new", what, key(item));
    if (!(*place->second == item)) return fmt::format("{}: {} differs", what, key(item));
    places.erase(place);
  }
  if (places.empty()) return fmt::format("{}: the order differs", what);
  return fmt::format("{}: {} is missing", what, places.begin()->first);
}

std::string Effects(const CycleResult& got, const CycleResult& want) {
  if (got.binds == want.binds && got.evictions == want.evictions &&
      got.pipelined == want.pipelined && got.had_effect == want.had_effect)
    return "";
  return fmt::format("effects: {}\n  instead of {}", Decisions(got), Decisions(want));
}

std::string SlackDifference(const SlackReport& got, const SlackReport& want) {
  if (got == want) return "";
  std::string out =
      Differing("slack", got.sources, want.sources, [](const auto& s) { return s.name; });
  if (out.empty()) {
    out = fmt::format("slack: sums: {} {} {} {} questions instead of {} {} {} {}", got.pushed_out,
                      got.node_gone, got.resized, got.evaluations, want.pushed_out, want.node_gone,
                      want.resized, want.evaluations);
  }
  return out;
}

std::string AutoscaleDifference(const AutoscaleReport& got, const AutoscaleReport& want) {
  if (got == want) return "";
  const auto by_name = [](const NodeGroupStatus& group) {
    return fmt::format("{} with {} nodes, {} wanted: {}", group.name, group.current,
                       group.recommended, group.reason);
  };
  for (std::string d :
       {Differing("node group", got.groups, want.groups, by_name),
        Differing("order", got.orders, want.orders, [](const auto& o) { return o.group; }),
        Differing("note", got.notes, want.notes, [](const std::string& n) { return n; }),
        Differing("memory of node", got.memory.nodes, want.memory.nodes,
                  [](const auto& entry) { return entry.first; })}) {
    if (!d.empty()) return "autoscale: " + d;
  }
  return fmt::format("autoscale: {} unneeded instead of {}, or another memory", got.unneeded,
                     want.unneeded);
}

}  // namespace

std::string DifferenceOf(const CycleResult& got, const CycleResult& want) {
  if (got == want) return "";
  if (std::string effects = Effects(got, want); !effects.empty()) return effects;
  const auto by_key = [](const auto& item) { return item.key; };
  const auto by_name = [](const auto& item) { return item.name; };
  for (std::string d :
       {Differing("job", got.jobs, want.jobs, by_key),
        Differing("queue", got.queues, want.queues, by_name),
        Differing("namespace", got.namespaces, want.namespaces,
                  [](const NamespaceStatus& n) { return n.queue + ":" + n.name; }),
        Differing("node", got.nodes, want.nodes, by_name),
        Differing("quota", got.quotas, want.quotas,
                  [](const QuotaStatus& q) { return q.kind + "." + q.group + "/" + q.name; }),
        Differing("label", got.labels, want.labels,
                  [](const PodLabel& l) { return l.pod + ":" + l.key; }),
        Differing("mark", got.marks, want.marks, by_name), SlackDifference(got.slack, want.slack),
        Differing("buffer", got.buffers, want.buffers, by_name),
        Differing("notice", got.notices, want.notices, [](const std::string& n) { return n; }),
        AutoscaleDifference(got.autoscale, want.autoscale)}) {
    if (!d.empty()) return d;
  }
  for (std::size_t p = 0; p < std::min(got.pods.size(), want.pods.size()); ++p) {
    if (got.pods[p] == want.pods[p]) continue;
    return fmt::format("pod {} is told {}: {}\n  instead of {} {}: {}", got.pods[p].key,
                       got.pods[p].reason, got.pods[p].message, want.pods[p].key,
                       want.pods[p].reason, want.pods[p].message);
  }
  return "something else";
}

std::string DifferenceOfDecisions(const CycleResult& got, const CycleResult& want) {
  const auto told = [](CycleResult r) {
    for (JobStatus& job : r.jobs) {
      job.message.clear();
      job.conditions.clear();
      job.changed = false;  // may hang on conditions alone
    }
    r.pods.clear();
    r.nodes.clear();
    r.notices.clear();
    r.quota_notices.clear();
    r.traces.clear();
    r.slack.evaluations = 0;
    for (PlaceholderSource& source : r.slack.sources) source.reason.clear();
    r.autoscale.blocked.clear();
    return r;
  };
  return DifferenceOf(told(got), told(want));
}

CycleResult Sorted(CycleResult r) {
  std::ranges::sort(r.jobs, {}, &JobStatus::key);
  std::ranges::sort(r.queues, {}, &QueueStatus::name);
  std::ranges::sort(r.namespaces, [](const NamespaceStatus& a, const NamespaceStatus& b) {
    return std::tie(a.queue, a.name) < std::tie(b.queue, b.name);
  });
  std::ranges::sort(r.pods, {}, &PodStatus::key);
  std::ranges::sort(r.nodes, {}, &NodeStatus::name);
  std::ranges::sort(r.labels, {}, &PodLabel::pod);
  std::ranges::sort(r.marks, {}, &QuotaMark::name);
  std::ranges::sort(r.quotas, {}, [](const QuotaStatus& q) { return q.kind + q.group + q.name; });
  for (QuotaStatus& quota : r.quotas) std::ranges::sort(quota.pods);
  std::ranges::sort(r.buffers, {}, &BufferStatus::name);
  std::ranges::sort(r.notices);
  std::ranges::sort(r.quota_notices, {}, &QuotaNotice::text);
  return r;
}

}  // namespace batholith::property
