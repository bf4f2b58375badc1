#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "api/effect.h"
#include "api/ids.h"
#include "api/resource_vector.h"
#include "framework/shortfall.h"

namespace batholith {

// Quotas that cut across queues: a task that is bound to one may take from the others whatever
// their queues, and from several nodes for one place. A session has at most one owner of quotas,
// so nothing is combined, and no switch turns it off.
class QuotaOwner {
 public:
  struct Limits {
    bool across_nodes = false;
    std::size_t victims = 0;        // a plan with more is none
    std::size_t touched_nodes = 0;  // the same
  };
  struct Revoked {
    TaskIndex task;
    EvictBy by = EvictBy::kEviction;
  };

  virtual bool HasQuota(TaskIndex task) const = 0;
  // Tasks of the preemptor's own quota and of those that it may take from, first to fall first, in
  // whatever state they are. REQUIRES: HasQuota(preemptor).
  virtual std::span<const TaskIndex> SharingQuotas(TaskIndex preemptor) const = 0;
  virtual Limits PlanLimits(TaskIndex preemptor) const = 0;
  // Reorders victims as they should be put back, most deserving first; returns how many of them
  // their disruption budgets protect.
  virtual std::size_t OrderForPuttingBack(std::vector<TaskIndex>& victims) const = 0;
  // False: none does, whoever the victims are, so they are put back last to fall first.
  virtual bool BudgetsProtect() const = 0;
  // What the preemptor's quota holds, and whether with the preemptor, on what is evicted by now, it
  // holds no more than is fair to win by evictions; `before`: what it held before the first.
  virtual ResourceVector Held(TaskIndex preemptor) const = 0;
  virtual bool KeepsFair(TaskIndex preemptor, const ResourceVector& before) const = 0;
  // Appends all that keeps KeepsFair from saying so, as ShortfallSource does of AdmitsSoon; false:
  // that is not all.
  virtual bool AddUnfair(TaskIndex preemptor, const ResourceVector& before,
                         std::vector<Shortfall>& out) const = 0;

  // Whether the task's quota has a right to it: with the task it stays within its min, what is
  // leaving counted as gone.
  virtual bool IsOwed(TaskIndex task) const = 0;

  // What has to leave now, because its quota has held too much for too long, in the order of
  // leaving.
  virtual std::vector<Revoked> Revoke() = 0;
  // Appends the figures of the quotas, with those of each pod where `with_pods`.
  virtual void ReportQuotas(bool with_pods, CycleResult& result) const = 0;

 protected:
  ~QuotaOwner() = default;
};

}  // namespace batholith
