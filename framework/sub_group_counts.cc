#include "framework/sub_group_counts.h"

#include <algorithm>

namespace batholith {

SubGroupCounts::SubGroupCounts(const std::vector<SubGroupPolicy>& policies)
    : policies_(&policies), formed_(policies.size()) {}

void SubGroupCounts::Add(std::int32_t policy) {
  while (policy >= 0) {
    const std::int32_t formed = ++formed_[static_cast<std::size_t>(policy)];
    if (formed != Of(policy).min_sub_groups) return;
    policy = Of(policy).part_of;
  }
}

void SubGroupCounts::Remove(std::int32_t policy) {
  while (policy >= 0) {
    const std::int32_t formed = formed_[static_cast<std::size_t>(policy)]--;
    if (formed != Of(policy).min_sub_groups) return;
    policy = Of(policy).part_of;
  }
}

std::int32_t SubGroupCounts::Missing(std::int32_t policy) const {
  return std::max(Of(policy).min_sub_groups - formed_[static_cast<std::size_t>(policy)], 0);
}

bool SubGroupCounts::Met(std::int32_t policy) const { return Missing(policy) == 0; }

bool SubGroupCounts::Met() const {
  for (std::size_t p = 0; p < formed_.size(); ++p) {
    if ((*policies_)[p].part_of < 0 && formed_[p] < (*policies_)[p].min_sub_groups) return false;
  }
  return true;
}

bool SubGroupCounts::CanSpare(std::int32_t policy) const {
  while (policy >= 0) {
    const std::int32_t formed = formed_[static_cast<std::size_t>(policy)];
    const std::int32_t needed = Of(policy).min_sub_groups;
    if (formed > needed) return true;
    const std::int32_t above = Of(policy).part_of;
    if (formed < needed) return above >= 0;  // it counts nowhere
    policy = above;
  }
  return false;
}

}  // namespace batholith
