#include "actions/autoscale/model/drain_simulation.h"

namespace batholith {
namespace {

constexpr std::size_t kNowhere = SIZE_MAX;

std::int64_t SpentOf(const std::map<std::string, std::int64_t>& spent, const std::string& name) {
  const auto it = spent.find(name);
  return it == spent.end() ? 0 : it->second;
}

}  // namespace

DrainSimulation::DrainSimulation(const AutoscaleInput& input, const ScaleDownConf& conf,
                                 std::vector<std::size_t> destinations)
    : input_(input),
      conf_(conf),
      destinations_(std::move(destinations)),
      closed_(input.nodes.size()),
      received_(input.nodes.size()) {
  room_.reserve(input.nodes.size());
  for (std::size_t n = 0; n < input.nodes.size(); ++n) {
    room_.push_back(input.nodes[n].free);
    for (const PlaceholderCount& held : input.nodes[n].placeholders) {
      const DemandShape& shape = input.shapes[held.shape];
      for (std::int64_t i = 0; i < held.count; ++i) room_.back() -= shape.request;
      if (shape.one_per_node) lone_.insert({n, held.shape});
    }
  }
}

template <typename Fits>
std::size_t DrainSimulation::Land(const ResourceVector& request, std::vector<Landing>& landings,
                                  Fits fits) {
  for (const std::size_t node : destinations_) {
    if (closed_[node] || !request.FitsIn(room_[node]) || !fits(node)) continue;
    room_[node] -= request;
    landings.push_back({node, request});
    return node;
  }
  return kNowhere;
}

KeepReason DrainSimulation::Judge(NodePod& pod, Spending& spending, bool& moves,
                                  bool& risky) const {
  PodDrainFacts& facts = pod.drain;
  for (PdbFacts& pdb : facts.pdbs) pdb.allowed -= SpentOf(spent_.pdbs, pdb.name);
  if (facts.gang) {
    const std::string& name = facts.gang->name;
    facts.gang->running -= SpentOf(spent_.gangs, name) + SpentOf(spending.gangs, name);
  }
  const DrainVerdict verdict = JudgeDrain(facts, conf_);
  moves = verdict.kind == DrainVerdict::Kind::kDrainable && !facts.finished &&
          facts.owner_kind != "DaemonSet";
  if (!moves) return verdict.reason;
  for (const PdbFacts& pdb : facts.pdbs) risky |= ++spending.pdbs[pdb.name] > pdb.allowed;
  if (facts.gang) ++spending.gangs[facts.gang->name];
  return KeepReason::kNone;
}

bool DrainSimulation::MovePlaceholders(std::size_t node, std::vector<Landing>& landings) {
  for (const PlaceholderCount& held : input_.nodes[node].placeholders) {
    const DemandShape& shape = input_.shapes[held.shape];
    for (std::int64_t i = 0; i < held.count; ++i) {
      const std::size_t to = Land(shape.request, landings, [&](std::size_t n) {
        if (shape.one_per_node && lone_.contains({n, held.shape})) return false;
        if (!shape.closed.empty() && shape.closed[n] && !shape.closed[node]) return false;
        return input_.shape_fits(held.shape, n);
      });
      if (to == kNowhere) return false;
      if (shape.one_per_node) lone_.insert({to, held.shape});
    }
  }
  return true;
}

DrainSimulation::Outcome DrainSimulation::Move(std::size_t node, std::vector<Landing>& landings,
                                               Spending& spending) {
  Outcome out;
  if (input_.nodes[node].pods > 0) {
    for (NodePod& pod : input_.pods_of(node)) {
      bool moves = false;
      out.reason = Judge(pod, spending, moves, out.risky);
      if (out.reason != KeepReason::kNone) return out;
      if (!moves) continue;
      const std::size_t to =
          Land(pod.request, landings, [&](std::size_t n) { return input_.pod_fits(pod.id, n); });
      if (to == kNowhere) {
        out.reason = KeepReason::kNoPlaceToMovePods;
        return out;
      }
      out.moves.push_back({pod.id, to});
    }
  }
  if (!MovePlaceholders(node, landings)) out.reason = KeepReason::kNoPlaceToMoveSlack;
  return out;
}

void DrainSimulation::Keep(const std::vector<Landing>& landings, const Spending& spending) {
  for (const Landing& landing : landings) received_[landing.node] = true;
  for (const auto& [name, count] : spending.pdbs) spent_.pdbs[name] += count;
  for (const auto& [name, count] : spending.gangs) spent_.gangs[name] += count;
}

void DrainSimulation::Reserve(std::size_t node) {
  closed_[node] = true;
  std::vector<Landing> landings;
  Spending spending;
  for (NodePod& pod : input_.pods_of(node)) {
    bool moves = false;
    bool risky = false;
    Judge(pod, spending, moves, risky);
    if (!moves) continue;
    Land(pod.request, landings, [&](std::size_t n) { return input_.pod_fits(pod.id, n); });
  }
  Keep(landings, spending);
}

DrainSimulation::Outcome DrainSimulation::TryDrain(std::size_t node) {
  std::vector<Landing> landings;
  Spending spending;
  const std::set<std::pair<std::size_t, std::size_t>> lone = lone_;
  closed_[node] = true;
  Outcome out = Move(node, landings, spending);
  if (out.reason != KeepReason::kNone) {
    for (const Landing& landing : landings) room_[landing.node] += landing.request;
    lone_ = lone;
    closed_[node] = false;
    out.moves.clear();
    return out;
  }
  Keep(landings, spending);
  return out;
}

}  // namespace batholith
