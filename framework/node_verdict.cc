#include "framework/node_verdict.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "api/wide_loops.h"

namespace batholith {
namespace {

constexpr std::int64_t kExactInDoubles = std::int64_t{1} << 53;

// What is compared are signs of differences, of several rows at once.
BATHOLITH_WIDE_LOOPS
void JudgeRows(const NodeRows& rows, std::span<const NodeVerdict::Asked> asked_amounts,
               Place* places) {
  using Bits = std::uint64_t;
  constexpr int kSign = 63;
  const std::size_t count = rows.size();
  std::array<Bits, NodeBlock::kMost> now;
  std::array<Bits, NodeBlock::kMost> later;
  std::fill_n(now.begin(), count, 0);
  std::fill_n(later.begin(), count, 0);
  for (const NodeVerdict::Asked& asked : asked_amounts) {
    const auto amount = static_cast<double>(asked.amount);
    if (rows.idle_bounds(asked.resource).least >= amount &&
        rows.future_idle_bounds(asked.resource).least >= amount)
      continue;
    const double* idle = rows.idle(asked.resource).data();
    const double* future = rows.future_idle(asked.resource).data();
    for (std::size_t i = 0; i < count; ++i) {
      now[i] |= std::bit_cast<Bits>(idle[i] - amount);
      later[i] |= std::bit_cast<Bits>(future[i] - amount);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Bits some = 2 - (now[i] >> kSign);  // Place::kNow, or else kReserved
    places[i] = static_cast<Place>(some & ((later[i] >> kSign) - 1));
  }
}

}  // namespace

NodeVerdict::NodeVerdict(const Session& session, TaskIndex task, Fit fit)
    : session_(session), fit_(fit), guarded_(!session.slack_guard().MayUse(task)) {
  for (std::size_t r = 0; r < session.snapshot().schema.size(); ++r) {
    const std::int64_t amount = session.snapshot().task(task).request[r];
    if (amount <= 0) continue;
    asked_.push_back({r, amount});
    exact_in_doubles_ = exact_in_doubles_ && amount <= kExactInDoubles;
  }
}

bool NodeVerdict::FitsIn(const ResourceRow& room, const ResourceVector* held) const {
  return std::ranges::all_of(asked_, [&](const Asked& asked) {
    if (fit_ == Fit::kSlotOnly && asked.resource != ResourceSchema::kPods) return true;
    const std::int64_t left = held == nullptr ? room[asked.resource]
                                              : ResourceVector::SubSaturating(
                                                    room[asked.resource], (*held)[asked.resource]);
    return asked.amount <= left;
  });
}

Place NodeVerdict::Of(const NodeChecks& checks, bool leaving_matter, NodeIndex node) const {
  const SessionState& state = session_.state();
  const ResourceVector* held = guarded_ ? &session_.slack_guard().Held(node) : nullptr;
  if (fit_ == Fit::kSlotOnly) {
    if (!FitsIn(state.idle(node), held)) return Place::kNone;
    return checks.Check(node).ok() ? Place::kNow : Place::kNone;
  }
  if (!FitsIn(state.future_idle(node), held)) return Place::kNone;
  if (fit_ == Fit::kFuture) return checks.CheckReserved(node).ok() ? Place::kNow : Place::kNone;
  if (FitsIn(state.idle(node), held)) {
    if (checks.Check(node).ok()) return Place::kNow;
    if (!leaving_matter) return Place::kNone;
  }
  return checks.CheckReserved(node).ok() ? Place::kReserved : Place::kNone;
}

void NodeVerdict::OfRows(const NodeRows& rows, std::span<Place> places) const {
  JudgeRows(rows, asked_, places.data());
}

void TracePlacement(Session& session, TaskIndex task, std::span<const NodeIndex> nodes,
                    std::span<const double> scores) {
  const Snapshot& snapshot = session.snapshot();
  PlacementTrace trace;
  trace.pod = snapshot.task(task).record->meta.Key();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string& name = snapshot.node(nodes[i]).record->meta.name;
    trace.feasible.push_back(name);
    trace.scores[name] = scores[i];
  }
  session.result().traces.push_back(std::move(trace));
}

}  // namespace batholith
