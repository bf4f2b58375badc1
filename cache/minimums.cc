#include "cache/minimums.h"

#include <string>

#include "cache/resource_names.h"

namespace batholith {

void Minimums::Read(const ResourceList& list, Snapshot& snapshot, ResourcePool& amounts,
                    JobFacts& facts) {
  ResourceVector minimum;
  for (const auto& [name, amount] : list) {
    if (!CountsInMinimum(name)) {
      if (!IsDeviceClass(name)) left_out_.insert(name);
    } else if (const auto r = snapshot.schema.Find(name)) {
      minimum[*r] = amount;
    } else if (amount > 0) {
      facts.unserved_minimum.push_back(snapshot.schema.size() + snapshot.uncounted.Add(name));
    }
  }
  facts.min_resources = amounts.Intern(minimum);
}

// Volcano's controllers write the same ones into every group, so names are told and not groups.
void Minimums::Tell(Snapshot& snapshot) const {
  constexpr std::size_t kMostTold = 16;
  if (left_out_.empty()) return;
  std::string names;
  std::size_t told = 0;
  for (const std::string_view name : left_out_) {
    if (++told > kMostTold) break;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  if (left_out_.size() > kMostTold)
    names += " and " + std::to_string(left_out_.size() - kMostTold) + " more";
  snapshot.notices.push_back(
      "spec.minResources of pod groups names what is no resource of a node, so it is left out: " +
      names);
}

}  // namespace batholith
