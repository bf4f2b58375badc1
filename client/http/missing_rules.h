#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace batholith {

// What the account was not allowed to do, as the API server says it: `cannot patch resource
// "pods/status" in API group ""`. Kept for ten minutes after it was last said. From any thread.
class MissingRules {
 public:
  using Clock = std::chrono::steady_clock;

  // The message of a 403; another one is ignored.
  void Record(std::string_view message, Clock::time_point now);
  // In alphabetical order.
  std::vector<std::string> Current(Clock::time_point now) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Clock::time_point, std::less<>> said_;
};

}  // namespace batholith
