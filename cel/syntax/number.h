#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace batholith::cel {

// Numbers as the expression language writes them. Nothing: no number, or out of its type's range.
// A minus is read, a plus and a prefix of the base are not.
std::optional<std::int64_t> ReadInt(std::string_view digits, int base = 10);
std::optional<std::uint64_t> ReadUint(std::string_view digits, int base = 10);
// Decimal, without a sign. What is too large becomes an infinity.
std::optional<double> ReadDouble(std::string_view text);
// "0x1p-2".
std::optional<double> ReadHexDouble(std::string_view text);

}  // namespace batholith::cel
