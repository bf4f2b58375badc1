#include "cmd/listen_address.h"

#include <string_view>

#include "api/value_text.h"

namespace batholith {

Result<ListenAddress> ParseListenAddress(const std::string& text) {
  const auto refused = [&] {
    return Invalid("address \"" + text + "\": expected HOST:PORT, [IPV6]:PORT or :PORT");
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return refused();
  std::string_view host = std::string_view(text).substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
    if (!host.contains(':')) return refused();
  } else if (host.find_first_of("[]:") != std::string_view::npos) {
    return refused();
  }
  ListenAddress address{std::string(host)};
  const auto port = ParseNumber<std::uint16_t>(std::string_view(text).substr(colon + 1));
  if (!port) return refused();
  address.port = *port;
  return address;
}

}  // namespace batholith
