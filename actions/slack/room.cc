#include "actions/slack/room.h"

#include <algorithm>

namespace batholith {
namespace {

// The larger of the parts of cpu and memory that are used, in 2^-20.
std::int64_t UsedPart(const Session& session, NodeIndex node) {
  std::int64_t part = 0;
  for (const std::size_t r : {ResourceSchema::kCpu, ResourceSchema::kMemory}) {
    const std::int64_t whole = session.snapshot().node(node).allocatable[r];
    if (whole <= 0) continue;
    const double used = static_cast<double>(session.state().used(node)[r]);
    const double share = std::min(used / static_cast<double>(whole), 1e9);
    part = std::max(part, static_cast<std::int64_t>(share * 1048576.0));
  }
  return part;
}

}  // namespace

SessionRoom::SessionRoom(Session& session, std::span<const SlackClass> classes,
                         const std::vector<bool>& takes_slack, SlackOrder order)
    : session_(session),
      classes_(classes),
      takes_slack_(takes_slack),
      order_by_(order),
      states_(classes.size()),
      spare_(session) {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (classes[c].sample.is_none()) continue;
    const PodRecord& pod = *session.snapshot().task(classes[c].sample).record;
    states_[c].by_node = !pod.constraints->host_ports.empty();
    for (const PodAffinityTerm& term : pod.constraints->required_anti_affinity) {
      if (SelectsItself(term, pod)) states_[c].alone.push_back({term.topology_key, {}});
    }
    states_[c].checks = &session.checks().Of(classes[c].sample);
    std::vector<HardSpread> spread = states_[c].checks->Spread();
    if (!spread.empty()) states_[c].spread = std::make_unique<SlackSpread>(std::move(spread));
  }
}

std::span<const NodeIndex> SessionRoom::Order() {
  std::vector<std::pair<std::int64_t, NodeIndex>> keys;
  for (std::size_t n = 0; n < session_.snapshot().nodes.size(); ++n) {
    const std::int64_t used = UsedPart(session_, NodeIndex(n));
    keys.emplace_back(order_by_ == SlackOrder::kPack ? -used : used, NodeIndex(n));
  }
  std::ranges::sort(keys);
  order_.clear();
  for (const auto& [key, node] : keys) order_.push_back(node);
  return order_;
}

// Whom slack is kept from waits for what leaves, and does not displace it meanwhile.
ResourceVector SessionRoom::Free(NodeIndex node) {
  if (!session_.slack_guard().on()) return spare_.Of(node);
  ResourceVector room = session_.state().idle(node);
  for (std::size_t r = 0; r < session_.snapshot().schema.size(); ++r)
    room[r] = std::min(room[r], session_.state().future_idle(node)[r]);
  return room;
}

// Room where no pod of theirs may come is of no use.
bool SessionRoom::MayStay(std::uint32_t item_class, NodeIndex node) {
  const NodeChecks* checks = states_[item_class].checks;
  if (checks == nullptr) return takes_slack_[node.value()];
  const NodeFacts& facts = session_.snapshot().node(node);
  return facts.usable && !facts.record->meta.deleting && checks->CheckUnspread(node).ok();
}

bool SessionRoom::MayCome(std::uint32_t item_class, NodeIndex node) {
  const ClassState& state = states_[item_class];
  if (state.by_node && state.nodes.contains(node)) return false;
  for (const Alone& alone : state.alone) {
    const std::string* domain = Label(node, alone.key);
    if (domain != nullptr && alone.taken.contains(*domain)) return false;
  }
  return MayStay(item_class, node);
}

void SessionRoom::OnPlaced(std::uint32_t item_class, NodeIndex node) {
  ClassState& state = states_[item_class];
  if (state.by_node) state.nodes.insert(node);
  for (Alone& alone : state.alone) {
    if (const std::string* domain = Label(node, alone.key)) alone.taken.insert(*domain);
  }
}

SlackSpread* SessionRoom::Spread(std::uint32_t item_class) {
  return states_[item_class].spread.get();
}

std::set<std::pair<std::string, std::string>> SessionRoom::ClosedDomains(
    std::uint32_t item_class) const {
  std::set<std::pair<std::string, std::string>> out;
  const SlackSpread* spread = states_[item_class].spread.get();
  if (spread == nullptr) return out;
  for (std::size_t k = 0; k < spread->constraints().size(); ++k) {
    const HardSpread& constraint = spread->constraints()[k];
    for (std::size_t n = 0; n < constraint.domain.size(); ++n) {
      const std::uint32_t domain = constraint.domain[n];
      if (domain != HardSpread::kNoDomain && spread->IsClosed(k, domain))
        out.emplace(constraint.key, *Label(NodeIndex(n), constraint.key));
    }
  }
  return out;
}

const std::string* SessionRoom::Label(NodeIndex node, const std::string& key) const {
  const Labels& labels = session_.snapshot().node(node).record->meta.labels;
  const auto it = labels.find(key);
  return it == labels.end() ? nullptr : &it->second;
}

}  // namespace batholith
