#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/session.h"

namespace batholith {

// Pods that are evicted together or not at all: those of a PodGroup of scheduling.k8s.io whose
// disruptionMode is `all`, or those of all groups below a composite group that says so.
struct EvictionUnit {
  std::string name;              // as messages name it: its kind, namespace and name
  std::vector<TaskIndex> tasks;  // in index order, whatever their status
  // Some of it can never be evicted: it belongs to another scheduler, or its node is unknown here.
  bool stays = false;
};

// All units of a snapshot; they do not change in a session. Cost: O(groups), and O(pods) where
// there are units.
class EvictionUnits {
 public:
  explicit EvictionUnits(const Snapshot& snapshot);
  // Those of the session, which are made when first asked for.
  static const EvictionUnits& Of(Session& session);
  // nullptr: nobody has asked for them in the session.
  static const EvictionUnits* Known(const Session& session);

  bool none() const { return units_.empty(); }
  const std::vector<EvictionUnit>& all() const { return units_; }
  // nullptr: the task falls alone.
  const EvictionUnit* Find(TaskIndex task) const {
    if (unit_of_.empty() || unit_of_[task.value()] == kAlone) return nullptr;
    return &units_[unit_of_[task.value()]];
  }
  // Whether tasks of the job are in a unit.
  bool Concern(JobIndex job) const { return !concerned_.empty() && concerned_[job.value()]; }

 private:
  static constexpr std::uint32_t kAlone = UINT32_MAX;

  std::vector<EvictionUnit> units_;
  std::vector<std::uint32_t> unit_of_;  // by TaskIndex
  std::vector<bool> concerned_;         // by JobIndex
};

// Whom the unit takes with it: what runs or is bound now, in index order. Empty: nobody does, or
// the unit cannot fall, since some of it stays or was placed in this very session.
std::vector<TaskIndex> StandingOf(const EvictionUnit& unit, const SessionState& state);

// The tasks without those of units that are not among them with all that stand of them.
std::vector<TaskIndex> WithoutPartsOfUnits(const EvictionUnits& units, const SessionState& state,
                                           std::vector<TaskIndex> tasks);

// Why the task is evicted: `why`, and with whom it falls.
std::string EvictionReason(const EvictionUnits& units, TaskIndex task, std::string_view why);

}  // namespace batholith
