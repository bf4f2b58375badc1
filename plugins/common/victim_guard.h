#pragma once

#include "framework/extension_points.h"

namespace batholith {

// A guard that spares the same tasks whether they would be preempted or reclaimed.
class VictimGuard : public Preemptable, public Reclaimable {
 public:
  Victims PreemptVictims(TaskIndex, std::span<const TaskIndex> candidates) const final {
    return Spare(candidates);
  }
  VictimRole PreemptRole() const final { return Role(); }
  bool PreemptSpares(JobIndex job) const final { return SparesAll(job); }
  Victims ReclaimVictims(TaskIndex, std::span<const TaskIndex> candidates) const final {
    return Spare(candidates);
  }
  VictimRole ReclaimRole() const final { return Role(); }
  bool ReclaimSpares(JobIndex job) const final { return SparesAll(job); }

 protected:
  ~VictimGuard() = default;

  // Those of the candidates, which come first to fall first, that may go.
  virtual std::vector<TaskIndex> Spare(std::span<const TaskIndex> candidates) const = 0;
  virtual VictimRole Role() const { return VictimRole::kGuard; }
  // True only if no task of the job may go, until one of them moves; false says nothing.
  virtual bool SparesAll(JobIndex job) const {
    (void)job;
    return false;
  }
};

}  // namespace batholith
