#include "cache/minimums.h"

#include <set>
#include <string_view>
#include <utility>

#include "cache/resource_names.h"

namespace batholith {

Minimums::LeftOut Minimums::Read(const ResourceList& list, Snapshot& snapshot,
                                 ResourcePool& amounts, JobFacts& facts) {
  ResourceVector minimum;
  std::vector<std::string> left_out;
  for (const auto& [name, amount] : list) {
    if (!CountsInMinimum(name)) {
      if (!IsDeviceClass(name)) left_out.push_back(name);
    } else if (const auto r = snapshot.schema.Find(name)) {
      minimum[*r] = amount;
    } else if (amount > 0) {
      facts.unserved_minimum.push_back(snapshot.schema.size() + snapshot.uncounted.Add(name));
    }
  }
  facts.min_resources = amounts.Intern(minimum);
  if (left_out.empty()) return kNothing;
  const auto [at, added] =
      known_.try_emplace(std::move(left_out), static_cast<LeftOut>(groups_.size()));
  if (added) groups_.push_back(0);
  ++groups_[at->second];
  return at->second;
}

void Minimums::Forget(LeftOut names) {
  if (names != kNothing) --groups_[names];
}

bool Minimums::HasUnserved(const ResourceList& list, const ResourceSchema& schema) {
  for (const auto& [name, amount] : list) {
    if (amount > 0 && CountsInMinimum(name) && !schema.Find(name)) return true;
  }
  return false;
}

void Minimums::Tell(Snapshot& snapshot) const {
  constexpr std::size_t kMostTold = 16;
  std::set<std::string_view> left_out;
  for (const auto& [names, place] : known_) {
    if (groups_[place] > 0) left_out.insert(names.begin(), names.end());
  }
  if (left_out.empty()) return;
  std::string names;
  std::size_t told = 0;
  for (const std::string_view name : left_out) {
    if (++told > kMostTold) break;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  if (left_out.size() > kMostTold)
    names += " and " + std::to_string(left_out.size() - kMostTold) + " more";
  snapshot.notices.push_back(
      "spec.minResources of pod groups names what is no resource of a node, so it is left out: " +
      names);
}

}  // namespace batholith
