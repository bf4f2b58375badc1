#include "plugins/common/device_index.h"

#include <utility>

#include "plugins/common/pod_index.h"

namespace batholith {
namespace {

std::uint32_t NumberOfTask(TaskIndex task) { return static_cast<std::uint32_t>(task.value()); }
std::uint32_t NumberOfNode(NodeIndex node) { return static_cast<std::uint32_t>(node.value()); }

std::vector<const NodeRecord*> NodeRecords(const Snapshot& snapshot) {
  std::vector<const NodeRecord*> out;
  out.reserve(snapshot.nodes.size());
  for (const NodeFacts& node : snapshot.nodes) out.push_back(node.record);
  return out;
}

std::vector<DevicePod> DevicePods(const Snapshot& snapshot, const SessionState& state) {
  std::vector<DevicePod> out(snapshot.tasks.size());
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    const TaskIndex task(t);
    const TaskFacts& facts = snapshot.task(task);
    const TaskStatus status = state.status(task);
    const bool ended = status == TaskStatus::kSucceeded || status == TaskStatus::kFailed;
    if (ended || facts.sample || facts.record->device_claims.empty()) continue;
    out[t].record = facts.record;
    if (state.node(task).is_none() || !StandsOnNode(state, task)) continue;
    out[t].node = NumberOfNode(state.node(task));
    out[t].leaving = status == TaskStatus::kReleasing;
  }
  return out;
}

}  // namespace

// Another check, and what its node has of devices.
class DeviceIndex::OnNodes final : public NodeCheck {
 public:
  OnNodes(std::unique_ptr<NodeCheck> first, const DeviceState& state, DeviceState::ClassId c,
          const std::size_t& leaving)
      : first_(std::move(first)), state_(state), class_(c), leaving_(leaving) {}

  void Refresh() override { first_->Refresh(); }
  Unfit Check(NodeIndex node) const override {
    const Unfit why = first_->Check(node);
    return why.ok() ? Ask(node, /*with_leaving=*/true) : why;
  }
  Unfit CheckReserved(NodeIndex node) const override {
    const Unfit why = first_->CheckReserved(node);
    return why.ok() ? Ask(node, /*with_leaving=*/false) : why;
  }
  bool LeavingMatter() const override {
    return first_->LeavingMatter() || (leaving_ > 0 && state_.MindsPods(class_));
  }
  Unfit CheckAlone(NodeIndex node) const override {
    const Unfit why = first_->CheckAlone(node);
    return why.ok() && !state_.LooksAround(class_) ? Ask(node, /*with_leaving=*/true) : why;
  }
  bool LooksAround() const override { return first_->LooksAround() || state_.LooksAround(class_); }
  void PassAround(std::span<const NodeIndex> nodes, std::span<std::uint8_t> passes) const override {
    if (first_->LooksAround()) first_->PassAround(nodes, passes);
    if (!state_.LooksAround(class_)) return;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (passes[i] != 0 && !Ask(nodes[i], /*with_leaving=*/true).ok()) passes[i] = 0;
    }
  }

 private:
  Unfit Ask(NodeIndex node, bool with_leaving) const {
    return state_.Check(class_, NumberOfNode(node), with_leaving);
  }

  const std::unique_ptr<NodeCheck> first_;
  const DeviceState& state_;
  const DeviceState::ClassId class_;
  const std::size_t& leaving_;
};

DeviceIndex::DeviceIndex(const Snapshot& snapshot, const SessionState& state)
    : state_(*snapshot.objects, NodeRecords(snapshot), DevicePods(snapshot, state)) {}

void DeviceIndex::Sign(TaskIndex task, std::string& out) const {
  if (Concerns(task)) out += "d" + std::to_string(ClassOf(task));
}

std::unique_ptr<NodeCheck> DeviceIndex::AddTo(std::unique_ptr<NodeCheck> check, TaskIndex task,
                                              const std::size_t& leaving) const {
  if (!Concerns(task)) return check;
  return std::make_unique<OnNodes>(std::move(check), state_, ClassOf(task), leaving);
}

void DeviceIndex::Place(TaskIndex task, NodeIndex node) {
  state_.Place(NumberOfTask(task), NumberOfNode(node));
}
void DeviceIndex::Remove(TaskIndex task) { state_.Remove(NumberOfTask(task)); }
void DeviceIndex::Leave(TaskIndex task) { state_.Leave(NumberOfTask(task)); }
void DeviceIndex::Stay(TaskIndex task) { state_.Stay(NumberOfTask(task)); }

void DeviceIndex::AddChoices(TaskIndex task, std::vector<DeviceChoice>& out) const {
  for (DeviceChoice& choice : state_.ChoicesOf(NumberOfTask(task)))
    out.push_back(std::move(choice));
}

}  // namespace batholith
