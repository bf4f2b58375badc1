#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/effect.h"
#include "framework/action.h"

namespace batholith {

// Empty where none runs.
std::string NameOf(const ActionDescriptor* action);

// What a session decided so far, by index. Names are put to it once, when the session closes: 16
// bytes for a pod that is bound until then, where a Bind takes 184 and its strings.
class SessionEffects {
 public:
  // `action`: that decides; nullptr: none runs.
  void Bind(TaskIndex task, NodeIndex node, const ActionDescriptor* action,
            std::vector<VolumeChoice> volumes, std::vector<DeviceChoice> devices);
  struct Eviction {
    TaskIndex task;
    NodeIndex node;
    const ActionDescriptor* action = nullptr;
    JobIndex for_job;
    std::string reason;
    EvictBy by = EvictBy::kDeletion;
  };
  void Evict(Eviction eviction) { evictions_.push_back(std::move(eviction)); }
  void Reserve(TaskIndex task, NodeIndex node, const ActionDescriptor* action);
  // What was reserved for the task is not, any more. Cost: O(its reservations).
  void Forget(TaskIndex task);

  // Into the result's binds, evictions and reservations, each in the order in which they came.
  void Tell(const Snapshot& snapshot, CycleResult& result) const;

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Bound {
    TaskIndex task;
    NodeIndex node;
    const ActionDescriptor* action;
  };
  struct Volumes {
    std::size_t bind;
    std::vector<VolumeChoice> choices;
  };
  struct Devices {
    std::size_t bind;
    std::vector<DeviceChoice> choices;
  };
  struct Reserved {
    TaskIndex task;
    NodeIndex node;
    const ActionDescriptor* action;
    std::uint32_t before;  // the one before it of the same task
    bool forgotten = false;
  };

  std::vector<Bound> binds_;
  std::vector<Volumes> volumes_;  // of the few binds that have some, in their order
  std::vector<Devices> devices_;  // likewise
  std::vector<Eviction> evictions_;
  std::vector<Reserved> reserved_;
  std::vector<std::uint32_t> last_reserved_;  // by task; as long as the last one that has any
};

}  // namespace batholith
