#pragma once

#include <chrono>
#include <cstdint>
#include <random>

namespace batholith {

// How long to wait before the next try: twice as long after each failure, up to a most, each time
// drawn between half and the whole of it, so that many clients do not come back at once. Pure: the
// seed decides.
class Backoff {
 public:
  using Milliseconds = std::chrono::milliseconds;

  // REQUIRES: 0 < first <= most. A seed of 0 is drawn from the system.
  Backoff(Milliseconds first, Milliseconds most, std::uint64_t seed);

  Milliseconds Next();
  // What was begun after the last wait lasted this long. Where it outlasted the wait by far, the
  // waits start over: so a server that always fails after a while is asked again after a fraction
  // of that while, and one that fails at once ever more rarely.
  void Lasted(Milliseconds time);
  // Any number between both, for periods that many clients share.
  Milliseconds Between(Milliseconds low, Milliseconds high);

 private:
  Milliseconds first_;
  Milliseconds most_;
  Milliseconds next_;
  std::mt19937_64 random_;
};

}  // namespace batholith
