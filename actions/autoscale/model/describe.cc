#include "actions/autoscale/model/describe.h"

#include <fmt/format.h>

#include <string_view>

namespace batholith {
namespace {

std::string Counted(std::int64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

}  // namespace

std::string DescribeGroup(const GroupDecision& group) {
  std::string text =
      group.recommended == group.target
          ? fmt::format("{}: stays at {}", group.name, Counted(group.target, "node"))
          : fmt::format("{}: {} → {} nodes", group.name, group.target, group.recommended);
  const auto add = [&](std::int64_t n, std::string_view why) {
    if (n > 0) text += fmt::format(", {} {}", n, why);
  };
  add(group.growth.pods, "for pods");
  add(group.growth.slack, "for slack");
  add(group.growth.min_size, "to reach the minimum");
  add(group.given_up, "given up because they did not come in time");
  add(group.removals, "not needed");
  if (group.closed != ScaleReason::kNone) {
    text += fmt::format(", takes no more: {}", ScaleReasonName(group.closed));
  }
  return text;
}

std::string DescribeUnmet(ScaleReason reason, const UnmetCount& unmet) {
  std::string who;
  if (unmet.pods > 0) who = Counted(unmet.pods, "pod");
  if (unmet.slack > 0) {
    who += (who.empty() ? "" : " and ") + Counted(unmet.slack, "placeholder");
  }
  return fmt::format("no node for {}: {}", who, ScaleReasonName(reason));
}

std::string DescribeRemoval(const NodeRemoval& removal, const GroupDecision& group) {
  std::string text =
      fmt::format("{} of {} goes: {}", removal.name, group.name, RemovalReasonName(removal.reason));
  if (removal.drains)
    text += fmt::format(", {} to move",
                        Counted(static_cast<std::int64_t>(removal.moves.size()), "pod"));
  if (removal.risky) text += ", one after another as disruption budgets allow";
  return text;
}

}  // namespace batholith
