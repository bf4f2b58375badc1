#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/result.h"

namespace batholith {

// A program that hands out credentials: `user.exec` of a kubeconfig, client.authentication.k8s.io.
struct ExecPlugin {
  std::string api_version;
  std::string command;  // relative to the kubeconfig where it has a slash
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;
  bool provide_cluster_info = false;
  std::string install_hint;
};

// How an API server is reached and as whom. Texts named *_pem hold the bytes, *_file a path; where
// both stand the bytes count.
struct ClusterAccess {
  std::string server;  // https://host:port[/prefix], no slash at the end, no user
  std::string ca_pem, ca_file;
  bool skip_tls_verify = false;
  std::string tls_server_name;
  std::string proxy_url;  // may hold a password: never in a message
  std::string cert_pem, cert_file, key_pem, key_file;
  std::string token;
  std::string token_file;  // read again when it changes, at the latest each minute
  std::string username, password;
  std::optional<ExecPlugin> exec;
  std::string as_user, as_uid;
  std::vector<std::string> as_groups;
  std::map<std::string, std::vector<std::string>> as_extra;
  std::string namespace_ = "default";  // of the context, or of the service account
  std::string origin;                  // for messages: "context prod of FILE", "in-cluster"
};

struct AccessOptions {
  std::string kubeconfig;  // --kubeconfig; empty: $KUBECONFIG (a list, merged), ~/.kube/config
  std::string master;      // --master: replaces the server
  std::string context;     // --context; empty: current-context
};

// Flags first, then the kubeconfig, then the service account of a pod. Errors name file and field;
// where nothing is there, all the places that were looked at.
Result<ClusterAccess> LoadAccess(const AccessOptions& options);

}  // namespace batholith
