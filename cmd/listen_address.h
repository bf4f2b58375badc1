#pragma once

#include <cstdint>
#include <string>

#include "api/result.h"

namespace batholith {

struct ListenAddress {
  std::string host;        // a name or an address without brackets; empty: all interfaces
  std::uint16_t port = 0;  // 0: any that is free
};

// ":8080", "127.0.0.1:8080", "[::1]:8080", "localhost:8080". Errors: kInvalid.
Result<ListenAddress> ParseListenAddress(const std::string& text);

}  // namespace batholith
