#include "client/access/access.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "api/url_text.h"
#include "client/access/address.h"
#include "client/access/in_cluster.h"
#include "client/access/kubeconfig.h"
#include "codec/json/field.h"

namespace batholith {
namespace {

// Where kubeconfigs are looked for, first things first.
std::vector<std::string> Kubeconfigs(const AccessOptions& options) {
  if (!options.kubeconfig.empty()) return {options.kubeconfig};
  std::vector<std::string> files;
  if (const char* const list = std::getenv("KUBECONFIG"); list != nullptr && *list != '\0') {
    std::string_view rest = list;
    while (!rest.empty()) {
      const std::string_view file = rest.substr(0, rest.find(':'));
      if (!file.empty()) files.emplace_back(file);
      rest.remove_prefix(std::min(rest.size(), file.size() + 1));
    }
    return files;
  }
  if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0')
    files.push_back(std::string(home) + "/.kube/config");
  return files;
}

// As kubectl: a user in the address is basic authentication and comes before all else, and the
// query of the address is not used.
Result<ClusterAccess> Complete(ClusterAccess access, const AccessOptions& options) {
  if (!options.master.empty()) access.server = options.master;
  Result<Address> address = ParseAddress(access.server, {"https", "http"});
  if (!address) {
    const std::string field = options.master.empty() ? access.origin + ": server" : "--master";
    return Invalid(field + ": \"" + Printable(UrlForPeople(access.server)) + "\" " +
                   address.error().message);
  }
  access.server = std::move(address->url);
  if (address->user) {
    access.username = std::move(address->user->name);
    access.password = std::move(address->user->password);
    access.token.clear();
    access.token_file.clear();
    access.exec.reset();
  }
  return access;
}

}  // namespace

Result<ClusterAccess> LoadAccess(const AccessOptions& options) {
  const std::vector<std::string> files = Kubeconfigs(options);
  Result<ClusterAccess> access = LoadKubeconfig(files, options.context);
  if (access) return Complete(*std::move(access), options);
  if (access.error().code != ErrorCode::kNotFound) return access;
  if (!options.kubeconfig.empty()) return Invalid("--kubeconfig: " + access.error().message);
  Result<ClusterAccess> in_cluster = LoadInCluster();
  if (in_cluster) return Complete(*std::move(in_cluster), options);
  if (in_cluster.error().code != ErrorCode::kNotFound) return in_cluster;
  if (!options.master.empty()) {
    ClusterAccess bare;
    bare.origin = "--master";
    return Complete(std::move(bare), options);
  }
  return std::unexpected(
      Error{ErrorCode::kNotFound, "no cluster is named: --kubeconfig and --master are not set; " +
                                      access.error().message + "; " + in_cluster.error().message});
}

}  // namespace batholith
