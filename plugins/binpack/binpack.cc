#include "plugins/binpack/binpack.h"

#include "framework/describe_plugin.h"
#include "plugins/binpack/options.h"

namespace batholith {
namespace {

class Binpack final : public Plugin, public NodeOrder, public NodeFill {
 public:
  Binpack(const PluginContext& context, const BinpackOptions& options)
      : snapshot_(context.snapshot),
        state_(context.state),
        weight_(options.weight),
        packing_(options.resources, context.snapshot.schema) {}

  void Score(TaskIndex task, std::span<const NodeIndex> nodes,
             std::span<double> scores) const override {
    if (weight_ <= 0) return;
    const ResourceVector& request = snapshot_.task(task).request;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double full = packing_.Of(request, state_.used(nodes[i]), state_.allocatable(nodes[i]),
                                      PackingScore::Missing::kEmpty);
      scores[i] += full * 100 * weight_;
    }
  }

  FillStyle PreferredFill() const override { return FillStyle::kPack; }

 private:
  const Snapshot& snapshot_;
  const SessionState& state_;
  const double weight_;
  const PackingScore packing_;
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
