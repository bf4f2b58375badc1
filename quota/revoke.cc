#include "quota/revoke.h"

namespace batholith {

std::vector<std::size_t> PlanRevocation(ResourceVector used, const ResourceLimits& limit,
                                        std::uint32_t looked, std::size_t dimensions,
                                        std::span<const QuotaPod* const> pods) {
  const auto over = [&] { return FirstAbove(used, limit, looked, dimensions) >= 0; };
  std::vector<std::size_t> out;
  std::size_t taken = 0;
  while (taken < pods.size() && over()) used -= pods[taken++]->request;
  if (over()) {
    for (std::size_t i = 0; i < taken; ++i) out.push_back(i);
    return out;
  }
  for (std::size_t i = taken; i-- > 0;) {
    used += pods[i]->request;
    if (!over()) continue;
    used -= pods[i]->request;
    out.push_back(i);
  }
  return out;
}

}  // namespace batholith
