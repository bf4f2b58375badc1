#include "plugins/nodelabel/nodelabel.h"

#include <algorithm>

#include "framework/describe_plugin.h"
#include "plugins/nodelabel/options.h"

namespace batholith {
namespace {

class Nodelabel final : public Plugin, public Predicate {
 public:
  Nodelabel(const PluginContext& context, const NodelabelOptions& options) {
    for (const NodeFacts& node : context.snapshot.nodes)
      fits_.push_back(Fits(node.record->meta.labels, options));
  }

  std::unique_ptr<NodeCheck> Prepare(TaskIndex /*task*/) const override {
    return MakeNodeCheck([this](NodeIndex node) {
      return fits_[node.value()] ? Unfit() : Unfit{Reason::kNodeLabels, /*resolvable=*/false, 0};
    });
  }

 private:
  static bool Fits(const Labels& labels, const NodelabelOptions& options) {
    const auto has = [&](const std::string& key) { return labels.contains(key); };
    return std::ranges::all_of(options.present, has) && std::ranges::none_of(options.absent, has);
  }

  std::vector<bool> fits_;  // by NodeIndex
};

}  // namespace

PluginDescriptor NodelabelPlugin() {
  return DescribePlugin<Nodelabel, ReadNodelabelOptions>({
      .name = "nodelabel",
      .summary = "keeps tasks off nodes without certain labels",
      .arguments = NodelabelArguments(),
  });
}

}  // namespace batholith
