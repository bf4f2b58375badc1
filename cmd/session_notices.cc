#include "cmd/session_notices.h"

#include <fmt/format.h>

namespace batholith {

std::vector<std::string> NoticesOf(const CycleResult& result) {
  std::vector<std::string> notices = result.notices;
  for (const NodeGroupOrder& order : result.autoscale.orders) {
    notices.push_back(
        fmt::format("action autoscale: mode apply sets no sizes on a live cluster yet; node group "
                    "{} should have {} nodes instead of {}",
                    order.group, order.to, order.from));
  }
  return notices;
}

}  // namespace batholith
