#include "client/access/in_cluster.h"

#include <cstdlib>

#include "codec/load.h"

namespace batholith {
namespace {

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Result<ClusterAccess> LoadInCluster(const std::string& folder) {
  const std::string host = Environment("KUBERNETES_SERVICE_HOST");
  const std::string port = Environment("KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty()) {
    return std::unexpected(Error{ErrorCode::kNotFound,
                                 "in-cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT "
                                 "are not set"});
  }
  ClusterAccess access;
  access.origin = "in-cluster";
  const bool is_ipv6 = host.contains(':');
  access.server = "https://" + (is_ipv6 ? "[" + host + "]" : host) + ":" + port;
  access.token_file = folder + "/token";
  access.ca_file = folder + "/ca.crt";
  for (const std::string& file : {access.token_file, access.ca_file}) {
    const Result<std::string> text = ReadText(file);
    if (!text) return Invalid("in-cluster: " + text.error().message);
  }
  if (const Result<std::string> name = ReadText(folder + "/namespace")) {
    const std::size_t end = name->find_last_not_of(" \t\r\n");
    if (end != std::string::npos) access.namespace_ = name->substr(0, end + 1);
  }
  return access;
}

}  // namespace batholith
