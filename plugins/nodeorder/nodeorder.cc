#include "plugins/nodeorder/nodeorder.h"

#include <algorithm>
#include <array>

#include "api/node_match.h"
#include "framework/describe_plugin.h"
#include "framework/node_rows.h"
#include "plugins/common/allocation_scores.h"
#include "plugins/common/pod_affinity.h"
#include "plugins/common/scores_in_step.h"
#include "plugins/common/topology_spread.h"
#include "plugins/nodeorder/image_index.h"
#include "plugins/nodeorder/options.h"
#include "plugins/nodeorder/resource_score.h"
#include "plugins/nodeorder/unnamed_requests.h"

namespace batholith {
namespace {

constexpr std::string_view kGpu = "nvidia.com/gpu";
constexpr std::int64_t kMaxScore = 100;

double Product(std::int64_t weight, std::int64_t score) {
  return static_cast<double>(weight) * static_cast<double>(score);
}

std::int64_t PreferredNodeScore(const PodConstraints& constraints, const NodeRecord& node) {
  std::int64_t sum = 0;
  for (const PreferredNodeTerm& preferred : constraints.preferred_node_terms) {
    if (MatchesTerm(preferred.term, node)) sum += preferred.weight;
  }
  return sum;
}

class Nodeorder final : public Plugin,
                        public NodeOrder,
                        public NodeFill,
                        public AllocationObserver {
 public:
  Nodeorder(const PluginContext& context, const NodeorderOptions& options)
      : snapshot_(context.snapshot),
        state_(context.state),
        weights_(options),
        images_(context.snapshot),
        unnamed_(context.snapshot, context.state),
        gpu_(context.snapshot.schema.Find(kGpu)) {
    for (const NodeFacts& node : snapshot_.nodes) {
      for (const Taint& taint : node.record->taints) {
        if (taint.effect != TaintEffect::kPreferNoSchedule) continue;
        if (std::ranges::find(soft_taints_, taint) == soft_taints_.end()) {
          soft_taints_.push_back(taint);
        }
      }
    }
    if (!snapshot_.labels_matter || (weights_.pod_affinity == 0 && weights_.spread == 0)) return;
    index_ = std::make_unique<PodIndex>(snapshot_, state_);
    scopes_.resize(snapshot_.base_classes);
  }

  void Score(TaskIndex task, std::span<const NodeIndex> nodes,
             std::span<double> scores) const override {
    const auto each = [&](std::span<const NodeIndex> some, std::span<double> of_some) {
      ScoreEach(task, some, of_some);
    };
    if (!ScoresRows(task)) return each(nodes, scores);
    AddInStep(ScoresOf(task), state_, nodes, scores, each);
  }

  // Where cpu and memory are all that is looked at.
  bool ScoresRows(TaskIndex task) const override {
    const ResourceVector& request = snapshot_.task(task).request;
    return !unnamed_.any() && images_.empty() && !(gpu_ && request[*gpu_] > 0) &&
           request[ResourceSchema::kCpu] <= AllocationScores::kMostUsed &&
           request[ResourceSchema::kMemory] <= AllocationScores::kMostUsed;
  }

  void ScoreRows(TaskIndex task, const NodeRows& rows, std::span<double> scores) const override {
    const auto serves = [&](std::size_t r) {
      return AllocationScores::Serves(rows.allocatable_bounds(r), rows.used_bounds(r));
    };
    if (!serves(ResourceSchema::kCpu) || !serves(ResourceSchema::kMemory))
      return ScoreEach(task, rows.nodes(), scores);
    const auto column = [&](std::size_t r) {
      return AllocationScores::Columns::Resource{rows.allocatable(r), rows.used(r), rows.share(r)};
    };
    ScoresOf(task).AddTo(scores, {column(ResourceSchema::kCpu), column(ResourceSchema::kMemory)});
  }

  void ScoreTogether(TaskIndex task, std::span<const NodeIndex> nodes,
                     std::span<double> scores) override {
    const PodConstraints& constraints = *snapshot_.task(task).record->constraints;
    if (weights_.taints != 0) AddTaintScores(constraints, nodes, scores);
    if (weights_.node_affinity != 0 && !constraints.preferred_node_terms.empty())
      AddPreferenceScores(constraints, nodes, scores);
    if (index_ == nullptr) return;
    const ClassIndex c = snapshot_.task(task).base_class;
    if (weights_.pod_affinity != 0) {
      AddAffinityScores(*index_, c, nodes, static_cast<double>(weights_.pod_affinity), scores);
    }
    if (weights_.spread != 0 && HasSpread(*index_, c, /*hard=*/false)) {
      AddSpreadScores(*index_, Scope(c), nodes, static_cast<double>(weights_.spread), scores);
    }
  }

  Dependence ScoreDependence(TaskIndex task) const override {
    const TaskFacts& facts = snapshot_.task(task);
    const PodConstraints& constraints = *facts.record->constraints;
    if (weights_.taints != 0 && MindsTaints(constraints)) return Dependence::kCluster;
    if (weights_.node_affinity != 0 && !constraints.preferred_node_terms.empty())
      return Dependence::kCluster;
    if (index_ == nullptr) return Dependence::kNode;
    const ClassIndex c = facts.base_class;
    const bool affinity = weights_.pod_affinity != 0 && HasAffinityScore(*index_, c);
    const bool spread = weights_.spread != 0 && HasSpread(*index_, c, /*hard=*/false);
    return affinity || spread ? Dependence::kCluster : Dependence::kNode;
  }

  void OnAllocate(TaskIndex task, NodeIndex node) override {
    unnamed_.Update(task);
    if (index_ != nullptr) index_->Add(task, node);
  }
  void OnDeallocate(TaskIndex task, NodeIndex node) override {
    unnamed_.Update(task);
    if (index_ != nullptr) index_->Remove(task, node);
  }

  FillStyle PreferredFill() const override { return FillStyle::kSpread; }

 private:
  AllocationScores ScoresOf(TaskIndex task) const {
    const ResourceVector& request = snapshot_.task(task).request;
    return {{weights_.least, weights_.most, weights_.balanced},
            request[ResourceSchema::kCpu],
            request[ResourceSchema::kMemory]};
  }

  void ScoreEach(TaskIndex task, std::span<const NodeIndex> nodes, std::span<double> scores) const {
    const PodConstraints& constraints = *snapshot_.task(task).record->constraints;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      scores[i] += NodeScore(task, constraints, nodes[i]);
  }

  // The parts that need no other node.
  double NodeScore(TaskIndex task, const PodConstraints& constraints, NodeIndex node) const {
    const ResourceVector& request = snapshot_.task(task).request;
    const ResourceRow used = state_.used(node);
    const ResourceRow allocatable = state_.allocatable(node);
    const auto usage = [&](std::size_t r) {
      return Usage{ResourceVector::AddSaturating(used[r], request[r]), allocatable[r], used[r]};
    };
    const std::size_t gpu = gpu_.value_or(0);
    const std::array<Usage, 3> usages{usage(ResourceSchema::kCpu), usage(ResourceSchema::kMemory),
                                      usage(gpu)};
    const std::span<const Usage> basic(usages.data(), 2);
    std::array<Usage, 2> named{usages[0], usages[1]};  // as if every container named a request
    if (unnamed_.any()) {
      const PodRecord& pod = *snapshot_.task(task).record;
      named[0].requested =
          ResourceVector::AddSaturating(named[0].requested, pod.unnamed_cpu + unnamed_.CpuOn(node));
      named[1].requested = ResourceVector::AddSaturating(
          named[1].requested, pod.unnamed_memory + unnamed_.MemoryOn(node));
    }
    // A device counts for those who ask for it only.
    const bool with_gpu = gpu_ && request[gpu] > 0;
    double sum = 0;
    if (weights_.least != 0) sum += Product(weights_.least, LeastAllocatedScore(named));
    if (weights_.most != 0) sum += Product(weights_.most, MostAllocatedScore(named));
    if (weights_.balanced != 0) {
      sum += Product(weights_.balanced, BalancedScore(with_gpu ? std::span(usages) : basic));
    }
    if (weights_.images != 0 && !images_.empty()) {
      sum += static_cast<double>(weights_.images) * images_.Score(constraints, node);
    }
    return sum;
  }

  // 100 for the node that meets most of what is preferred, the others in proportion.
  void AddPreferenceScores(const PodConstraints& constraints, std::span<const NodeIndex> nodes,
                           std::span<double> scores) const {
    std::vector<std::int64_t> sums;
    sums.reserve(nodes.size());
    for (const NodeIndex node : nodes)
      sums.push_back(PreferredNodeScore(constraints, *snapshot_.node(node).record));
    const std::int64_t most = nodes.empty() ? 0 : std::ranges::max(sums);
    if (most <= 0) return;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      scores[i] += Product(weights_.node_affinity, kMaxScore * sums[i] / most);
  }

  bool MindsTaints(const PodConstraints& constraints) const {
    return std::ranges::any_of(soft_taints_, [&](const Taint& taint) {
      return !Tolerates(constraints.tolerations, taint);
    });
  }

  void AddTaintScores(const PodConstraints& constraints, std::span<const NodeIndex> nodes,
                      std::span<double> scores) const {
    if (!MindsTaints(constraints)) {
      for (double& score : scores) score += Product(weights_.taints, kMaxScore);
      return;
    }
    std::vector<std::int64_t> minded(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      minded[i] =
          std::ranges::count_if(snapshot_.node(nodes[i]).record->taints, [&](const Taint& taint) {
            return taint.effect == TaintEffect::kPreferNoSchedule &&
                   !Tolerates(constraints.tolerations, taint);
          });
    }
    const std::int64_t most = nodes.empty() ? 0 : std::ranges::max(minded);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::int64_t score = most == 0 ? kMaxScore : kMaxScore - kMaxScore * minded[i] / most;
      scores[i] += Product(weights_.taints, score);
    }
  }

  const SpreadScope& Scope(ClassIndex c) {
    std::unique_ptr<SpreadScope>& scope = scopes_[c.value()];
    if (scope == nullptr) {
      scope = std::make_unique<SpreadScope>(snapshot_, *index_, c, /*hard=*/false);
    }
    return *scope;
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  const NodeorderOptions weights_;
  const ImageIndex images_;
  UnnamedRequests unnamed_;
  const std::optional<std::size_t> gpu_;
  std::vector<Taint> soft_taints_;   // each PreferNoSchedule taint there is, once
  std::unique_ptr<PodIndex> index_;  // none: nobody asks for pod affinity or spread
  std::vector<std::unique_ptr<SpreadScope>> scopes_;  // by base class
};

}  // namespace

PluginDescriptor NodeorderPlugin() {
  return DescribePlugin<Nodeorder, ReadNodeorderOptions>({
      .name = "nodeorder",
      .summary = "scores nodes as kube-scheduler does",
      .arguments = NodeorderArguments(),
      .retired = NodeorderRetired(),
  });
}

}  // namespace batholith
