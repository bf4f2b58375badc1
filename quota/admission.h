#pragma once

#include <string>

#include "quota/forest.h"

namespace batholith {

// Whether a pod may get room in its quota, and what stops it. Amounts in tree units.
struct QuotaVerdict {
  enum class Why : std::uint8_t {
    kOk,
    kBroken,          // the quota takes no part: see QuotaNode::broken
    kParent,          // the quota is there for those below it, and takes no pods itself
    kMax,             // used + asked > max
    kRuntime,         // used + asked > runtime
    kAggregated,      // Σ used + asked > Σ min of the flat dialect
    kNonPreemptible,  // pods that may not be preempted are limited to min
    kBefore,          // it fits, and a job before it in the quota needs what is left
  };
  Why why = Why::kOk;
  QuotaIndex at;  // the quota that is short: the pod's own or one above it
  std::size_t dimension = 0;
  std::int64_t used = 0;
  std::int64_t asked = 0;
  std::int64_t limit = 0;
  bool ok() const { return why == Why::kOk; }
};

// Whether room is reserved for the pod that asks: what the sums of its quota hold for itself is not
// held against it.
enum class OwnReservation : std::uint8_t { kNone, kCounted };

// Whether so much could not be had even if the quota and those above it were empty.
bool IsBeyondMax(const QuotaForest& forest, QuotaIndex q, const ResourceVector& asked);

// Checks the quota and what is above it. `soon`: with what is leaving counted as
// gone, as for a place that is reserved, not taken. Cost: O(depth × dimensions).
QuotaVerdict AdmitToQuota(const QuotaForest& forest, QuotaIndex q, const QuotaPod& pod, bool soon,
                          OwnReservation own = OwnReservation::kNone);

// A sum of q or of a quota above it that is too high for a pod. Amount in tree units.
struct QuotaLack {
  static constexpr std::int64_t kForGood = INT64_MAX;
  QuotaIndex at;
  std::size_t dimension = 0;
  std::int64_t amount = 0;  // so much of what is assigned has to leave; kForGood: nothing helps
};

// Appends all that keeps AdmitToQuota, asked with `soon`, from admitting the pod. It is admitted
// once victims of it have left that give as much of each; false: that cannot be said. Cost: as
// AdmitToQuota.
bool AddQuotaLacks(const QuotaForest& forest, QuotaIndex q, const QuotaPod& pod, OwnReservation own,
                   std::vector<QuotaLack>& out);
// The same of KeepsFair.
bool AddFairLacks(const QuotaForest& forest, QuotaIndex q, const QuotaPod& pod, OwnReservation own,
                  const ResourceVector& before, std::vector<QuotaLack>& out);

// What pods of q hold but the one that asks: used, without what is leaving, and reserved.
ResourceVector HeldBy(const QuotaForest& forest, QuotaIndex q, const QuotaPod& pod,
                      OwnReservation own);

// Whether a quota of a flat dialect stays fair when a pod of it takes the place of others: it uses
// no more than its min or than `before`, what it held before any of them was evicted; where none of
// its own were, its guaranteed over-quota counts too. What it won beyond that by evictions it would
// lose by evictions, without end. True for Koordinator's, whose runtime does this, and where the
// dialect's own scheduler compares.
bool KeepsFair(const QuotaForest& forest, QuotaIndex q, const QuotaPod& pod, OwnReservation own,
               const ResourceVector& before);

// The resources in which the pod would not be admitted, as one bit per dimension, with what is
// leaving counted as gone. Cost: an AdmitToQuota for each.
std::uint32_t ShortOf(const QuotaForest& forest, QuotaIndex q, const QuotaPod& pod,
                      OwnReservation own);

// For a person: which quota, which limit, the amounts, and who holds what was lent. The amounts of
// `verdict` are in base units here.
std::string VerdictText(const QuotaForest& forest, QuotaIndex q, const QuotaVerdict& verdict);

}  // namespace batholith
