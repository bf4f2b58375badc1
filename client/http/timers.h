#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace batholith {

// Work that is due later, by token. Used on one thread. Due at the same time: in the order of the
// tokens.
class Timers {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Token = std::uint64_t;

  void Add(Token token, TimePoint due, std::function<void()> work);
  // Nothing where it ran already, or never was.
  void Cancel(Token token);
  // The work that is due first, taken out, if it is due at `now`.
  std::optional<std::function<void()>> TakeDue(TimePoint now);
  std::optional<TimePoint> NextAt() const;

 private:
  std::map<std::pair<TimePoint, Token>, std::function<void()>> queue_;
  std::map<Token, TimePoint> due_;
};

}  // namespace batholith
