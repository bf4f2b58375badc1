#include "client/http/backoff.h"

#include <algorithm>

#include "api/check.h"

namespace batholith {

Backoff::Backoff(Milliseconds first, Milliseconds most, std::uint64_t seed)
    : first_(first),
      most_(most),
      next_(first),
      random_(seed != 0 ? seed : std::uint64_t{std::random_device()()} + 1) {
  CHECK(first.count() > 0 && first <= most);
}

Backoff::Milliseconds Backoff::Next() {
  const Milliseconds whole = next_;
  next_ = std::min(most_, next_ * 2);
  return Between((whole + Milliseconds(1)) / 2, whole);
}

void Backoff::Lasted(Milliseconds time) {
  if (time >= 2 * next_) next_ = first_;
}

Backoff::Milliseconds Backoff::Between(Milliseconds low, Milliseconds high) {
  const auto range = static_cast<std::uint64_t>(std::max(high - low, Milliseconds(0)).count());
  return low + Milliseconds(static_cast<std::int64_t>(random_() % (range + 1)));
}

}  // namespace batholith
