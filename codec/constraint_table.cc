#include "codec/constraint_table.h"

#include <utility>

namespace batholith {

std::shared_ptr<const PodConstraints> ConstraintTable::Intern(PodConstraints constraints) {
  const auto it = known_.find(constraints.signature);
  if (it != known_.end()) return it->second;
  if (known_.size() >= sweep_at_) {
    // Only the table could hand out another share of what it alone has.
    std::erase_if(known_, [](const auto& entry) { return entry.second.use_count() == 1; });
    sweep_at_ = std::max<std::size_t>(kFirstSweep, 2 * known_.size());
  }
  auto shared = std::make_shared<const PodConstraints>(std::move(constraints));
  known_.emplace(shared->signature, shared);
  return shared;
}

}  // namespace batholith
