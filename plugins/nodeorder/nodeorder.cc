#include "plugins/nodeorder/nodeorder.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "plugins/common/domains.h"

namespace batholith {
namespace {

class Nodeorder final : public Plugin, public NodeOrder {
 public:
  explicit Nodeorder(const PluginContext& context)
      : snapshot_(context.snapshot),
        state_(context.state),
        least_(Weight(context, "leastrequested.weight")),
        most_(Weight(context, "mostrequested.weight")),
        node_affinity_(Weight(context, "nodeaffinity.weight")),
        pod_affinity_(Weight(context, "podaffinity.weight")),
        balanced_(Weight(context, "balancedresource.weight")),
        taints_(Weight(context, "tainttoleration.weight")),
        images_(Weight(context, "imagelocality.weight")),
        spread_(Weight(context, "podtopologyspread.weight")),
        gpu_(context.snapshot.schema.Find("nvidia.com/gpu")) {
    for (const NodeFacts& node : snapshot_.nodes) {
      any_image_ = any_image_ || !node.record->images.empty();
      for (const Taint& t : node.record->taints) {
        soft_taints_ = soft_taints_ || t.effect == TaintEffect::kPreferNoSchedule;
      }
    }
    for (const TaskFacts& task : snapshot_.tasks) {
      const PodConstraints& c = *task.record->constraints;
      any_affinity_ = any_affinity_ || !c.required_affinity.empty() ||
                      !c.preferred_affinity.empty() || !c.preferred_anti_affinity.empty();
    }
  }

  Dependence ScoreDependence(TaskIndex task) const override {
    const bool cluster = (taints_ > 0 && soft_taints_) || (pod_affinity_ > 0 && any_affinity_) ||
                         (spread_ > 0 && HasSoftSpread(task));
    return cluster ? Dependence::kCluster : Dependence::kNode;
  }

  void Score(TaskIndex task, std::span<const NodeIndex> nodes,
             std::span<double> scores) const override {
    for (std::size_t i = 0; i < nodes.size(); ++i) scores[i] += OwnScore(task, nodes[i]);
    if (pod_affinity_ > 0 && any_affinity_) AddAffinity(task, nodes, scores);
    if (taints_ > 0) AddTaints(task, nodes, scores);
    if (spread_ > 0 && HasSoftSpread(task)) AddSpread(task, nodes, scores);
  }

 private:
  static double Weight(const PluginContext& context, const char* name) {
    return static_cast<double>(context.args.Int(name));
  }

  bool HasSoftSpread(TaskIndex task) const {
    const auto& all = snapshot_.task(task).record->constraints->topology_spread;
    return std::ranges::any_of(all, [](const TopologySpread& s) { return !s.hard; });
  }

  // Used share of a resource with the task on the node; above 1 when it does not fit.
  double Used(TaskIndex task, NodeIndex node, std::size_t r) const {
    const std::int64_t capacity = snapshot_.node(node).allocatable[r];
    if (capacity <= 0) return 1;
    const std::int64_t used = state_.used(node)[r] + snapshot_.task(task).request[r];
    return static_cast<double>(used) / static_cast<double>(capacity);
  }

  double OwnScore(TaskIndex task, NodeIndex node) const {
    double score = 0;
    const double cpu = Used(task, node, ResourceSchema::kCpu);
    const double memory = Used(task, node, ResourceSchema::kMemory);
    const auto least = [](double used) { return used > 1 ? 0.0 : (1 - used) * 100; };
    const auto most = [](double used) { return used > 1 ? 0.0 : used * 100; };
    if (images_ > 0 && any_image_) score += images_ * ImageScore(task, node);
    if (least_ > 0) score += least_ * (least(cpu) + least(memory)) / 2;
    if (most_ > 0) score += most_ * (most(cpu) + most(memory)) / 2;
    if (balanced_ > 0)
      score += balanced_ * Balanced(task, node, std::min(cpu, 1.0), std::min(memory, 1.0));
    if (node_affinity_ > 0) {
      const NodeRecord& record = *snapshot_.node(node).record;
      for (const PreferredNodeTerm& t :
           snapshot_.task(task).record->constraints->preferred_node_terms) {
        if (MatchesNodeTerm(t.term, record)) score += node_affinity_ * t.weight;
      }
    }
    return score;
  }

  // 100 × (1 − standard deviation of the used shares).
  double Balanced(TaskIndex task, NodeIndex node, double cpu, double memory) const {
    if (gpu_ && snapshot_.node(node).allocatable[*gpu_] > 0 &&
        snapshot_.task(task).request[*gpu_] > 0) {
      const double gpu = std::min(Used(task, node, *gpu_), 1.0);
      const double mean = (cpu + memory + gpu) / 3;
      const double variance = ((cpu - mean) * (cpu - mean) + (memory - mean) * (memory - mean) +
                               (gpu - mean) * (gpu - mean)) /
                              3;
      return (1 - std::sqrt(variance)) * 100;
    }
    return (1 - std::abs(cpu - memory) / 2) * 100;
  }

  // 23 MB × containers … 1000 MB × containers, images weighted by the part of nodes that have them.
  double ImageScore(TaskIndex task, NodeIndex node) const {
    const std::vector<std::string>& wanted = snapshot_.task(task).record->constraints->images;
    double sum = 0;
    for (const std::string& image : wanted) {
      const std::int64_t here = SizeOn(node, image);
      if (here == 0) continue;
      std::size_t holders = 0;
      for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n)
        holders += SizeOn(NodeIndex(n), image) > 0 ? 1 : 0;
      sum += static_cast<double>(here) * static_cast<double>(holders) /
             static_cast<double>(snapshot_.nodes.size());
    }
    constexpr double kMb = 1024.0 * 1024.0;
    const double low = 23 * kMb;
    const double high = 1000 * kMb * static_cast<double>(std::max<std::size_t>(wanted.size(), 1));
    return 100 * (std::clamp(sum, low, high) - low) / (high - low);
  }

  std::int64_t SizeOn(NodeIndex node, const std::string& image) const {
    for (const NodeImage& i : snapshot_.node(node).record->images) {
      for (const std::string& name : i.names) {
        if (name == image || name == image + ":latest") return i.size_bytes;
      }
    }
    return 0;
  }

  void AddAffinity(TaskIndex task, std::span<const NodeIndex> nodes,
                   std::span<double> scores) const {
    const DomainCounts domains = ScoreAffinity(snapshot_, state_, task);
    std::vector<double> raw(nodes.size(), 0);
    for (const auto& [domain, weight] : domains) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::string* value = LabelOf(*snapshot_.node(nodes[i]).record, domain.first);
        if (value != nullptr && *value == domain.second) raw[i] += static_cast<double>(weight);
      }
    }
    if (raw.empty()) return;
    const auto [low, high] = std::ranges::minmax(raw);
    if (high == low) return;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      scores[i] += pod_affinity_ * 100 * (raw[i] - low) / (high - low);
  }

  void AddTaints(TaskIndex task, std::span<const NodeIndex> nodes, std::span<double> scores) const {
    const std::vector<Toleration>& tolerations =
        snapshot_.task(task).record->constraints->tolerations;
    std::vector<double> raw(nodes.size(), 0);
    double most = 0;
    for (std::size_t i = 0; soft_taints_ && i < nodes.size(); ++i) {
      for (const Taint& t : snapshot_.node(nodes[i]).record->taints) {
        if (t.effect == TaintEffect::kPreferNoSchedule && !Tolerates(tolerations, t)) ++raw[i];
      }
      most = std::max(most, raw[i]);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      scores[i] += taints_ * (most > 0 ? 100 - 100 * raw[i] / most : 100);
    }
  }

  void AddSpread(TaskIndex task, std::span<const NodeIndex> nodes, std::span<double> scores) const {
    const std::vector<SpreadCounts> counts = CountSpread(snapshot_, state_, task, /*hard=*/false);
    std::vector<double> raw(nodes.size(), 0);
    std::vector<bool> labelled(nodes.size(), true);
    std::size_t k = 0;
    for (const TopologySpread& s : snapshot_.task(task).record->constraints->topology_spread) {
      if (s.hard) continue;
      const SpreadCounts& c = counts[k++];
      const double weight = std::log(static_cast<double>(c.by_value.size()) + 2);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::string* value = LabelOf(*snapshot_.node(nodes[i]).record, s.topology_key);
        if (value == nullptr) {
          labelled[i] = false;
          continue;
        }
        const auto it = c.by_value.find(*value);
        const double n = it == c.by_value.end() ? 0 : static_cast<double>(it->second);
        raw[i] += n * weight + static_cast<double>(s.max_skew - 1);
      }
    }
    double low = HUGE_VAL;
    double high = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!labelled[i]) continue;
      raw[i] = std::round(raw[i]);
      low = std::min(low, raw[i]);
      high = std::max(high, raw[i]);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!labelled[i]) continue;
      scores[i] += spread_ * (high == 0 ? 100 : 100 * (high + low - raw[i]) / high);
    }
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  double least_, most_, node_affinity_, pod_affinity_, balanced_, taints_, images_, spread_;
  std::optional<std::size_t> gpu_;
  bool any_image_ = false;
  bool soft_taints_ = false;
  bool any_affinity_ = false;
};

}  // namespace

std::unique_ptr<Plugin> MakeNodeorder(const PluginContext& context) {
  return std::make_unique<Nodeorder>(context);
}

}  // namespace batholith
