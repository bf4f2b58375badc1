#include "client/http/rate_limit.h"

#include <algorithm>

namespace batholith {

RateLimit::RateLimit(double qps, int burst) {
  if (!(qps > 0)) return;
  constexpr double kLongest = 3600e9;  // an hour between two requests is as good as none
  constexpr int kMostAtOnce = 1'000'000;
  interval_ = std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(1e9 / qps, kLongest)));
  slack_ = interval_ * (std::clamp(burst, 1, kMostAtOnce) - 1);
}

bool RateLimit::Take(TimePoint now) {
  if (interval_.count() == 0) return true;
  if (now < NextAt()) return false;
  even_at_ = std::max(even_at_, now) + interval_;
  return true;
}

RateLimit::TimePoint RateLimit::NextAt() const {
  return even_at_ == TimePoint::min() ? even_at_ : even_at_ - slack_;
}

}  // namespace batholith
