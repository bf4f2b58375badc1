#include "plugins/resource_strategy_fit/resource_strategy_fit.h"

#include <algorithm>

#include "framework/describe_plugin.h"
#include "plugins/resource_strategy_fit/options.h"
#include "plugins/resource_strategy_fit/pod_strategy.h"

namespace batholith {
namespace {

constexpr std::string_view kTypeKey = "volcano.sh/resource-strategy-scoring-type";
constexpr std::string_view kWeightKey = "volcano.sh/resource-strategy-weight";
constexpr double kMaxNodeScore = 100;

const std::string* Annotation(const PodRecord& pod, std::string_view key) {
  const auto it = pod.meta.annotations.find(key);
  return it == pod.meta.annotations.end() ? nullptr : &it->second;
}

class ResourceStrategyFit final : public Plugin,
                                  public NodeOrder,
                                  public Predicate,
                                  public TaskSignature {
 public:
  ResourceStrategyFit(const PluginContext& context, const ResourceStrategyFitOptions& options)
      : snapshot_(context.snapshot), state_(context.state), options_(options) {
    common_ = Resolve(nullptr, nullptr);
    for (std::size_t t = 0; t < snapshot_.tasks.size(); ++t) {
      const PodRecord& pod = *snapshot_.tasks[t].record;
      const std::string* type = Annotation(pod, kTypeKey);
      const std::string* weights = Annotation(pod, kWeightKey);
      if (type != nullptr || weights != nullptr) own_[TaskIndex(t)] = Resolve(type, weights);
    }
    for (const ResourceStrategyFitOptions::Device& device : options_.sra) {
      const auto r = snapshot_.schema.Find(device.name);
      sra_.push_back({r, device.weight});
      sra_weights_ += device.weight;
    }
  }

  void Score(TaskIndex task, std::span<const NodeIndex> nodes,
             std::span<double> scores) const override {
    const auto own = own_.find(task);
    const std::vector<Part>& parts = own == own_.end() ? common_ : own->second;
    const ResourceVector& request = snapshot_.task(task).request;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (options_.weight > 0) {
        scores[i] += FitScore(parts, request, nodes[i]) * kMaxNodeScore *
                     static_cast<double>(options_.weight);
      }
      if (options_.sra_weight > 0) {
        scores[i] += SraScore(request, nodes[i]) * kMaxNodeScore * options_.sra_weight;
      }
    }
  }

  // Devices keep cpu and memory for those who will use them.
  std::unique_ptr<NodeCheck> Prepare(TaskIndex task) const override {
    const ResourceVector& request = snapshot_.task(task).request;
    for (const ResourceStrategyFitOptions::Device& device : options_.proportional) {
      const auto r = snapshot_.schema.Find(device.name);
      if (r && request[*r] > 0) return nullptr;
    }
    if (options_.proportional.empty()) return nullptr;
    return MakeNodeCheck([this, &request](NodeIndex node) { return CheckDevices(request, node); });
  }

  std::string DetailText(const Unfit& unfit) const override {
    return unfit.reason == Reason::kProportional ? snapshot_.schema.name(unfit.detail)
                                                 : std::string();
  }

  void Sign(TaskIndex task, std::string& out) const override {
    const PodRecord& pod = *snapshot_.task(task).record;
    for (const std::string_view key : {kTypeKey, kWeightKey}) {
      if (const std::string* text = Annotation(pod, key)) out += *text;
      out += '\x1e';
    }
  }

 private:
  struct Part {
    std::size_t resource = 0;
    bool most = false;
    double weight = 1;
  };
  struct Scarce {
    std::optional<std::size_t> resource;  // none: no node has it
    double weight = 1;
  };

  Unfit CheckDevices(const ResourceVector& request, NodeIndex node) const {
    constexpr double kMemoryUnit = 1e6;  // devices count in thousandths: memory ratios are in GB
    const ResourceVector& idle = state_.idle(node);
    const auto left = [&](std::size_t r) {
      return static_cast<double>(ResourceVector::SubSaturating(idle[r], request[r]));
    };
    for (const ResourceStrategyFitOptions::Device& device : options_.proportional) {
      const auto r = snapshot_.schema.Find(device.name);
      if (!r || idle[*r] <= 0) continue;
      const auto devices = static_cast<double>(idle[*r]);
      if (left(ResourceSchema::kCpu) < devices * device.cpu ||
          left(ResourceSchema::kMemory) < devices * device.memory * kMemoryUnit) {
        return {Reason::kProportional, false, static_cast<std::uint32_t>(*r)};
      }
    }
    return {};
  }

  // A pod's own weights say which resources count, its own type how all of them do.
  std::vector<Part> Resolve(const std::string* type, const std::string* weights) const {
    std::vector<Part> parts;
    const auto own = weights == nullptr ? std::nullopt : ParsePodWeights(*weights);
    const bool typed = type != nullptr && (*type == "MostAllocated" || *type == "LeastAllocated");
    for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
      if (r == ResourceSchema::kPods) continue;
      const std::string& name = snapshot_.schema.name(r);
      const FitStrategy* strategy = options_.Find(name);
      FitStrategy chosen = strategy == nullptr ? FitStrategy{} : *strategy;
      if (own) {
        const auto it = own->find(name);
        if (it == own->end()) continue;
        chosen.weight = it->second;
      } else if (strategy == nullptr) {
        continue;
      }
      if (typed) chosen.most = *type == "MostAllocated";
      parts.push_back({r, chosen.most, static_cast<double>(chosen.weight)});
    }
    return parts;
  }

  // 0 to 1; 0 where the task does not fit.
  double FitScore(const std::vector<Part>& parts, const ResourceVector& request,
                  NodeIndex node) const {
    const ResourceRow allocatable = state_.allocatable(node);
    double sum = 0;
    double weights = 0;
    for (const Part& part : parts) {
      const std::int64_t asked = request[part.resource];
      if (asked == 0) continue;
      weights += part.weight;
      const std::int64_t capacity = allocatable[part.resource];
      if (capacity == 0) continue;
      const std::int64_t used =
          ResourceVector::AddSaturating(state_.used(node)[part.resource], asked);
      if (used > capacity) return 0;
      const std::int64_t good = part.most ? used : capacity - used;
      sum += static_cast<double>(good) * part.weight / static_cast<double>(capacity);
    }
    return weights > 0 ? sum / weights : 0;
  }

  // 1 on a node without any of the scarce resources, 0 where the task's own are missing.
  double SraScore(const ResourceVector& request, NodeIndex node) const {
    const ResourceRow allocatable = state_.allocatable(node);
    for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
      if (r != ResourceSchema::kPods && request[r] > 0 && allocatable[r] == 0) return 0;
    }
    if (sra_weights_ <= 0) return 0;
    double present = 0;
    for (const Scarce& scarce : sra_) {
      if (scarce.resource && allocatable[*scarce.resource] > 0) present += scarce.weight;
    }
    return 1 - present / sra_weights_;
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  const ResourceStrategyFitOptions& options_;
  std::vector<Part> common_;
  std::map<TaskIndex, std::vector<Part>> own_;  // of pods with annotations
  std::vector<Scarce> sra_;
  double sra_weights_ = 0;
};

}  // namespace

PluginDescriptor ResourceStrategyFitPlugin() {
  return DescribePlugin<ResourceStrategyFit, ReadResourceStrategyFitOptions>({
      .name = "resource-strategy-fit",
      .summary = "packs or spreads per resource",
      .arguments = ResourceStrategyFitArguments(),
  });
}

}  // namespace batholith
