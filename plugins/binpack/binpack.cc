#include "plugins/binpack/binpack.h"

#include <algorithm>

#include "framework/describe_plugin.h"
#include "plugins/binpack/options.h"

namespace batholith {
namespace {

class Binpack final : public Plugin, public NodeOrder, public NodeFill {
 public:
  Binpack(const PluginContext& context, const BinpackOptions& options)
      : snapshot_(context.snapshot), state_(context.state), weight_(options.weight) {
    parts_.push_back({ResourceSchema::kCpu, options.cpu});
    parts_.push_back({ResourceSchema::kMemory, options.memory});
    for (const auto& [name, weight] : options.resources) {
      const auto r = snapshot_.schema.Find(name);
      if (!r || *r <= ResourceSchema::kMemory) continue;
      if (std::ranges::find(parts_, *r, &Part::resource) != parts_.end()) continue;
      parts_.push_back({*r, weight});
    }
  }

  void Score(TaskIndex task, std::span<const NodeIndex> nodes,
             std::span<double> scores) const override {
    if (weight_ <= 0) return;
    const ResourceVector& request = snapshot_.task(task).request;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      scores[i] += NodeScore(request, nodes[i]) * 100 * weight_;
    }
  }

  FillStyle PreferredFill() const override { return FillStyle::kPack; }

 private:
  struct Part {
    std::size_t resource = 0;
    double weight = 1;
  };

  // 0 to 1; 0 where the task does not fit.
  double NodeScore(const ResourceVector& request, NodeIndex node) const {
    const ResourceRow allocatable = state_.allocatable(node);
    double sum = 0;
    double weights = 0;
    for (const Part& part : parts_) {
      const std::int64_t asked = request[part.resource];
      if (asked == 0) continue;
      weights += part.weight;
      const std::int64_t capacity = allocatable[part.resource];
      if (capacity == 0 || part.weight == 0) continue;
      const std::int64_t used =
          ResourceVector::AddSaturating(state_.used(node)[part.resource], asked);
      if (used > capacity) return 0;
      sum += static_cast<double>(used) * part.weight / static_cast<double>(capacity);
    }
    return weights > 0 ? sum / weights : 0;
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  const double weight_;
  std::vector<Part> parts_;
};

}  // namespace

PluginDescriptor BinpackPlugin() {
  return DescribePlugin<Binpack, ReadBinpackOptions>({
      .name = "binpack",
      .summary = "fills nodes up before it opens the next",
      .arguments = BinpackArguments(),
  });
}

}  // namespace batholith
