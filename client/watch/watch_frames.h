#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "api/result.h"

namespace batholith {

// Cuts the bytes of a watch into its events: JSON texts, each on a line, or frames behind a length
// of 4 bytes, the highest first. Keeps at most one event that has not come whole. Pure.
class WatchFrames {
 public:
  enum class Framing { kLines, kLengths };

  WatchFrames(Framing framing, std::size_t most_bytes);

  // Calls `on_frame` for each event that is whole now, until it says false; empty lines are none.
  // The bytes of an event are valid during the call. Errors: an event is longer than allowed;
  // nothing may be fed after it. Cost: O(bytes).
  Result<void> Feed(std::string_view bytes, const std::function<bool(std::string_view)>& on_frame);

  // How many bytes of an event are there that has not come whole; 0: none.
  std::size_t pending() const { return rest_.size(); }

 private:
  // The first event of `bytes` with all that belongs to it; empty: it is not whole.
  Result<std::string_view> Cut(std::string_view bytes, std::size_t searched) const;
  std::string_view Inner(std::string_view cut) const;

  Framing framing_;
  std::size_t most_bytes_;
  std::string rest_;
};

}  // namespace batholith
