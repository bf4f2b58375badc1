// Decisions about node groups in random clusters that carry them out: sizes stay within their
// limits, gangs are whole, what is taken out has its pods elsewhere, and with a load that does not
// change everything comes to rest. A failure names its seed: BATHOLITH_PROPERTY_SEED=<seed>
// BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "actions/autoscale/model/decide.h"
#include "test/actions/autoscale/autoscale_env.h"
#include "test/property/property_env.h"

namespace batholith::property {
namespace {

constexpr TimeNs kStart = Minutes(100'000);

// A cluster with a scheduler (first fit, gangs whole) and a provider that carries out sizes at once
// and brings nodes a step later.
class World {
 public:
  explicit World(std::uint64_t seed) : random_(seed) {
    conf_.mode = AutoscaleMode::kApply;
    conf_.balance_similar_groups = Chance(3);
    conf_.enforce_min_size = Chance(3);
    conf_.scale_down.max_drain = Number(1, 3);
    if (Chance(3)) conf_.max_nodes_total = Number(4, 12);
    if (Chance(4)) conf_.expanders = {ExpanderKind::kRandom};
    if (Chance(4)) conf_.expanders = {ExpanderKind::kMostPods, ExpanderKind::kLeastNodes};
    const std::int64_t groups = Number(1, 3);
    for (std::int64_t g = 0; g < groups; ++g) AddGroup(g);
    const std::int64_t shapes = Number(1, 4);
    for (std::int64_t s = 0; s < shapes; ++s) AddShape();
    const std::int64_t pods = Number(0, 20);
    for (std::int64_t p = 0; p < pods; ++p) AddPods("", 1);
    const std::int64_t gangs = Number(0, 3);
    for (std::int64_t g = 0; g < gangs; ++g) AddPods(fmt::format("gang{}", g), Number(2, 5));
    follows_moves_ = Chance(2);
    chunk_ = AddShape();
    chunks_ = Chance(2) ? Number(1, 4) : 0;
  }

  // One round of everything; whether the cluster changed.
  bool Step() {
    now_ += Minutes(3);
    NodesCome();
    bool changed = Schedule();
    PlaceChunks();
    const AutoscaleInput input = Input();
    const AutoscaleDecision decision = Decide(input, conf_, memory_, now_);
    EXPECT_EQ(Decide(input, conf_, memory_, now_).memory, decision.memory);
    CheckSizes(decision);
    CheckGangs(input, decision);
    CheckRemovals(decision);
    RecordTurns(decision);
    changed |= Apply(decision);
    memory_ = decision.memory;
    return changed;
  }
  bool follows_moves() const { return follows_moves_; }
  // How often nodes came after others had gone, with this load.
  std::int64_t turns() const { return turns_; }
  std::int64_t waiting() const {
    return std::ranges::count(pods_, std::string(), &Pod::node) + unplaced_chunks_;
  }
  // Pods end: nodes become free.
  void LoadFalls() {
    std::erase_if(pods_, [&](const Pod& pod) { return pod.gang.empty() && Chance(2); });
    chunks_ /= 2;
    turns_ = 0;
    nodes_went_ = false;
  }

 private:
  struct Pod {
    std::size_t id = 0;
    std::size_t shape = 0;
    std::string gang;
    std::string node;  // empty: waits
  };
  struct Node {
    std::string name;
    std::size_t group = 0;
    TimeNs creation = 0;
    std::int64_t chunks = 0;
  };

  std::int64_t Number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  bool Chance(std::int64_t in) { return Number(1, in) == 1; }

  void AddGroup(std::int64_t g) {
    const std::int64_t size = Number(2, 8) * 1000;
    cluster_.AddGroup(fmt::format("group{}", g), Number(0, 2), Number(3, 9), 0,
                      Amounts(size, size * 4, 20));
    const std::int64_t nodes = Number(0, 3);
    for (std::int64_t n = 0; n < nodes; ++n) AddNode(static_cast<std::size_t>(g));
    cluster_.input.groups.back().target = nodes;
  }
  void AddNode(std::size_t group) {
    nodes_.push_back({.name = fmt::format("n{}", names_++), .group = group, .creation = now_});
  }
  std::size_t AddShape() {
    const std::size_t shape =
        cluster_.AddShape(Amounts(Number(1, 30) * 100, Number(1, 120) * 100, 1));
    for (std::size_t g = 0; g < cluster_.input.groups.size(); ++g) {
      if (Chance(5)) cluster_.input.shapes[shape].fits_group[g] = false;
    }
    return shape;
  }
  void AddPods(const std::string& gang, std::int64_t count) {
    const auto last = static_cast<std::int64_t>(cluster_.input.shapes.size()) - 1;
    const auto shape = static_cast<std::size_t>(Number(0, last));
    for (std::int64_t i = 0; i < count; ++i) {
      pods_.push_back({.id = ids_++, .shape = shape, .gang = gang, .node = ""});
    }
  }

  void NodesCome() {
    for (std::size_t g = 0; g < cluster_.input.groups.size(); ++g) {
      const auto there = std::ranges::count(nodes_, g, &Node::group);
      for (auto n = there; n < cluster_.input.groups[g].target; ++n) AddNode(g);
    }
  }

  const ResourceVector& RequestOf(std::size_t shape) const {
    return cluster_.input.shapes[shape].request;
  }
  bool Allows(const Node& node, std::size_t shape) const {
    return cluster_.input.shapes[shape].fits_group[node.group];
  }
  ResourceVector FreeOf(const Node& node) const {
    ResourceVector free = cluster_.input.groups[node.group].node_template->usable;
    for (const Pod& pod : pods_) {
      if (pod.node == node.name) free -= RequestOf(pod.shape);
    }
    return free;
  }

  bool PlacePod(Pod& pod) {
    for (const Node& node : nodes_) {
      if (!Allows(node, pod.shape) || !RequestOf(pod.shape).FitsIn(FreeOf(node))) continue;
      pod.node = node.name;
      return true;
    }
    return false;
  }

  // Gangs first, as the estimator packs.
  bool Schedule() {
    bool changed = false;
    std::map<std::string, std::vector<Pod*>> gangs;
    for (Pod& pod : pods_) {
      if (!pod.gang.empty() && pod.node.empty()) gangs[pod.gang].push_back(&pod);
    }
    for (auto& [name, members] : gangs) {
      const bool all = std::ranges::all_of(members, [&](Pod* pod) { return PlacePod(*pod); });
      changed |= all;
      if (all) continue;
      for (Pod* pod : members) pod->node.clear();
    }
    for (Pod& pod : pods_) {
      if (pod.gang.empty() && pod.node.empty()) changed |= PlacePod(pod);
    }
    return changed;
  }

  // Each chunk stays where it is as long as it has room there.
  void PlaceChunks() {
    std::int64_t left = chunks_;
    const auto room = [&](const Node& node) {
      ResourceVector free = FreeOf(node);
      std::int64_t fit = 0;
      for (; Allows(node, chunk_) && RequestOf(chunk_).FitsIn(free); ++fit) {
        free -= RequestOf(chunk_);
      }
      return fit;
    };
    for (Node& node : nodes_) {
      node.chunks = std::min({node.chunks, room(node), left});
      left -= node.chunks;
    }
    for (Node& node : nodes_) {
      const std::int64_t more = std::min(room(node) - node.chunks, left);
      node.chunks += more;
      left -= more;
    }
    unplaced_chunks_ = left;
  }

  AutoscaleInput Input() {
    AutoscaleInput input = cluster_.input;
    for (const Node& node : nodes_) {
      AutoscaleNode out;
      out.name = node.name;
      out.group = node.group;
      out.creation = node.creation;
      out.allocatable = input.groups[node.group].node_template->usable;
      out.free = FreeOf(node);
      out.requested = out.allocatable - out.free;
      out.pods = std::ranges::count(pods_, node.name, &Pod::node);
      if (node.chunks > 0) out.placeholders = {{.shape = chunk_, .count = node.chunks}};
      input.nodes.push_back(std::move(out));
    }
    std::map<std::string, std::size_t> gangs;
    for (const Pod& pod : pods_) {
      if (!pod.node.empty()) continue;
      if (pod.gang.empty()) {
        input.demand.push_back({.shape = pod.shape, .count = 1});
      } else if (gangs.contains(pod.gang)) {
        ++input.demand[gangs[pod.gang]].count;
        ++input.demand[gangs[pod.gang]].required;
      } else {
        gangs[pod.gang] = input.demand.size();
        input.demand.push_back(
            {.shape = pod.shape, .count = 1, .gang = input.gangs.size(), .required = 1});
        input.gangs.push_back(pod.gang);
      }
    }
    if (unplaced_chunks_ > 0) {
      input.demand.push_back(
          {.shape = chunk_, .count = unplaced_chunks_, .origin = DemandOrigin::kSlack});
    }
    input.shape_fits = [this](std::size_t s, std::size_t n) { return Allows(nodes_[n], s); };
    input.pod_fits = [this](std::size_t id, std::size_t n) {
      return Allows(nodes_[n], std::ranges::find(pods_, id, &Pod::id)->shape);
    };
    input.pods_of = [this](std::size_t n) { return PodsOf(nodes_[n].name); };
    return input;
  }

  std::vector<NodePod> PodsOf(const std::string& node) const {
    std::vector<NodePod> out;
    for (const Pod& pod : pods_) {
      if (pod.node != node) continue;
      NodePod one;
      one.id = pod.id;
      one.request = RequestOf(pod.shape);
      one.drain.owner_kind = "ReplicaSet";
      if (!pod.gang.empty()) {
        // Every second gang has one member more than it needs.
        const auto size = std::ranges::count(pods_, pod.gang, &Pod::gang);
        one.drain.gang = {.name = pod.gang, .running = size, .min_available = MinOf(pod.gang)};
      }
      out.push_back(std::move(one));
    }
    return out;
  }
  std::int64_t MinOf(const std::string& gang) const {
    return std::ranges::count(pods_, gang, &Pod::gang) - (gang.back() % 2);
  }

  void CheckSizes(const AutoscaleDecision& decision) const {
    std::int64_t total = 0;
    for (std::size_t g = 0; g < decision.groups.size(); ++g) {
      const NodeGroup& group = cluster_.input.groups[g];
      EXPECT_LE(decision.groups[g].recommended, group.max);
      if (decision.groups[g].removals > 0) {
        EXPECT_GE(decision.groups[g].recommended, group.min);
      }
      EXPECT_TRUE(decision.groups[g].removals == 0 || decision.groups[g].growth.total() == 0);
      total += decision.groups[g].recommended;
    }
    const auto before = static_cast<std::int64_t>(nodes_.size());
    if (conf_.max_nodes_total > 0 && total > before) {
      EXPECT_LE(total, conf_.max_nodes_total);
    }
  }

  // A gang that is all that waits gets either nodes for all of it, or none.
  void CheckGangs(const AutoscaleInput& input, const AutoscaleDecision& decision) {
    if (input.gangs.size() != 1 || input.demand.size() != 1) return;
    if (!decision.unfit_gangs.empty()) {
      for (const GroupDecision& group : decision.groups) EXPECT_EQ(group.growth.pods, 0);
      return;
    }
    World after = *this;
    for (std::size_t g = 0; g < decision.groups.size(); ++g) {
      after.cluster_.input.groups[g].target = decision.groups[g].recommended;
    }
    after.NodesCome();
    after.Schedule();
    EXPECT_EQ(std::ranges::count(after.pods_, std::string(), &Pod::node), 0);
  }

  // What goes has room elsewhere, for pods and chunks together, on nodes that stay.
  void CheckRemovals(const AutoscaleDecision& decision) const {
    std::map<std::string, ResourceVector> room;
    std::map<std::string, std::int64_t> lost;
    for (const Node& node : nodes_) {
      room[node.name] = FreeOf(node);
      for (std::int64_t c = 0; c < node.chunks; ++c) room[node.name] -= RequestOf(chunk_);
    }
    for (const NodeRemoval& removal : decision.removals) room.erase(removal.name);
    for (const NodeRemoval& removal : decision.removals) {
      const std::vector<NodePod> pods = PodsOf(removal.name);
      ASSERT_EQ(pods.size(), removal.moves.size());
      for (std::size_t p = 0; p < pods.size(); ++p) {
        ASSERT_EQ(pods[p].id, removal.moves[p].pod);
        const auto to = room.find(nodes_[removal.moves[p].node].name);
        ASSERT_NE(to, room.end()) << "onto a node that goes too";
        ASSERT_TRUE(pods[p].request.FitsIn(to->second));
        to->second -= pods[p].request;
        if (!pods[p].drain.gang) continue;
        const std::string& gang = pods[p].drain.gang->name;
        ASSERT_GE(pods[p].drain.gang->running - ++lost[gang], MinOf(gang));
      }
    }
  }

  void RecordTurns(const AutoscaleDecision& decision) {
    const bool grows = std::ranges::any_of(decision.groups, [](const GroupDecision& group) {
      return group.growth.pods + group.growth.slack > 0;
    });
    if (grows && nodes_went_) ++turns_;
    nodes_went_ = !decision.removals.empty() || (nodes_went_ && !grows);
  }

  bool Apply(const AutoscaleDecision& decision) {
    bool changed = false;
    for (const NodeRemoval& removal : decision.removals) {
      for (const PodMove& move : removal.moves) {
        std::ranges::find(pods_, move.pod, &Pod::id)->node =
            follows_moves_ ? nodes_[move.node].name : std::string();
      }
    }
    for (const NodeRemoval& removal : decision.removals) {
      std::erase_if(nodes_, [&](const Node& node) { return node.name == removal.name; });
    }
    for (std::size_t g = 0; g < decision.groups.size(); ++g) {
      std::int64_t& target = cluster_.input.groups[g].target;
      changed |= target != decision.groups[g].recommended;
      target = decision.groups[g].recommended;
    }
    return changed || !decision.removals.empty();
  }

  std::mt19937_64 random_;
  AutoscaleConf conf_;
  AutoscaleMemory memory_;
  TestCluster cluster_;
  std::vector<Node> nodes_;
  std::vector<Pod> pods_;
  bool follows_moves_ = true;  // else evicted pods wait, and go where the scheduler likes
  std::size_t chunk_ = 0;
  std::int64_t chunks_ = 0;
  std::int64_t unplaced_chunks_ = 0;
  std::size_t ids_ = 0;
  std::size_t names_ = 0;
  TimeNs now_ = kStart;
  std::int64_t turns_ = 0;
  bool nodes_went_ = false;
};

// Two hours without a change. Before that, no more turns than things that had to wait: what goes
// makes room below a limit for one of them at a time. Where evicted pods go elsewhere than was
// thought, they may push slack out, which then comes back.
void ComesToRest(World& world) {
  world.Step();
  const std::int64_t waiting = world.waiting();
  int quiet = 0;
  for (int step = 0; step < 400 && quiet < 40; ++step) quiet = world.Step() ? 0 : quiet + 1;
  EXPECT_GE(quiet, 40) << "never comes to rest";
  if (world.follows_moves()) {
    EXPECT_LE(world.turns(), waiting);
  }
}

TEST(AutoscaleProperties, sizes_hold_gangs_are_whole_nothing_is_stranded_and_all_comes_to_rest) {
  ForEachSeed([](std::uint64_t seed) {
    World world(seed);
    ComesToRest(world);
    world.LoadFalls();
    ComesToRest(world);
  });
}

}  // namespace
}  // namespace batholith::property
