#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "client/watch/watch.h"

namespace batholith {

// A page of a list. The first one without `newest` may come from the server's cache (version 0);
// the others name where the one before ended.
std::string ListQuery(const WatchTarget& target, int page_size, const std::string& continue_token,
                      bool newest);

// A watch of all that changes after `version`.
std::string WatchQuery(const WatchTarget& target, const std::string& version,
                       std::chrono::seconds timeout);

// A watch that first sends all that is there: a list as a stream.
std::string InitialWatchQuery(const WatchTarget& target, std::chrono::seconds timeout);

}  // namespace batholith
