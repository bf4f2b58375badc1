#include "client/access/base64.h"

#include <algorithm>
#include <cstdint>

namespace batholith {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const unsigned char byte = k < n ? static_cast<unsigned char>(bytes[i + k]) : 0;
      group = (group << 8U) | byte;
    }
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= n ? kAlphabet[(group >> (18 - 6 * k)) & 0x3fU] : '=';
  }
  return out;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  std::string out;
  std::uint32_t group = 0;
  std::size_t characters = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r' || c == ' ' || c == '\t') continue;
    if (c == '=') {
      if (++padding > 2) return std::nullopt;
      continue;
    }
    const std::size_t value = kAlphabet.find(c);
    if (value == std::string_view::npos || padding > 0) return std::nullopt;
    group = (group << 6U) | static_cast<std::uint32_t>(value);
    if (++characters % 4 != 0) continue;
    for (const unsigned shift : {16U, 8U, 0U}) out += static_cast<char>((group >> shift) & 0xffU);
    group = 0;
  }
  const std::size_t rest = characters % 4;
  if (rest == 1 || (characters + padding) % 4 != 0) return std::nullopt;
  // What is left holds 12 or 18 bits, of which the last 4 or 2 belong to no byte.
  if (rest == 2) out += static_cast<char>((group >> 4U) & 0xffU);
  if (rest == 3) out += static_cast<char>((group >> 10U) & 0xffU);
  if (rest == 3) out += static_cast<char>((group >> 2U) & 0xffU);
  return out;
}

}  // namespace batholith
