#include "plugins/network_topology_aware/network_topology_aware.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "api/printable.h"
#include "framework/describe_plugin.h"
#include "plugins/network_topology_aware/options.h"
#include "topology/hyper_node_tree.h"

namespace batholith {
namespace {

Domains FindDomains(const Snapshot& snapshot, const std::vector<std::string>& label_keys) {
  std::vector<const NodeRecord*> nodes;
  nodes.reserve(snapshot.nodes.size());
  for (const NodeFacts& node : snapshot.nodes) nodes.push_back(node.record);
  const std::vector<HyperNodeRecord>& hyper_nodes = snapshot.objects->hyper_nodes;
  return hyper_nodes.empty() ? DomainsOfLabels(label_keys, nodes)
                             : DomainsOfHyperNodes(hyper_nodes, nodes);
}

class NetworkTopologyAware final : public Plugin,
                                   public TopologyOwner,
                                   public NodeOrder,
                                   public TaskSignature {
 public:
  NetworkTopologyAware(const PluginContext& context, const NetworkTopologyOptions& options)
      : snapshot_(context.snapshot),
        state_(context.state),
        options_(options),
        orders_domains_(context.points.Has(Point::kHyperNodeOrder)),
        orders_nodes_(context.points.Has(Point::kNodeOrder)),
        domains_(FindDomains(snapshot_, options.label_keys)),
        packing_(options.resources, snapshot_.schema) {
    std::set<std::int64_t> tiers;
    for (std::size_t d = 1; d < tree().size(); ++d) tiers.insert(tree()[DomainIndex(d)].tier);
    for (const std::int64_t tier : tiers) all_tiers_ += WeightOf(tier);
  }

  const DomainTree& tree() const override { return domains_.tree; }

  const DomainSums& sums() override {
    if (!sums_) sums_.emplace(tree(), snapshot_, state_);
    sums_->Refresh();
    return *sums_;
  }

  TopologyLimit LimitOf(JobIndex job) const override {
    return Limit(snapshot_.job(job).record->network_topology);
  }

  // For a soft part the job's own limit counts.
  TopologyLimit LimitOf(JobIndex job, std::uint32_t sub_job) const override {
    const JobFacts& facts = snapshot_.job(job);
    const std::int32_t policy = facts.sub_jobs[sub_job].policy;
    const TopologyLimit of_job = LimitOf(job);
    if (policy < 0) return of_job;
    TopologyLimit own =
        Limit(facts.record->sub_group_policies[static_cast<std::size_t>(policy)].network_topology);
    if (own.asked && !own.hard && of_job.hard) own.highest_tier = of_job.highest_tier;
    return own;
  }

  double Fullness(const ResourceVector& request, DomainIndex d) override {
    return orders_domains_ ? Packed(request, d) : 0;
  }

  // Source: its BatchNodeOrder.
  double Closeness(DomainIndex held, DomainIndex leaf) const override {
    if (!orders_nodes_) return 0;
    if (held == leaf && leaf != DomainTree::kRoot) return 1;
    const std::int64_t span = tree().root_tier() - tree().lowest_tier();
    if (span <= 0) return 0;
    const std::int64_t apart = tree()[tree().Common(held, leaf)].tier;
    return static_cast<double>(tree().root_tier() - apart) / static_cast<double>(span);
  }

  double weight() const override { return options_.weight * 100; }

  void ReportDomains(CycleResult& result) const override {
    result.notices.insert(result.notices.end(), domains_.notices.begin(), domains_.notices.end());
    std::map<std::string_view, std::string_view> unknown;  // tier names, and who has them first
    const auto look = [&](const JobFacts& job, const std::optional<NetworkTopology>& topology) {
      if (!topology || !topology->limited() || topology->highest_tier_name.empty()) return;
      if (!domains_.tier_of_name.contains(topology->highest_tier_name))
        unknown.try_emplace(topology->highest_tier_name, job.key);
    };
    for (const JobFacts& job : snapshot_.jobs) {
      look(job, job.record->network_topology);
      for (const SubGroupPolicy& policy : job.record->sub_group_policies)
        look(job, policy.network_topology);
    }
    for (const auto& [name, key] : unknown)
      result.notices.push_back("PodGroup " + std::string(key) + ": no HyperNode has the tierName " +
                               ShortLine(name, 80) + ", so its pods are only kept close");
  }

  // Pods with a topology are scored by the search that knows what their job holds.
  void Score(TaskIndex, std::span<const NodeIndex>, std::span<double>) const override {}

  void ScoreTogether(TaskIndex task, std::span<const NodeIndex> nodes,
                     std::span<double> scores) override {
    if (ScoreDependence(task) != Dependence::kCluster) return;
    (void)sums();
    of_leaf_.assign(tree().size(), -1);
    const ResourceVector& request = snapshot_.task(task).request;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const DomainIndex leaf = tree().LeafOf(nodes[i]);
      double& score = of_leaf_[leaf.value()];
      if (score < 0) score = PlainScore(request, leaf) * weight();
      scores[i] += score;
    }
  }

  Dependence ScoreDependence(TaskIndex task) const override {
    const bool scored =
        options_.normal_pods && options_.weight > 0 && !tree().only_root() && !HasTopology(task);
    return scored ? Dependence::kCluster : Dependence::kNode;
  }

  void Sign(TaskIndex task, std::string& out) const override {
    if (HasTopology(task)) out += 't';
  }

 private:
  TopologyLimit Limit(const std::optional<NetworkTopology>& topology) const {
    if (!topology || !topology->of_hyper_nodes()) return {};
    TopologyLimit out{
        .asked = true, .hard = topology->limited(), .highest_tier = tree().root_tier()};
    if (!out.hard) return out;
    if (topology->highest_tier) {
      out.highest_tier = *topology->highest_tier;
    } else if (const auto tier = domains_.tier_of_name.find(topology->highest_tier_name);
               tier != domains_.tier_of_name.end()) {
      out.highest_tier = tier->second;
    } else {
      out.hard = false;  // as in Volcano; ReportDomains tells it
    }
    // Without any domain nothing is known to be close.
    if (tree().only_root()) out = {.asked = true, .hard = true, .highest_tier = -1};
    return out;
  }

  bool HasTopology(TaskIndex task) const {
    const TaskFacts& facts = snapshot_.task(task);
    return !facts.job.is_none() && LimitOf(facts.job, facts.sub_job).asked;
  }

  // REQUIRES: sums_ is as the session stands now.
  double Packed(const ResourceVector& request, DomainIndex d) const {
    return packing_.Of(request, sums_->used(d), sums_->allocatable(d),
                       PackingScore::Missing::kNoFit);
  }

  // Of a pod without a topology: the domains around the leaf, closer ones counting more; a tier
  // without one counts as full.
  double PlainScore(const ResourceVector& request, DomainIndex leaf) const {
    double sum = all_tiers_;
    for (; leaf != DomainTree::kRoot; leaf = tree()[leaf].parent)
      sum -= WeightOf(tree()[leaf].tier) * (1 - Packed(request, leaf));
    return all_tiers_ > 0 ? sum / all_tiers_ : 0;
  }

  double WeightOf(std::int64_t tier) const {
    return std::pow(options_.fading, static_cast<double>(tier - 1));
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  const NetworkTopologyOptions& options_;
  const bool orders_domains_;
  const bool orders_nodes_;
  Domains domains_;
  const PackingScore packing_;
  double all_tiers_ = 0;            // what the tiers that domains have weigh together
  std::optional<DomainSums> sums_;  // once somebody asked
  std::vector<double> of_leaf_;     // scratch: by domain
};

}  // namespace

PluginDescriptor NetworkTopologyAwarePlugin() {
  return DescribePlugin<NetworkTopologyAware, ReadNetworkTopologyOptions>({
      .name = "network-topology-aware",
      .summary = "keeps the pods of a gang inside one HyperNode, or as close as can be had",
      .arguments = NetworkTopologyArguments(),
  });
}

}  // namespace batholith
