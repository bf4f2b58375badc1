#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/write/wanted_status.h"

namespace batholith {

// How long a patch may wait: until it has said the same for so long, and at most so long in all.
struct Pace {
  std::chrono::milliseconds still{1000};
  std::chrono::milliseconds most{10'000};
};

// Patches that wait, because they change nothing but figures: counts move with every pod, and one
// write of the last of them says as much as fifty. One of each path, the latest. Pure: the time
// comes in.
class HeldPatches {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  struct Wanted {
    StatusItem item;
    Pace pace;
  };

  // What may wait after a session, all of it: what is not among it any more is forgotten.
  void Renew(std::vector<Wanted> wanted, TimePoint now);
  // Takes out those whose time has come, or all.
  std::vector<StatusItem> TakeDue(TimePoint now);
  std::vector<StatusItem> TakeAll();
  // When the next one is due; nothing: none is held.
  std::optional<TimePoint> NextAt() const;

 private:
  struct Held {
    StatusItem item;
    Pace pace;
    TimePoint began;  // when it first waited
    TimePoint moved;  // when it last said something else
    TimePoint due() const;
  };

  std::map<std::string, Held> held_;  // by path
};

}  // namespace batholith
