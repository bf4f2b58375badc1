#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace batholith::cel {

// "10.0.0.1", "2001:db8::1" → an address. Nothing: none, or one with a zone, or an IPv4 address
// that is written as one of IPv6.
std::optional<Value> ReadAddress(std::string_view text);
// "10.0.0.0/8".
std::optional<Value> ReadNetwork(std::string_view text);
// As RFC 5952 writes them.
std::string AddressText(const Value& address);
std::string NetworkText(const Value& network);

}  // namespace batholith::cel
