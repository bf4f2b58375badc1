#pragma once

#include <vector>

#include "api/effect.h"
#include "quota/forest.h"

namespace batholith {

// Since when quotas use more than their runtime. Nothing survives a session, so the time is kept on
// the object (kOverSinceAnnotation); a new scheduler goes on where the
// old one stopped.
class OveruseClock {
 public:
  explicit OveruseClock(const QuotaForest& forest);

  // True where a monitored quota has been over for the delay; it starts anew then. The system quota
  // and quotas without a runtime are not monitored.
  bool IsDue(QuotaIndex q, TimeNs now);
  // The marks that differ from the objects', by what is over now.
  void ReportMarks(TimeNs now, CycleResult& result) const;

 private:
  bool IsMonitored(QuotaIndex q) const;
  bool IsOver(QuotaIndex q) const;

  const QuotaForest& forest_;
  std::vector<TimeNs> since_;  // by quota; 0: it was not over
};

}  // namespace batholith
