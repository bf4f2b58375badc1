#include "quota/revoke.h"

#include <ranges>

namespace batholith {

std::vector<std::size_t> PlanRevocation(ResourceVector used, const ResourceLimits& limit,
                                        std::uint32_t looked, std::size_t dimensions,
                                        std::span<const QuotaPod* const> pods) {
  const auto over = [&] { return FirstAbove(used, limit, looked, dimensions) >= 0; };
  std::vector<std::size_t> taken;
  for (std::size_t i = 0; i < pods.size() && over(); ++i) {
    // Who gives back nothing of what is over would leave for nothing.
    const std::uint32_t given = looked & AskedDimensions(pods[i]->request, dimensions);
    if (FirstAbove(used, limit, given, dimensions) < 0) continue;
    used -= pods[i]->request;
    taken.push_back(i);
  }
  if (over()) return taken;
  std::vector<std::size_t> out;
  for (const std::size_t i : std::views::reverse(taken)) {
    used += pods[i]->request;
    if (!over()) continue;
    used -= pods[i]->request;
    out.push_back(i);
  }
  return out;
}

}  // namespace batholith
