#include "cel/functions/network.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <span>

#include "cel/functions/costs.h"
#include "cel/functions/library.h"
#include "cel/functions/values.h"
#include "cel/syntax/number.h"

namespace batholith::cel {
namespace {

__extension__ using Bits = unsigned __int128;

Bits BitsOf(const Value& value) { return static_cast<Bits>(value.address()); }
int Length(const Value& value) { return value.is_ipv6() ? 128 : 32; }

std::optional<Bits> ReadIpv4(std::string_view text) {
  Bits out = 0;
  for (int part = 0; part < 4; ++part) {
    if (part != 0) {
      if (!text.starts_with('.')) return std::nullopt;
      text.remove_prefix(1);
    }
    std::uint32_t number = 0;
    std::size_t digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
      number = number * 10 + static_cast<std::uint32_t>(text[digits] - '0');
      if (++digits > 3 || number > 255) return std::nullopt;
    }
    if (digits == 0 || (digits > 1 && text[0] == '0')) return std::nullopt;
    text.remove_prefix(digits);
    out = out << 8U | number;
  }
  if (!text.empty()) return std::nullopt;
  return out;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Groups of an IPv6 address that are written in a row, from the front of a text.
struct Groups {
  std::array<std::uint16_t, 8> values{};
  std::size_t count = 0;

  bool Add(std::uint32_t value) {
    if (count == values.size()) return false;
    values[count++] = static_cast<std::uint16_t>(value);
    return true;
  }
  // False: what is written is no list of groups.
  bool Read(std::string_view text) {
    if (text.empty()) return true;
    while (true) {
      const std::size_t colon = text.find(':');
      const std::string_view group = text.substr(0, colon);
      if (group.find('.') != std::string_view::npos) {
        const auto ipv4 = ReadIpv4(group);
        return colon == std::string_view::npos && ipv4 &&
               Add(static_cast<std::uint32_t>(*ipv4 >> 16U)) &&
               Add(static_cast<std::uint32_t>(*ipv4 & 0xFFFFU));
      }
      if (group.empty() || group.size() > 4) return false;
      std::uint32_t value = 0;
      for (const char c : group) {
        if (HexDigit(c) < 0) return false;
        value = value << 4U | static_cast<std::uint32_t>(HexDigit(c));
      }
      if (!Add(value)) return false;
      if (colon == std::string_view::npos) return true;
      text.remove_prefix(colon + 1);
    }
  }
};

std::optional<Bits> ReadIpv6(std::string_view text) {
  const std::size_t gap = text.find("::");
  Groups front;
  Groups back;
  if (gap == std::string_view::npos) {
    if (!front.Read(text) || front.count != 8) return std::nullopt;
  } else {
    // An IPv4 address can only be at the end.
    const std::string_view before = text.substr(0, gap);
    if (before.find('.') != std::string_view::npos) return std::nullopt;
    if (!front.Read(before) || !back.Read(text.substr(gap + 2))) return std::nullopt;
    if (front.count + back.count > 7) return std::nullopt;
  }
  Bits out = 0;
  for (std::size_t g = 0; g < 8; ++g) {
    std::uint16_t value = 0;
    if (g < front.count) value = front.values[g];
    if (g >= 8 - back.count) value = back.values[g - (8 - back.count)];
    out = out << 16U | value;
  }
  return out;
}

Bits Mask(int length, int prefix) {
  if (prefix == 0) return 0;
  const Bits all = length == 128 ? ~Bits{0} : (Bits{1} << 32U) - 1;
  return all & (all << static_cast<unsigned>(length - prefix));
}

bool IsInside(const Value& network, const Value& address) {
  if (network.is_ipv6() != address.is_ipv6()) return false;
  const Bits mask = Mask(Length(network), network.prefix());
  return (BitsOf(network) & mask) == (BitsOf(address) & mask);
}

Value NoAddress(const Value& text) {
  return Value::Fail(Failure::kConversion, "not an IP address: " + Shown(text));
}
Value NoNetwork(const Value& text) {
  return Value::Fail(Failure::kConversion, "not a network in CIDR notation: " + Shown(text));
}

Value ToAddress(Arguments a, Work&) {
  auto out = ReadAddress(a[0].text());
  return out ? std::move(*out) : NoAddress(a[0]);
}
Value IsAddress(Arguments a, Work&) { return Value::Bool(ReadAddress(a[0].text()).has_value()); }
Value IsCanonical(Arguments a, Work&) {
  const auto address = ReadAddress(a[0].text());
  return address ? Value::Bool(AddressText(*address) == a[0].text()) : NoAddress(a[0]);
}
Value Family(Arguments a, Work&) { return Value::Int(a[0].is_ipv6() ? 6 : 4); }

bool Unspecified(const Value& a) { return BitsOf(a) == 0; }
bool Loopback(const Value& a) { return a.is_ipv6() ? BitsOf(a) == 1 : BitsOf(a) >> 24U == 127; }
bool Multicast(const Value& a) {
  return a.is_ipv6() ? BitsOf(a) >> 120U == 0xFF : BitsOf(a) >> 28U == 0xE;
}
bool LinkLocalMulticast(const Value& a) {
  return a.is_ipv6() ? Multicast(a) && ((BitsOf(a) >> 112U) & 0xFU) == 2
                     : BitsOf(a) >> 8U == 0xE00000;
}
bool LinkLocalUnicast(const Value& a) {
  return a.is_ipv6() ? BitsOf(a) >> 118U == 0xFE80U >> 6U : BitsOf(a) >> 16U == 0xA9FE;
}
bool GlobalUnicast(const Value& a) {
  const bool broadcast = !a.is_ipv6() && BitsOf(a) == 0xFFFFFFFFU;
  return !Unspecified(a) && !broadcast && !Loopback(a) && !Multicast(a) && !LinkLocalUnicast(a);
}

template <bool (*Is)(const Value&)>
Value Ask(Arguments a, Work&) {
  return Value::Bool(Is(a[0]));
}

Value ToNetwork(Arguments a, Work&) {
  auto out = ReadNetwork(a[0].text());
  return out ? std::move(*out) : NoNetwork(a[0]);
}
Value IsNetwork(Arguments a, Work&) { return Value::Bool(ReadNetwork(a[0].text()).has_value()); }

Value ContainsIp(Arguments a, Work&) {
  if (!a[1].is(Value::Kind::kString)) return Value::Bool(IsInside(a[0], a[1]));
  const auto address = ReadAddress(a[1].text());
  return address ? Value::Bool(IsInside(a[0], *address)) : NoAddress(a[1]);
}

Value ContainsCidr(Arguments a, Work&) {
  std::optional<Value> inner = a[1];
  if (a[1].is(Value::Kind::kString)) inner = ReadNetwork(a[1].text());
  if (!inner) return NoNetwork(a[1]);
  return Value::Bool(a[0].prefix() <= inner->prefix() && IsInside(a[0], *inner));
}

Value AddressOf(Arguments a, Work&) { return Value::Address(a[0].address(), a[0].is_ipv6()); }
Value PrefixLength(Arguments a, Work&) { return Value::Int(a[0].prefix()); }
Value Masked(Arguments a, Work&) {
  const Bits bits = BitsOf(a[0]) & Mask(Length(a[0]), a[0].prefix());
  return Value::Network(static_cast<Wide>(bits), a[0].is_ipv6(), a[0].prefix());
}

constexpr CallCost kAddressText{costs::Text, true};
constexpr CallCost kAddressTwice{costs::TwiceText, true};
constexpr CallCost kAddressOne{nullptr, true};
constexpr CallCost kInside{costs::ContainsAddress, true};
constexpr CallCost kNetworkInside{costs::ContainsNetwork, true};

constexpr std::array kNetworks{
    Overload{"ip", "string", "net.IP", ToAddress, kAddressText},
    Overload{"isIP", "string", "bool", IsAddress, kAddressText},
    Overload{"ip.isCanonical", "string", "bool", IsCanonical, kAddressTwice},
    Overload{"family", "net.IP", "int", Family, kAddressOne, true},
    Overload{"isUnspecified", "net.IP", "bool", Ask<Unspecified>, kAddressOne, true},
    Overload{"isLoopback", "net.IP", "bool", Ask<Loopback>, kAddressOne, true},
    Overload{"isLinkLocalMulticast", "net.IP", "bool", Ask<LinkLocalMulticast>, kAddressOne, true},
    Overload{"isLinkLocalUnicast", "net.IP", "bool", Ask<LinkLocalUnicast>, kAddressOne, true},
    Overload{"isGlobalUnicast", "net.IP", "bool", Ask<GlobalUnicast>, kAddressOne, true},
    Overload{"cidr", "string", "net.CIDR", ToNetwork, kAddressText},
    Overload{"isCIDR", "string", "bool", IsNetwork, kAddressText},
    Overload{"containsIP", "net.CIDR, string", "bool", ContainsIp, kInside, true},
    Overload{"containsIP", "net.CIDR, net.IP", "bool", ContainsIp, kInside, true},
    Overload{"containsCIDR", "net.CIDR, string", "bool", ContainsCidr, kNetworkInside, true},
    Overload{"containsCIDR", "net.CIDR, net.CIDR", "bool", ContainsCidr, kNetworkInside, true},
    Overload{"ip", "net.CIDR", "net.IP", AddressOf, kAddressOne, true},
    Overload{"prefixLength", "net.CIDR", "int", PrefixLength, kAddressOne, true},
    Overload{"masked", "net.CIDR", "net.CIDR", Masked, kAddressOne, true},
};

}  // namespace

std::optional<Value> ReadAddress(std::string_view text) {
  constexpr std::size_t kLongest = 45;
  if (text.size() > kLongest) return std::nullopt;
  if (text.find(':') == std::string_view::npos) {
    const auto bits = ReadIpv4(text);
    if (!bits) return std::nullopt;
    return Value::Address(static_cast<Wide>(*bits), false);
  }
  const auto bits = ReadIpv6(text);
  if (!bits || *bits >> 32U == 0xFFFF) return std::nullopt;
  return Value::Address(static_cast<Wide>(*bits), true);
}

std::optional<Value> ReadNetwork(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto address = ReadAddress(text.substr(0, slash));
  const std::string_view digits = text.substr(slash + 1);
  if (!address || digits.empty() || digits.size() > 3 ||
      digits.find_first_not_of("0123456789") != std::string_view::npos ||
      (digits.size() > 1 && digits[0] == '0'))
    return std::nullopt;
  const int prefix = static_cast<int>(ReadUint(digits).value_or(0));
  if (prefix > Length(*address)) return std::nullopt;
  return Value::Network(address->address(), address->is_ipv6(), prefix);
}

std::string AddressText(const Value& address) {
  const Bits bits = BitsOf(address);
  const auto part = [&](unsigned shift, unsigned mask) {
    return static_cast<unsigned>(bits >> shift) & mask;
  };
  if (!address.is_ipv6())
    return fmt::format("{}.{}.{}.{}", part(24, 255), part(16, 255), part(8, 255), part(0, 255));
  std::array<unsigned, 8> groups{};
  for (std::size_t g = 0; g < 8; ++g) groups[g] = part(static_cast<unsigned>(112 - 16 * g), 0xFFFF);
  // The longest row of zeros, at least two; of equal ones the first.
  std::size_t start = 8;
  std::size_t length = 1;
  for (std::size_t g = 0; g < 8; ++g) {
    std::size_t end = g;
    while (end < 8 && groups[end] == 0) ++end;
    if (end - g > length) {
      start = g;
      length = end - g;
    }
  }
  std::string out;
  for (std::size_t g = 0; g < 8; ++g) {
    if (g == start) {
      out += "::";
      g += length - 1;
      continue;
    }
    if (!out.empty() && !out.ends_with(':')) out += ':';
    out += fmt::format("{:x}", groups[g]);
  }
  return out;
}

std::string NetworkText(const Value& network) {
  return AddressText(network) + "/" + std::to_string(network.prefix());
}

std::span<const Overload> NetworkFunctions() { return kNetworks; }

}  // namespace batholith::cel
