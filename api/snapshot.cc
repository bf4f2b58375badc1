#include "api/snapshot.h"

namespace batholith {

ResourceVector Snapshot::ToVector(const ResourceList& list) const {
  ResourceVector out;
  for (const auto& [name, amount] : list) {
    if (const auto r = schema.Find(name)) out[*r] = amount;
  }
  return out;
}

std::vector<std::size_t> Snapshot::Uncounted(const ResourceList& list) const {
  std::vector<std::size_t> out;
  for (const auto& [name, amount] : list) {
    const auto place = amount > 0 ? uncounted.Find(name) : std::nullopt;
    if (place) out.push_back(schema.size() + *place);
  }
  return out;
}

}  // namespace batholith
