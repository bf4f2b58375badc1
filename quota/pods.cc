#include "quota/pods.h"

#include <algorithm>
#include <tuple>

#include "quota/capacity_labels.h"
#include "quota/gpu_memory.h"

namespace batholith {
namespace {

constexpr std::string_view kCapacityLabel[] = {"nos.nebuly.com/capacity", "n8s.nebuly.ai/capacity"};

bool LabelledOver(const PodRecord& pod) {
  for (const std::string_view key : kCapacityLabel) {
    const auto it = pod.meta.labels.find(key);
    if (it != pod.meta.labels.end()) return it->second == "over-quota";
  }
  return false;
}

// Whether a quota knows of GPU memory: nos', or one that lists it.
bool CountsGpuMemory(const QuotaNode& n) {
  const auto lists = [](const std::optional<ResourceList>& list) {
    return list && (list->contains(kGpuMemory) || list->contains(kOldGpuMemory));
  };
  return n.dialect == QuotaDialect::kNos ||
         (n.record != nullptr && (lists(n.record->min) || lists(n.record->max)));
}

bool Finished(TaskStatus s) { return s == TaskStatus::kSucceeded || s == TaskStatus::kFailed; }

}  // namespace

void FillGpuMemory(const Snapshot& snapshot, const QuotaForest& forest, QuotaIndex q,
                   const ResourceList& list, ResourceVector& amounts) {
  if (q.is_none() || !CountsGpuMemory(forest.node(q))) return;
  const std::int64_t memory =
      GpuMemoryOf(list, {forest.options().gb_per_gpu, forest.options().mps_slices});
  for (const std::string_view name : {kGpuMemory, kOldGpuMemory}) {
    if (const auto r = snapshot.schema.Find(name)) amounts[*r] = ToTreeUnits(*r, memory);
  }
}

bool CountsNoMore(const QuotaPolicy& policy, const PodRecord& leaving, TimeNs now) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  switch (policy.terminating) {
    case QuotaPolicy::Terminating::kCount:
      return false;
    case QuotaPolicy::Terminating::kAfterGrace:
      // As upstream: after the grace period once more, for the time of deletion holds it already.
      return leaving.deletion != 0 &&
             now - leaving.deletion > std::max<std::int64_t>(leaving.grace_period_s, 0) * kSecond;
    case QuotaPolicy::Terminating::kIgnore:
      return true;
  }
  return false;
}

bool QuotaPods::FallsBefore(const Snapshot& snapshot, TaskIndex a, TaskIndex b) {
  const PodRecord& pa = *snapshot.task(a).record;
  const PodRecord& pb = *snapshot.task(b).record;
  if (QuotaPriorityOf(pa) != QuotaPriorityOf(pb)) return QuotaPriorityOf(pa) < QuotaPriorityOf(pb);
  if (QuotaStartOf(pa) != QuotaStartOf(pb)) return QuotaStartOf(pa) > QuotaStartOf(pb);
  return a > b;  // of equal ones the one that came last
}

QuotaPods::QuotaPods(const Snapshot& snapshot, const QuotaForest& forest)
    : quotas_(snapshot.tasks.size()),
      pod_of_(snapshot.tasks.size()),
      over_quota_(snapshot.tasks.size()),
      counts_as_over_(snapshot.tasks.size()),
      snapshot_(&snapshot) {
  if (forest.empty()) return;
  const PodRecord* last = nullptr;  // pods of one job, which stand together, have one quota
  QuotaIndex quota;
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    if (Finished(snapshot.tasks[t].status)) continue;
    const PodRecord& pod = *snapshot.tasks[t].record;
    const bool alike = last != nullptr && pod.quota_name == last->quota_name &&
                       pod.meta.namespace_ == last->meta.namespace_;
    if (!alike) quota = forest.QuotaOf(pod);
    last = &pod;
    quotas_[t] = quota;
  }
  for (const std::string_view name : {kGpuMemory, kOldGpuMemory}) {
    if (const auto r = snapshot.schema.Find(name)) gpu_memory_ |= 1U << *r;
  }
  Weigh(snapshot, forest);
  Group(snapshot, forest);
  Label(snapshot, forest);
}

void QuotaPods::Weigh(const Snapshot& snapshot, const QuotaForest& forest) {
  std::vector<bool> with_memory(forest.size());
  for (std::size_t q = 0; q < forest.size(); ++q)
    with_memory[q] = CountsGpuMemory(forest.node(QuotaIndex(q)));
  using Key = std::tuple<ClassIndex, std::int32_t, bool, bool>;
  std::map<Key, std::uint32_t> known;
  Key last;
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    const TaskFacts& task = snapshot.tasks[t];
    const PodRecord& record = *task.record;
    const bool has_memory = !quotas_[t].is_none() && with_memory[quotas_[t].value()];
    const Key key{task.base_class, QuotaPriorityOf(record), record.quota_preemptible, has_memory};
    if (t > 0 && key == last) {
      pod_of_[t] = pod_of_[t - 1];
      continue;
    }
    last = key;
    const auto [it, added] = known.try_emplace(key, static_cast<std::uint32_t>(pods_.size()));
    pod_of_[t] = it->second;
    if (!added) continue;
    QuotaPod pod{ToTreeUnits(task.request, forest.dimensions()), QuotaPriorityOf(record),
                 record.quota_preemptible};
    if (!forest.options().count_pods) pod.request[ResourceSchema::kPods] = 0;
    pods_.push_back(pod);
    if (has_memory)
      FillGpuMemory(snapshot, forest, quotas_[t], record.request, pods_.back().request);
  }
}

// Koordinator's quotas take from their own pods only, or from those of their tree; the flat
// dialects from all of theirs.
void QuotaPods::Group(const Snapshot& snapshot, const QuotaForest& forest) {
  std::map<std::tuple<QuotaDialect, bool, std::size_t>, std::size_t> groups;
  for (std::size_t q = 0; q < forest.size(); ++q) {
    const QuotaNode& n = forest.node(QuotaIndex(q));
    const bool alone = forest.TakesFromItself(QuotaIndex(q));
    const auto it =
        groups.try_emplace({n.dialect, alone, alone ? q : n.tree}, sharing_.size()).first;
    if (it->second == sharing_.size()) sharing_.emplace_back();
    group_of_.push_back(it->second);
  }
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    if (!quotas_[t].is_none()) sharing_[group_of_[quotas_[t].value()]].emplace_back(t);
  }
  const auto less_important = [&](TaskIndex a, TaskIndex b) { return FallsBefore(snapshot, a, b); };
  sorted_.resize(sharing_.size());
  if (!forest.options().monitor_all) return;
  for (const std::vector<TaskIndex>& tasks : sharing_)
    by_importance_.insert(by_importance_.end(), tasks.begin(), tasks.end());
  std::ranges::sort(by_importance_, less_important);
}

std::uint32_t QuotaPods::ShortOn(const Snapshot& snapshot, TaskIndex t,
                                 const ResourceVector& room) const {
  constexpr std::uint32_t kNoDevices =
      1U << ResourceSchema::kCpu | 1U << ResourceSchema::kMemory | 1U << ResourceSchema::kPods;
  const ResourceVector& request = snapshot.task(t).request;
  std::uint32_t out = 0;
  for (std::size_t r = 0; r < snapshot.schema.size(); ++r) {
    if (request[r] > room[r]) out |= 1U << r;
  }
  return (out & ~kNoDevices) != 0 ? out | gpu_memory_ : out;
}

std::vector<TaskIndex> QuotaPods::Below(const QuotaForest& forest, QuotaIndex q) const {
  std::vector<TaskIndex> out;
  for (const TaskIndex t : by_importance_) {
    QuotaIndex at = quota(t);
    while (!at.is_none() && at != q) at = forest.node(at).parent;
    if (at == q) out.push_back(t);
  }
  return out;
}

std::span<const TaskIndex> QuotaPods::Sharing(QuotaIndex q) const {
  const std::size_t group = group_of_[q.value()];
  if (!sorted_[group]) {
    sorted_[group] = true;
    std::ranges::sort(sharing_[group],
                      [&](TaskIndex a, TaskIndex b) { return FallsBefore(*snapshot_, a, b); });
  }
  return sharing_[group];
}

void QuotaPods::Label(const Snapshot& snapshot, const QuotaForest& forest) {
  std::vector<bool> labels(forest.size());
  for (std::size_t q = 0; q < forest.size(); ++q)
    labels[q] = forest.node(QuotaIndex(q)).dialect == QuotaDialect::kNos;
  std::map<QuotaIndex, std::vector<TaskIndex>> running;
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    const QuotaIndex q = quotas_[t];
    if (q.is_none() || !labels[q.value()]) continue;
    if (snapshot.tasks[t].status == TaskStatus::kRunning) running[q].emplace_back(t);
  }
  for (const auto& [q, tasks] : running) {
    std::vector<LabelledPod> pods;
    for (const TaskIndex t : tasks) pods.push_back({snapshot.task(t).record, &pod(t), false});
    const auto label = [&](const QuotaList& min, std::vector<bool>& out) {
      for (const std::size_t i : LabelPods(min, forest.dimensions(), pods))
        out[tasks[i].value()] = pods[i].over_quota;
    };
    // A resource that min does not list makes no pod over-quota. But where another min lists it,
    // it is guaranteed to that quota, so these pods may have to leave.
    QuotaList guaranteed = forest.node(q).min;
    label(guaranteed, over_quota_);
    for (std::size_t r = 0; r < forest.dimensions(); ++r) {
      if ((forest.BoundedBeside(q) >> r & 1U) != 0 && !guaranteed.Has(r)) guaranteed.Set(r, 0);
    }
    label(guaranteed, counts_as_over_);
  }
  if (!forest.options().strict) return;
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t)
    counts_as_over_[t] = LabelledOver(*snapshot.tasks[t].record);
}

}  // namespace batholith
