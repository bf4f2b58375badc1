#include "quota/figures.h"

#include <algorithm>

#include "quota/over_quota.h"

namespace batholith {
namespace {

ResourceList ToList(const QuotaForest& forest, const ResourceVector& v,
                    std::uint32_t shown = ~std::uint32_t{0}) {
  ResourceList out;
  for (std::size_t r = 0; r < forest.dimensions(); ++r) {
    if ((shown >> r & 1U) != 0 && v[r] != 0) out[forest.schema().name(r)] = ToBaseUnits(r, v[r]);
  }
  return out;
}

ResourceVector UsedForStatus(const QuotaNode& n) {
  switch (n.policy.used_for_status) {
    case QuotaPolicy::UsedForStatus::kRunning:
      return n.running + n.releasing;
    case QuotaPolicy::UsedForStatus::kRunningMinKeys:
      return Masked(n.running + n.releasing, n.min.present());
    case QuotaPolicy::UsedForStatus::kAssigned:
      return n.assigned + n.releasing;
  }
  return n.assigned;
}

QuotaStatus StatusOf(const QuotaForest& forest, QuotaIndex q, const ResourceVector& asked) {
  const QuotaNode& n = forest.node(q);
  QuotaStatus out;
  out.name = n.name;
  out.group = n.record->group;
  out.kind = n.record->kind;
  out.min = n.record->min.value_or(ResourceList());
  out.max = n.record->max.value_or(ResourceList());
  out.used = ToList(forest, UsedForStatus(n));
  out.request = ToList(forest, asked);
  // Of what the quota lists; one that lists nothing guarantees nothing, and all of it is borrowed.
  const std::uint32_t listed = n.min.present() | n.max.present();
  const ResourceVector over = (n.assigned - n.min.values()).ClampedAtZero();
  out.borrowed = ToList(forest, listed == 0 ? over : Masked(over, listed));
  if (const RuntimeTree* tree = forest.TreeOf(q)) {
    out.request = ToList(forest, tree->request(n.in_tree));
    out.runtime = ToList(forest, tree->runtime(n.in_tree), n.max.present());
    out.scaled_min = ToList(forest, tree->scaled_min(n.in_tree));
    out.guaranteed = ToList(forest, tree->guaranteed(n.in_tree));
    out.allocated = ToList(forest, tree->allocated(n.in_tree));
  }
  if (n.policy.share == QuotaPolicy::Share::kGuaranteedOverQuota) {
    out.guaranteed_overquotas =
        ToList(forest, GuaranteedOverQuota(forest.SumsOf(n.dialect), n.min, forest.dimensions()));
  }
  return out;
}

// The nos operator's label, in the dialect's spelling, where the pod has another value.
void ReportLabels(const Snapshot& snapshot, const QuotaForest& forest, const QuotaPods& pods,
                  CycleResult& result) {
  const auto labels = [&](QuotaIndex q) {
    return forest.node(q).dialect == QuotaDialect::kNos && forest.node(q).record != nullptr;
  };
  bool any = false;
  for (std::size_t q = 0; q < forest.size(); ++q) any = any || labels(QuotaIndex(q));
  for (std::size_t t = 0; any && t < snapshot.tasks.size(); ++t) {
    const TaskIndex task(t);
    const QuotaIndex q = pods.quota(task);
    if (q.is_none() || snapshot.task(task).status != TaskStatus::kRunning || !labels(q)) continue;
    const QuotaNode& n = forest.node(q);
    const std::string key =
        n.record->group.starts_with("n8s.") ? "n8s.nebuly.ai/capacity" : "nos.nebuly.com/capacity";
    const std::string value = pods.over_quota(task) ? "over-quota" : "in-quota";
    const PodRecord& record = *snapshot.task(task).record;
    const auto it = record.meta.labels.find(key);
    if (it != record.meta.labels.end() && it->second == value) continue;
    result.labels.push_back({record.meta.Key(), key, value});
  }
}

}  // namespace

void ReportForest(const Snapshot& snapshot, const QuotaForest& forest, const QuotaPods& pods,
                  bool with_pods, CycleResult& result) {
  std::vector<ResourceVector> asked(forest.size());
  std::vector<std::vector<std::string>> bound(forest.size());
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    const QuotaIndex q = pods.quota(TaskIndex(t));
    if (q.is_none()) continue;
    const ResourceVector& request = pods.pod(TaskIndex(t)).request;
    for (std::size_t r = 0; r < forest.dimensions(); ++r)
      asked[q.value()][r] = ResourceVector::AddSaturating(asked[q.value()][r], request[r]);
    if (with_pods) bound[q.value()].push_back(snapshot.tasks[t].record->meta.Key());
  }
  for (std::size_t q = 0; q < forest.size(); ++q) {
    if (forest.node(QuotaIndex(q)).record == nullptr) continue;
    result.quotas.push_back(StatusOf(forest, QuotaIndex(q), asked[q]));
    result.quotas.back().pods = std::move(bound[q]);
  }
  std::ranges::sort(result.quotas, [](const QuotaStatus& a, const QuotaStatus& b) {
    return std::tie(a.group, a.name, a.kind) < std::tie(b.group, b.name, b.kind);
  });
  ReportLabels(snapshot, forest, pods, result);
  for (const QuotaNotice& problem : forest.problems()) result.notices.push_back(problem.text);
  result.quota_notices = forest.problems();
}

}  // namespace batholith
