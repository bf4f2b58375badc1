#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "api/result.h"
#include "client/access/access.h"

namespace batholith {

// What a plugin hands out: a token, a certificate with its key, or both.
struct ExecCredential {
  std::string token;
  std::string cert_pem, key_pem;
  std::optional<std::chrono::system_clock::time_point> expires;
};

// Runs the plugin of `access`. REQUIRES: access.exec. Blocks, for at most a minute; stops early on
// a stop. Errors: kUnavailable, with the command, what it said and the hint how to install it.
Result<ExecCredential> RunExecPlugin(const ClusterAccess& access, const std::stop_token& stop);

// What a plugin printed: an ExecCredential of the version that it was asked for.
Result<ExecCredential> ParseExecCredential(std::string_view text, const std::string& api_version);

// The value of KUBERNETES_EXEC_INFO. REQUIRES: access.exec. Errors: the CA's file cannot be read.
Result<std::string> ExecInfo(const ClusterAccess& access);

}  // namespace batholith
