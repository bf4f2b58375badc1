#pragma once

#include "api/effect.h"
#include "api/snapshot.h"
#include "quota/forest.h"
#include "quota/pods.h"

namespace batholith {

// Appends the figures of every quota, the labels that pods should have, and what is wrong with the
// objects. with_pods fills QuotaStatus::pods.
void ReportForest(const Snapshot& snapshot, const QuotaForest& forest, const QuotaPods& pods,
                  bool with_pods, CycleResult& result);

}  // namespace batholith
