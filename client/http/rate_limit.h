#pragma once

#include <chrono>

namespace batholith {

// --kube-api-qps and --kube-api-burst: as many requests a second, and at most `burst` at once after
// a pause. Pure: the time comes in.
class RateLimit {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // No limit where qps is not above 0; a burst below 1 counts as 1.
  RateLimit(double qps, int burst);

  // Whether a request may go now; counts it if so.
  bool Take(TimePoint now);
  // When Take says yes again, if nothing is taken until then.
  TimePoint NextAt() const;

 private:
  std::chrono::nanoseconds interval_{0};  // between two requests; 0: no limit
  std::chrono::nanoseconds slack_{0};     // how far ahead of the even pace requests may be
  TimePoint even_at_ = TimePoint::min();  // when the next one were due at an even pace
};

}  // namespace batholith
