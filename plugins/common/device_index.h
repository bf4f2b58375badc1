#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "api/snapshot.h"
#include "devices/device_state.h"
#include "framework/extension_points.h"
#include "framework/session_state.h"

namespace batholith {

// The claims for devices of a session's tasks, kept up to date by the owner's AllocationObserver
// calls. Built for snapshots with devices_matter. One thread changes it, several may ask between.
class DeviceIndex {
 public:
  DeviceIndex(const Snapshot& snapshot, const SessionState& state);

  // Whether the task has claims that nodes are asked about.
  bool Concerns(TaskIndex task) const { return ClassOf(task) != kNoDevice; }
  // What a node has for them changes by what happens on other nodes.
  bool LooksAround(TaskIndex task) const {
    return Concerns(task) && state_.LooksAround(ClassOf(task));
  }
  // What tells its claims from others; nothing where it has none.
  void Sign(TaskIndex task, std::string& out) const;
  // The text for the detail of a refusal.
  std::string TextOf(const Unfit& unfit) const { return state_.TextOf(unfit); }
  // The check, and then whether nodes have the devices that the task's claims ask for. `leaving`:
  // how many tasks are leaving, read whenever it is asked; both outlive the check.
  std::unique_ptr<NodeCheck> AddTo(std::unique_ptr<NodeCheck> check, TaskIndex task,
                                   const std::size_t& leaving) const;

  void Place(TaskIndex task, NodeIndex node);
  void Remove(TaskIndex task);
  void Leave(TaskIndex task);
  void Stay(TaskIndex task);
  void AddChoices(TaskIndex task, std::vector<DeviceChoice>& out) const;

 private:
  class OnNodes;

  DeviceState::ClassId ClassOf(TaskIndex task) const {
    return state_.ClassOf(static_cast<std::uint32_t>(task.value()));
  }

  DeviceState state_;
};

}  // namespace batholith
