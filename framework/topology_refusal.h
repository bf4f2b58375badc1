#pragma once

#include <cstdint>

namespace batholith {

// Why a job, or one of its sub-jobs, found no domain. Put into words when the job is reported.
struct TopologyRefusal {
  enum class Why : std::uint8_t {
    kNoPlugin,  // no plugin of the conf knows which nodes are close to each other
    kSpread,    // what it has is in no one domain of its limit
    kNoRoom,
    kManyLabels,  // groups that wait name more labels of nodes than are looked at
  };
  Why why = Why::kNoRoom;
  bool of_sub_job = false;
  std::uint32_t sub_job = 0;
  bool hard = false;
  std::int64_t highest_tier = 0;
  std::int32_t pods = 0;     // that were to be placed together
  std::int32_t domains = 0;  // within the limit
  std::int32_t tried = 0;    // of them, that had room by their sums, and yet not for each pod
};

}  // namespace batholith
