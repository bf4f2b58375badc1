#include "plugins/common/volume_index.h"

#include <algorithm>
#include <cstdint>

#include "plugins/common/pod_index.h"

namespace batholith {
namespace {

std::uint32_t NumberOf(TaskIndex task) { return static_cast<std::uint32_t>(task.value()); }
std::uint32_t NumberOf(NodeIndex node) { return static_cast<std::uint32_t>(node.value()); }

std::vector<const NodeRecord*> NodesOf(const Snapshot& snapshot) {
  std::vector<const NodeRecord*> out;
  out.reserve(snapshot.nodes.size());
  for (const NodeFacts& node : snapshot.nodes) out.push_back(node.record);
  return out;
}

std::vector<VolumePod> PodsOf(const Snapshot& snapshot, const SessionState& state) {
  std::vector<VolumePod> out(snapshot.tasks.size());
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    const TaskIndex task(t);
    const TaskStatus status = state.status(task);
    const bool ended = status == TaskStatus::kSucceeded || status == TaskStatus::kFailed;
    if (ended || snapshot.task(task).sample || snapshot.task(task).record->volumes->empty())
      continue;
    out[t].record = snapshot.task(task).record;
    if (state.node(task).is_none() || !StandsOnNode(state, task)) continue;
    out[t].node = NumberOf(state.node(task));
    out[t].leaving = status == TaskStatus::kReleasing;
  }
  return out;
}

// Evicting somebody could help.
bool IsResolvable(Reason reason) {
  return reason == Reason::kReadWriteOncePod || reason == Reason::kDiskConflict ||
         reason == Reason::kTooManyVolumes;
}

}  // namespace

VolumeIndex::VolumeIndex(const Snapshot& snapshot, const SessionState& state, VolumeRules rules)
    : state_(*snapshot.objects, NodesOf(snapshot), rules, PodsOf(snapshot, state)) {}

void VolumeIndex::Sign(TaskIndex task, std::string& out) const {
  if (Concerns(task)) out += std::to_string(ClassOf(task));
}

void VolumeIndex::Score(TaskIndex task, const VolumeScoring& scoring,
                        std::span<const NodeIndex> nodes, std::span<double> scores) const {
  if (!Concerns(task) || !state_.HasScore(ClassOf(task))) return;
  std::vector<VolumeDecision> chosen;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::int64_t score =
        state_.Score(ClassOf(task), NumberOf(nodes[i]), scoring.shape, chosen);
    scores[i] += static_cast<double>(scoring.weight * score);
  }
}

void VolumeIndex::Place(TaskIndex task, NodeIndex node) {
  state_.Place(NumberOf(task), NumberOf(node));
}
void VolumeIndex::Remove(TaskIndex task, NodeIndex node) {
  state_.Remove(NumberOf(task), NumberOf(node));
}
void VolumeIndex::Leave(TaskIndex task, NodeIndex node) {
  state_.Leave(NumberOf(task), NumberOf(node));
}
void VolumeIndex::Stay(TaskIndex task, NodeIndex node) {
  state_.Stay(NumberOf(task), NumberOf(node));
}

void VolumeIndex::AddChoices(TaskIndex task, std::vector<VolumeChoice>& out) const {
  for (VolumeChoice& choice : state_.ChoicesOf(NumberOf(task))) out.push_back(std::move(choice));
}

VolumeCheck::VolumeCheck(const VolumeIndex* index, TaskIndex task) {
  if (index == nullptr || !index->Concerns(task)) return;
  index_ = index;
  class_ = index->ClassOf(task);
  refused_ = index->state().NeedsOfClass(class_).refusal != ClaimRefusal::kNone;
}

Unfit VolumeCheck::Ask(Question question, NodeIndex node, bool with_leaving) const {
  if (!asks()) return {};
  if (refused_) return {Reason::kClaimsNotReady, false, class_};
  const Reason why = (index_->state().*question)(class_, NumberOf(node), with_leaving);
  return why == Reason::kNone ? Unfit{} : Unfit{why, IsResolvable(why), 0};
}

Unfit VolumeCheck::Check(NodeIndex node, bool with_leaving) const {
  return Ask(&VolumeState::Check, node, with_leaving);
}

Unfit VolumeCheck::CheckAlone(NodeIndex node, bool with_leaving) const {
  return Ask(&VolumeState::CheckAlone, node, with_leaving);
}

void VolumeCheck::PassAround(std::span<const NodeIndex> nodes,
                             std::span<std::uint8_t> passes) const {
  if (!looks_around() || nodes.empty()) return;
  if (index_->state().IsUniform(class_)) {
    if (!Ask(&VolumeState::CheckAround, nodes.front(), true).ok())
      std::ranges::fill(passes, std::uint8_t{0});
    return;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (passes[i] != 0 && !Ask(&VolumeState::CheckAround, nodes[i], true).ok()) passes[i] = 0;
  }
}

}  // namespace batholith
