#include "cmd/status_request.h"

#include <algorithm>
#include <cstdint>

#include "api/url_text.h"

namespace batholith {
namespace {

std::optional<std::string> Decoded(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return PercentDecoded(spaced);
}

}  // namespace

std::optional<StatusRequest> ParseTarget(std::string_view target) {
  if (!target.starts_with('/')) return std::nullopt;
  const std::size_t mark = std::min(target.find('?'), target.size());
  StatusRequest request;
  request.path = target.substr(0, mark);
  std::string_view rest = target.substr(std::min(mark + 1, target.size()));
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto key = Decoded(pair.substr(0, equals));
    const auto value = Decoded(pair.substr(std::min(equals + 1, pair.size())));
    if (!key || !value) return std::nullopt;
    request.query.emplace(*key, *value);
  }
  return request;
}

std::string BearerOf(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view scheme = authorization.substr(0, kScheme.size());
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  if (!std::ranges::equal(scheme, kScheme, same)) return {};
  std::string_view token = authorization.substr(kScheme.size());
  token.remove_prefix(std::min(token.find_first_not_of(' '), token.size()));
  return std::string(token);
}

bool NamesThisMachine(std::string_view host) {
  if (host.starts_with("[::1]")) return host.size() == 5 || host[5] == ':';
  host = host.substr(0, host.find(':'));
  const bool digits = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return host.empty() || host == "localhost" || (host.starts_with("127.") && digits);
}

}  // namespace batholith
