#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace batholith::cel {

// An absolute URL or path, taken apart as Go's net/url does it.
struct UrlParts {
  std::string scheme;
  std::string host;  // with its port
  std::string path;  // escaped
  std::string query;
};

// Nothing: none that could stand in a request.
std::optional<UrlParts> ReadUrl(std::string_view text);

// The host without port and brackets, and the port.
std::string HostName(std::string_view host);
std::string Port(std::string_view host);
// Keys and values of a query, unescaped; what cannot be unescaped is left out.
std::map<std::string, std::vector<std::string>> QueryOf(std::string_view query);

}  // namespace batholith::cel
