#pragma once

#include <vector>

#include "api/objects.h"
#include "quota/forest.h"

namespace batholith {

struct LabelledPod {
  const PodRecord* record = nullptr;
  const QuotaPod* pod = nullptr;
  bool over_quota = false;  // out
};

// Labels the running pods of one nos quota: in order (older first; then lower priority, smaller
// request, name) each is in-quota while the running sum stays within min in what min lists; once it
// is beyond, all later ones are over-quota. A request is smaller when it is not greater in any
// resource that both have; requests that cannot be compared fall to the name. Returns the order.
// Cost: O(pods log pods), quadratic among pods of equal age and priority. Source: the
// label nos.nebuly.com/capacity of nos.
std::vector<std::size_t> LabelPods(const QuotaList& min, std::size_t dimensions,
                                   std::vector<LabelledPod>& pods);

}  // namespace batholith
