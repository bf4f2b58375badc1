#include "plugins/elasticquota/revocation.h"

#include <algorithm>
#include <map>

#include "quota/revoke.h"

namespace batholith {

Revocation::Revocation(const Snapshot& snapshot, const SessionState& state,
                       const QuotaForest& forest, const QuotaPods& pods,
                       const DisruptionBudgets& budgets)
    : snapshot_(snapshot),
      state_(state),
      units_(snapshot),
      forest_(forest),
      pods_(pods),
      budgets_(budgets),
      clock_(forest),
      left_(budgets.Left(snapshot, state)) {}

std::vector<TaskIndex> Revocation::Of(QuotaIndex q, std::vector<TaskIndex> held) {
  const auto plan = [&](const std::vector<TaskIndex>& of) { return Plan(q, of); };
  const std::vector<TaskIndex> wanted = plan(held);
  std::vector<TaskIndex> out = budgets_.PassOver(snapshot_, std::move(held), left_, plan);
  const auto stays = [&](TaskIndex t) { return std::ranges::find(out, t) == out.end(); };
  if (IsOverWithout(q, out) && std::ranges::any_of(wanted, stays)) protected_.push_back(q);
  return out;
}

std::vector<TaskIndex> Revocation::Plan(QuotaIndex q, const std::vector<TaskIndex>& tasks) const {
  const QuotaNode& n = forest_.node(q);
  std::vector<const QuotaPod*> weights;
  std::vector<std::vector<TaskIndex>> leave;       // with each of them
  std::map<const EvictionUnit*, QuotaPod> wholes;  // each weighs as much as all of its pods
  for (const TaskIndex t : WithoutPartsOfUnits(units_, state_, tasks)) {
    const EvictionUnit* unit = units_.Find(t);
    if (unit != nullptr && wholes.contains(unit)) continue;
    leave.push_back(unit == nullptr ? std::vector<TaskIndex>{t} : StandingOf(*unit, state_));
    weights.push_back(&pods_.pod(t));
    if (unit == nullptr) continue;
    QuotaPod& whole = wholes.emplace(unit, pods_.pod(t)).first->second;
    for (const TaskIndex other : leave.back()) {
      if (other != t) whole.request += pods_.pod(other).request;
    }
    weights.back() = &whole;
  }
  std::vector<TaskIndex> out;
  for (const std::size_t v : PlanRevocation(n.assigned, forest_.LimitOf(q).Copy(), n.max.present(),
                                            forest_.dimensions(), weights))
    out.insert(out.end(), leave[v].begin(), leave[v].end());
  return out;
}

bool Revocation::IsOverWithout(QuotaIndex q, std::span<const TaskIndex> leaving) const {
  const QuotaNode& n = forest_.node(q);
  ResourceVector used = n.assigned;
  for (const TaskIndex t : leaving) used -= pods_.pod(t).request;
  return FirstAbove(used, forest_.LimitOf(q), n.max.present(), forest_.dimensions()) >= 0;
}

void Revocation::Report(CycleResult& result) const {
  clock_.ReportMarks(snapshot_.now, result);
  for (const QuotaIndex q : protected_) {
    const ElasticQuotaRecord& record = *forest_.node(q).record;
    const std::string text = KindAndName(record) +
                             ": it holds more than its runtime, by pods that their disruption "
                             "budgets protect for now";
    result.quota_notices.push_back({record.meta.Key(), record.group, record.kind, text});
    result.notices.push_back(text);
  }
}

}  // namespace batholith
