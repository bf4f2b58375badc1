#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "api/snapshot.h"

namespace batholith {

// What one pod says about the whole snapshot.
enum class PodMark : std::uint8_t {
  kAsksForLabels,    // see Snapshot::labels_matter
  kWaitsForVolumes,  // see Snapshot::volumes_matter
  kWaitsForDevices,  // see Snapshot::devices_matter
  kUnnamed,          // see Snapshot::requests_unnamed
  kNeeds,            // what this build does not do
  kUnserved,         // it asks for an uncounted resource
  kUnread,           // nobody knows how much it asks for
  kOtherGroup,       // of a group that is not Volcano's
  kWithoutJob,       // its group is not there
  kAbsurd,           // it asks for so much that sums of such amounts may be cut off
};
inline constexpr std::size_t kPodMarks = 10;

class PodMarks {
 public:
  bool Has(PodMark mark) const { return (bits_ >> static_cast<int>(mark) & 1) != 0; }
  void Set(PodMark mark, bool on) {
    bits_ = static_cast<std::uint16_t>(bits_ | (on ? 1 << static_cast<int>(mark) : 0));
  }

 private:
  std::uint16_t bits_ = 0;
};

// REQUIRES: `facts` are those of the pod.
PodMarks MarksOf(const PodRecord& pod, const TaskFacts& facts);

// How many pods of a snapshot have each mark.
class PodMarkCounts {
 public:
  void Add(PodMarks marks) { Change(marks, true); }
  void TakeOff(PodMarks marks) { Change(marks, false); }
  std::int64_t Count(PodMark mark) const { return counts_[static_cast<std::size_t>(mark)]; }
  bool Any(PodMark mark) const { return Count(mark) > 0; }

 private:
  void Change(PodMarks marks, bool more) {
    for (std::size_t m = 0; m < kPodMarks; ++m) {
      if (marks.Has(static_cast<PodMark>(m))) counts_[m] += more ? 1 : -1;
    }
  }

  std::array<std::int64_t, kPodMarks> counts_{};
};

}  // namespace batholith
