#pragma once

#include "quota/forest.h"

namespace batholith {

// How far a quota is: those below their min come first, then those that use less of what they may.
struct QuotaShare {
  bool reached_min = true;
  double of_limit = 0;  // used ÷ limit of the resource where that is most
};

QuotaShare ShareOfQuota(const QuotaForest& forest, QuotaIndex q, const ResourceVector& used);

}  // namespace batholith
