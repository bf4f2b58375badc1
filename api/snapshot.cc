#include "api/snapshot.h"

namespace batholith {

ResourceVector Snapshot::ToVector(const ResourceList& list) const {
  ResourceVector out;
  for (const auto& [name, amount] : list) {
    if (const auto r = schema.Find(name)) out[*r] = amount;
  }
  return out;
}

}  // namespace batholith
