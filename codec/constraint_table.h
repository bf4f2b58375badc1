#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "api/objects.h"

namespace batholith {

// Pods that write the same constraints, requests or labels share one record of them, for as long as
// somebody has it: pods come and go for months. Cost: amortised O(text × log of what is known).
class ConstraintTable {
 public:
  std::shared_ptr<const PodConstraints> Intern(PodConstraints constraints);
  Shared<ResourceList> Intern(const ResourceList& request) { return requests_.Intern(request); }
  Shared<Labels> Intern(const Labels& labels) { return labels_.Intern(labels); }

 private:
  static constexpr std::size_t kFirstSweep = 1024;

  template <typename Map>
  class Maps {
   public:
    Shared<Map> Intern(const Map& map) {
      if (map.empty()) return {};
      const auto it = known_.find(map);
      if (it != known_.end()) return it->second;
      if (known_.size() >= sweep_at_) {
        std::erase_if(known_, [](const auto& entry) { return !entry.second.IsShared(); });
        sweep_at_ = std::max<std::size_t>(kFirstSweep, 2 * known_.size());
      }
      return known_.emplace(map, Shared<Map>(map)).first->second;
    }

   private:
    std::map<Map, Shared<Map>> known_;  // looked up, swept
    std::size_t sweep_at_ = kFirstSweep;
  };

  std::unordered_map<std::string, std::shared_ptr<const PodConstraints>>
      known_;  // looked up, swept
  std::size_t sweep_at_ = kFirstSweep;
  Maps<ResourceList> requests_;
  Maps<Labels> labels_;
};

}  // namespace batholith
