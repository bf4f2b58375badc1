#include "client/access/address.h"

#include <algorithm>

#include "api/url_text.h"

namespace batholith {
namespace {

constexpr std::string_view kScheme = "://";

// A password with a '/' that nobody escaped makes what is before it look like host and port.
bool IsHostAndPort(std::string_view text) {
  const std::size_t bracket = text.rfind(']');
  const std::size_t colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const std::string_view port =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  const bool has_host = colon != 0 && !text.empty();
  return has_host && port.find_first_not_of("0123456789") == std::string_view::npos &&
         std::ranges::none_of(text, [](char c) {
           return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || c == '\\';
         });
}

}  // namespace

Result<Address> ParseAddress(std::string_view text,
                             std::initializer_list<std::string_view> schemes) {
  const std::size_t scheme = text.find(kScheme);
  if (scheme == std::string_view::npos ||
      std::ranges::find(schemes, text.substr(0, scheme)) == schemes.end()) {
    std::string all;
    for (const std::string_view one : schemes)
      all += (all.empty()                   ? ""
              : one == *(schemes.end() - 1) ? " or "
                                            : ", ") +
             std::string(one) + std::string(kScheme);
    return Invalid("must begin with " + all);
  }
  std::string_view rest = text.substr(scheme + kScheme.size());
  rest = rest.substr(0, rest.find_first_of("?#"));
  std::string_view host = rest.substr(0, rest.find('/'));
  std::string_view path = rest.substr(host.size());
  while (path.ends_with('/')) path.remove_suffix(1);
  Address out;
  if (const std::size_t at = host.rfind('@'); at != std::string_view::npos) {
    const std::string_view user = host.substr(0, at);
    const std::size_t colon = std::min(user.find(':'), user.size());
    const auto name = PercentDecoded(user.substr(0, colon));
    const auto password = PercentDecoded(user.substr(std::min(colon + 1, user.size())));
    if (!name || !password) return Invalid("has a user with a bad %-escape");
    out.user = {*name, *password};
    host.remove_prefix(at + 1);
  }
  if (!IsHostAndPort(host))
    return Invalid("has no host, or a port that is not a number; escape / ? # in a password");
  out.url =
      std::string(text.substr(0, scheme + kScheme.size())) + std::string(host) + std::string(path);
  return out;
}

}  // namespace batholith
