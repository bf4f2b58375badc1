#include "quota/overuse_clock.h"

#include "api/value_text.h"

namespace batholith {
namespace {

TimeNs MarkOf(const ElasticQuotaRecord& record) {
  const auto it = record.meta.annotations.find(kOverSinceAnnotation);
  if (it == record.meta.annotations.end()) return 0;
  std::string_view text = it->second;
  return TakeNumber(text).value_or(0);
}

}  // namespace

OveruseClock::OveruseClock(const QuotaForest& forest) : forest_(forest), since_(forest.size()) {
  for (std::size_t i = 0; i < forest.size(); ++i) {
    if (IsMonitored(QuotaIndex(i))) since_[i] = MarkOf(*forest.node(QuotaIndex(i)).record);
  }
}

bool OveruseClock::IsMonitored(QuotaIndex q) const {
  const QuotaNode& n = forest_.node(q);
  return n.role == QuotaRole::kQuota && n.policy.limit == QuotaPolicy::Limit::kRuntime &&
         !n.in_tree.is_none();
}

bool OveruseClock::IsOver(QuotaIndex q) const {
  const QuotaNode& n = forest_.node(q);
  return FirstAbove(n.assigned, forest_.LimitOf(q), n.max.present(), forest_.dimensions()) >= 0;
}

bool OveruseClock::IsDue(QuotaIndex q, TimeNs now) {
  if (!IsMonitored(q)) return false;
  TimeNs& since = since_[q.value()];
  if (!IsOver(q)) {
    since = 0;
    return false;
  }
  if (since == 0) since = now;
  if (ResourceVector::SubSaturating(now, since) < forest_.options().delay_evict_ns) return false;
  since = now;
  return true;
}

void OveruseClock::ReportMarks(TimeNs now, CycleResult& result) const {
  for (std::size_t i = 0; i < since_.size(); ++i) {
    const QuotaIndex q(i);
    if (!IsMonitored(q)) continue;
    const TimeNs mark = !IsOver(q) ? 0 : since_[i] != 0 ? since_[i] : now;
    const ElasticQuotaRecord& record = *forest_.node(q).record;
    if (mark != MarkOf(record)) result.marks.push_back({record.meta.Key(), record.group, mark});
  }
}

}  // namespace batholith
