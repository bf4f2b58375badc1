#include "plugins/binpack/binpack.h"

#include <vector>

namespace batholith {
namespace {

class Binpack final : public Plugin, public NodeOrder {
 public:
  explicit Binpack(const PluginContext& context)
      : snapshot_(context.snapshot),
        state_(context.state),
        weight_(static_cast<double>(context.args.Int("binpack.weight"))),
        weights_(context.snapshot.schema.size(), -1) {
    weights_[ResourceSchema::kCpu] = static_cast<double>(context.args.Int("binpack.cpu"));
    weights_[ResourceSchema::kMemory] = static_cast<double>(context.args.Int("binpack.memory"));
    for (const std::string& name : context.args.List("binpack.resources")) {
      if (const auto r = snapshot_.schema.Find(name)) weights_[*r] = 1;
    }
    for (const auto& [name, text] : context.args.WithPrefix("binpack.resources.")) {
      const auto r = snapshot_.schema.Find(name);
      if (r && weights_[*r] >= 0) weights_[*r] = std::stod(text) < 0 ? 1 : std::stod(text);
    }
  }

  // Σ w × (used + request) / allocatable ÷ Σ w × 100 × weight over what the task asks for; 0 where
  // it does not fit.
  void Score(TaskIndex task, std::span<const NodeIndex> nodes,
             std::span<double> scores) const override {
    if (weight_ <= 0) return;
    for (std::size_t i = 0; i < nodes.size(); ++i) scores[i] += weight_ * NodeScore(task, nodes[i]);
  }

 private:
  double NodeScore(TaskIndex task, NodeIndex node) const {
    const ResourceVector& request = snapshot_.task(task).request;
    const ResourceVector& allocatable = snapshot_.node(node).allocatable;
    double sum = 0;
    double weights = 0;
    for (std::size_t r = 0; r < weights_.size(); ++r) {
      if (request[r] <= 0 || weights_[r] < 0) continue;
      weights += weights_[r];
      if (allocatable[r] <= 0 || weights_[r] == 0) continue;
      const std::int64_t used = state_.used(node)[r] + request[r];
      if (used > allocatable[r]) return 0;
      sum += weights_[r] * static_cast<double>(used) / static_cast<double>(allocatable[r]);
    }
    return weights > 0 ? sum / weights * 100 : 0;
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  double weight_;
  std::vector<double> weights_;  // by dimension; negative: not counted
};

}  // namespace

std::unique_ptr<Plugin> MakeBinpack(const PluginContext& context) {
  return std::make_unique<Binpack>(context);
}

}  // namespace batholith
