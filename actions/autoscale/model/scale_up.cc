#include "actions/autoscale/model/scale_up.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "actions/autoscale/model/balance.h"
#include "actions/autoscale/model/estimator.h"
#include "actions/autoscale/model/expander.h"
#include "actions/autoscale/model/node_room.h"

namespace batholith {
namespace {

using Parts = std::vector<DemandPart>;

std::int64_t CountOf(const Parts& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::int64_t{0},
                         [](std::int64_t sum, const DemandPart& part) { return sum + part.count; });
}

class ScaleUpPlanner {
 public:
  ScaleUpPlanner(const AutoscaleInput& input, const AutoscaleConf& conf, const ScaleUpBase& base,
                 std::uint64_t draws)
      : input_(input), conf_(conf), base_(base), room_(input, base.landing, base.fresh) {
    plan_.growth.resize(input.groups.size());
    plan_.draws = draws;
    for (std::size_t g = 0; g < input.groups.size(); ++g) {
      const NodeGroup& group = input.groups[g];
      if (!group.node_template) continue;
      bins_.Add(g, base.upcoming[g], group.node_template->usable);
      largest_ = ResourceVector::Max(largest_, group.node_template->allocatable);
    }
    nodes_ = NodesOfCluster();
  }

  ScaleUpPlan Run() && {
    if (conf_.enforce_min_size) LiftToMin();
    PlaceGangs();
    PlaceRest(DemandOrigin::kPods);
    room_.TakePlaceholders();
    for (std::size_t g = 0; g < input_.groups.size(); ++g) {
      if (input_.groups[g].node_template) {
        bins_.Add(g, base_.slack_hold[g], input_.groups[g].node_template->usable);
      }
    }
    PlaceRest(DemandOrigin::kSlack);
    plan_.needed = room_.Landings();
    return std::move(plan_);
  }

 private:
  using Signature = std::vector<std::pair<std::size_t, std::int64_t>>;

  // With those on their way.
  std::int64_t NodesOfCluster() const {
    std::int64_t nodes = 0;
    std::vector<std::int64_t> there(input_.groups.size());
    for (const AutoscaleNode& node : input_.nodes) {
      if (node.deleting) continue;
      ++nodes;
      if (node.group != AutoscaleNode::kNoGroup) ++there[node.group];
    }
    for (std::size_t g = 0; g < there.size(); ++g) {
      nodes += std::max<std::int64_t>(0, base_.sizes[g] - there[g]);
    }
    return nodes;
  }

  std::int64_t RoomInGroup(std::size_t g) const {
    return input_.groups[g].max - base_.sizes[g] - plan_.growth[g].total();
  }
  std::int64_t RoomInCluster() const {
    if (conf_.max_nodes_total <= 0) return std::numeric_limits<std::int64_t>::max();
    return conf_.max_nodes_total - nodes_ - added_;
  }
  std::int64_t Headroom(std::size_t g) const {
    if (base_.closed[g] != ScaleReason::kNone) return 0;
    const std::int64_t room =
        std::min({RoomInGroup(g), RoomInCluster(), conf_.max_nodes_per_scale_up - added_});
    return std::max<std::int64_t>(0, room);
  }

  ScaleReason WhyNotIn(std::size_t g, const DemandShape& shape) const {
    if (!shape.fits_group[g]) return ScaleReason::kNoMatchingGroup;
    const NodeGroup& group = input_.groups[g];
    const ScaleReason closed = base_.closed[g];
    if (closed == ScaleReason::kInvalidBounds) return closed;
    if (!group.node_template) return ScaleReason::kNoTemplate;
    if (CountInRoom(shape, group.node_template->usable) == 0) return ScaleReason::kTooLarge;
    if (closed != ScaleReason::kNone) return closed;
    if (RoomInGroup(g) <= 0) return ScaleReason::kGroupAtMax;
    return RoomInCluster() <= 0 ? ScaleReason::kMaxNodes : ScaleReason::kMaxNodesPerCycle;
  }
  ScaleReason WhyNot(std::size_t shape) const {
    ScaleReason reason = ScaleReason::kNoMatchingGroup;
    for (std::size_t g = 0; g < input_.groups.size(); ++g) {
      reason = std::max(reason, WhyNotIn(g, input_.shapes[shape]));
    }
    return reason;
  }

  void LiftToMin() {
    for (std::size_t g = 0; g < input_.groups.size(); ++g) {
      const std::int64_t lift = std::min(input_.groups[g].min - base_.sizes[g], Headroom(g));
      if (lift <= 0) continue;
      plan_.growth[g].min_size = lift;
      added_ += lift;
      bins_.Add(g, lift, input_.groups[g].node_template->usable);
    }
  }

  // Lowers the counts by what finds a place without new nodes.
  void PlaceOnHand(Parts& parts, NodeRoom::Which which) {
    for (const std::size_t p : PackingOrder(input_.shapes, parts, largest_)) {
      DemandPart& part = parts[p];
      if (part.count > 0) part.count -= room_.Place(part.shape, part.count, which);
      if (part.count > 0) part.count -= bins_.Place(input_.shapes, part.shape, part.count);
    }
  }

  ScaleOption OptionOf(std::size_t g, const Parts& parts, const Packing& packing) const {
    ScaleOption option;
    option.group = g;
    option.name = input_.groups[g].name;
    option.nodes = packing.nodes;
    option.capacity = input_.groups[g].node_template->capacity;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      option.helped += packing.placed[p];
      option.requested.AddTimes(input_.shapes[parts[p].shape].request, packing.placed[p]);
    }
    return option;
  }

  // Lowers the counts by what new nodes hold.
  void Grow(Parts& parts, std::int64_t GroupGrowth::* reason) {
    while (CountOf(parts) > 0) {
      std::vector<ScaleOption> options;
      std::map<std::size_t, Packing> packings;
      for (std::size_t g = 0; g < input_.groups.size(); ++g) {
        const std::int64_t limit = Headroom(g);
        if (limit == 0) continue;
        Packing packing = PackNewNodes(input_.shapes, parts, input_.groups[g], g, limit);
        if (packing.nodes == 0) continue;
        options.push_back(OptionOf(g, parts, packing));
        packings.emplace(g, std::move(packing));
      }
      if (options.empty()) return;
      const ScaleOption pick = PickOption(std::move(options), conf_, plan_.draws++);
      const Packing& packing = packings.at(pick.group);
      for (std::size_t p = 0; p < parts.size(); ++p) parts[p].count -= packing.placed[p];
      Spread(pick, parts, packing, reason);
      bins_.Append(packing.bins);
      added_ += packing.nodes;
    }
  }

  // Books the nodes on the chosen group, or on it and those that are like it.
  void Spread(const ScaleOption& pick, const Parts& parts, const Packing& packing,
              std::int64_t GroupGrowth::* reason) {
    std::vector<std::size_t> alike;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> max;
    for (std::size_t g = 0; g < input_.groups.size(); ++g) {
      if (g != pick.group && !CanStandInFor(g, pick.group, parts, packing)) continue;
      alike.push_back(g);
      sizes.push_back(base_.sizes[g] + plan_.growth[g].total());
      max.push_back(sizes.back() + Headroom(g));
    }
    const std::vector<std::int64_t> grown = BalanceSizes(sizes, max, pick.nodes);
    for (std::size_t i = 0; i < alike.size(); ++i) {
      plan_.growth[alike[i]].*reason += grown[i] - sizes[i];
    }
  }

  bool CanStandInFor(std::size_t g, std::size_t picked, const Parts& parts,
                     const Packing& packing) const {
    if (!conf_.balance_similar_groups || Headroom(g) == 0) return false;
    const NodeTemplate& mine = *input_.groups[g].node_template;
    const NodeTemplate& other = *input_.groups[picked].node_template;
    if (!AreSimilar(mine, other) || !other.usable.FitsIn(mine.usable)) return false;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (packing.placed[p] > 0 && !input_.shapes[parts[p].shape].fits_group[g]) return false;
    }
    return true;
  }

  void PlaceGangs() {
    std::vector<std::vector<std::size_t>> members(input_.gangs.size());
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < input_.demand.size(); ++d) {
      const std::size_t gang = input_.demand[d].gang;
      if (gang == Demand::kNoGang) continue;
      if (members[gang].empty()) order.push_back(gang);
      members[gang].push_back(d);
    }
    fits_.assign(input_.gangs.size(), true);
    std::map<Signature, ScaleReason> causes;
    for (const std::size_t gang : order) {
      Parts parts;
      Signature signature;
      for (const std::size_t d : members[gang]) {
        const Demand& demand = input_.demand[d];
        parts.push_back({demand.shape, demand.required});
        signature.emplace_back(demand.shape, demand.required);
      }
      std::ranges::sort(signature);
      // Room only gets less, so what has failed fails again.
      if (!causes.contains(signature)) {
        const ScaleReason cause = PlaceGang(std::move(parts));
        if (cause == ScaleReason::kNone) continue;
        causes.emplace(signature, cause);
      }
      fits_[gang] = false;
      plan_.unfit_gangs.push_back({gang, causes.at(signature)});
      for (const std::size_t d : members[gang]) {
        plan_.unmet[ScaleReason::kGangDoesNotFit].pods += input_.demand[d].count;
      }
    }
  }

  // kNone: all have a place. Else nothing has changed.
  ScaleReason PlaceGang(Parts parts) {
    const std::size_t mark = room_.Mark();
    const NodeBins bins = bins_;
    const std::vector<GroupGrowth> growth = plan_.growth;
    const std::int64_t added = added_;
    const std::uint64_t draws = plan_.draws;
    PlaceOnHand(parts, NodeRoom::Which::kAll);
    Grow(parts, &GroupGrowth::pods);
    const auto without =
        std::ranges::find_if(parts, [](const DemandPart& part) { return part.count > 0; });
    if (without == parts.end()) return ScaleReason::kNone;
    const ScaleReason cause = WhyNot(without->shape);
    room_.UndoTo(mark);
    bins_ = bins;
    plan_.growth = growth;
    added_ = added;
    plan_.draws = draws;
    return cause;
  }

  // Single pods and what gangs have beyond their minimum, or placeholders.
  void PlaceRest(DemandOrigin origin) {
    std::vector<std::int64_t> counts(input_.shapes.size());
    for (const Demand& demand : input_.demand) {
      if (demand.origin != origin) continue;
      const bool in_gang = demand.gang != Demand::kNoGang;
      if (in_gang && !fits_[demand.gang]) continue;
      counts[demand.shape] += demand.count - (in_gang ? demand.required : 0);
    }
    Parts parts;
    for (std::size_t shape = 0; shape < counts.size(); ++shape) {
      if (counts[shape] > 0) parts.push_back({shape, counts[shape]});
    }
    const bool slack = origin == DemandOrigin::kSlack;
    PlaceOnHand(parts, NodeRoom::Which::kEmpty);
    Grow(parts, slack ? &GroupGrowth::slack : &GroupGrowth::pods);
    for (const DemandPart& part : parts) {
      if (part.count == 0) continue;
      UnmetCount& unmet = plan_.unmet[WhyNot(part.shape)];
      (slack ? unmet.slack : unmet.pods) += part.count;
    }
  }

  const AutoscaleInput& input_;
  const AutoscaleConf& conf_;
  const ScaleUpBase& base_;
  NodeRoom room_;
  NodeBins bins_;
  ResourceVector largest_;
  std::vector<bool> fits_;  // by gang
  std::int64_t nodes_ = 0;  // of the cluster, with those on their way
  std::int64_t added_ = 0;
  ScaleUpPlan plan_;
};

}  // namespace

ScaleUpPlan PlanScaleUp(const AutoscaleInput& input, const AutoscaleConf& conf,
                        const ScaleUpBase& base, std::uint64_t draws) {
  return ScaleUpPlanner(input, conf, base, draws).Run();
}

}  // namespace batholith
