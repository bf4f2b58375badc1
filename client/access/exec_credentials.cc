#include "client/access/exec_credentials.h"

#include <boost/json.hpp>
#include <vector>

#include "client/access/base64.h"
#include "client/access/child_process.h"
#include "codec/json/field.h"
#include "codec/json/parse.h"
#include "codec/load.h"

namespace batholith {
namespace {

constexpr std::chrono::seconds kLongestRun{60};

Result<boost::json::object> ClusterInfo(const ClusterAccess& access) {
  boost::json::object cluster{{"server", access.server}};
  if (!access.tls_server_name.empty()) cluster["tls-server-name"] = access.tls_server_name;
  if (access.skip_tls_verify) cluster["insecure-skip-tls-verify"] = true;
  if (!access.proxy_url.empty()) cluster["proxy-url"] = access.proxy_url;
  std::string ca = access.ca_pem;
  if (ca.empty() && !access.ca_file.empty()) {
    Result<std::string> text = ReadText(access.ca_file);
    if (!text) return std::unexpected(text.error());
    ca = *std::move(text);
  }
  if (!ca.empty()) cluster["certificate-authority-data"] = EncodeBase64(ca);
  return cluster;
}

Error PluginFailed(const ExecPlugin& plugin, std::string why) {
  if (!plugin.install_hint.empty()) why += "\n" + plugin.install_hint;
  return {ErrorCode::kUnavailable, "credentials: " + why};
}

ExecCredential ReadStatus(const Field& status) {
  ExecCredential credential;
  credential.token = status["token"].Text();
  credential.cert_pem = status["clientCertificateData"].Text();
  credential.key_pem = status["clientKeyData"].Text();
  if (credential.cert_pem.empty() != credential.key_pem.empty())
    status.Fail("clientCertificateData and clientKeyData belong together");
  if (credential.token.empty() && credential.cert_pem.empty())
    status.Fail("has no token and no clientCertificateData");
  if (const Field expires = status["expirationTimestamp"]; expires.present()) {
    const std::chrono::nanoseconds time(expires.Time());
    credential.expires = std::chrono::system_clock::time_point(
        std::chrono::duration_cast<std::chrono::system_clock::duration>(time));
  }
  return credential;
}

}  // namespace

Result<std::string> ExecInfo(const ClusterAccess& access) {
  boost::json::object spec{{"interactive", false}};
  if (access.exec->provide_cluster_info) {
    Result<boost::json::object> cluster = ClusterInfo(access);
    if (!cluster) return std::unexpected(cluster.error());
    spec["cluster"] = *std::move(cluster);
  }
  const boost::json::object info{{"apiVersion", access.exec->api_version},
                                 {"kind", "ExecCredential"},
                                 {"spec", std::move(spec)}};
  return boost::json::serialize(info);
}

Result<ExecCredential> ParseExecCredential(std::string_view text, const std::string& api_version) {
  const Result<boost::json::value> value = ParseJsonValue(text);
  if (!value) return std::unexpected(value.error());
  try {
    const Field object(&*value, "");
    if (object["kind"].Text() != "ExecCredential") object["kind"].Fail("must be ExecCredential");
    if (object["apiVersion"].Text() != api_version)
      object["apiVersion"].Fail("must be " + api_version);
    return ReadStatus(object["status"]);
  } catch (const FieldError& e) {
    return Invalid(e.what());
  }
}

Result<ExecCredential> RunExecPlugin(const ClusterAccess& access, const std::stop_token& stop) {
  const ExecPlugin& plugin = *access.exec;
  Result<std::string> info = ExecInfo(access);
  if (!info) return std::unexpected(PluginFailed(plugin, info.error().message));
  std::vector<std::string> command{plugin.command};
  command.insert(command.end(), plugin.arguments.begin(), plugin.arguments.end());
  std::map<std::string, std::string> environment = plugin.environment;
  environment["KUBERNETES_EXEC_INFO"] = *std::move(info);
  const Result<ChildOutput> output = RunChild(command, environment, kLongestRun, stop);
  if (!output) return std::unexpected(PluginFailed(plugin, output.error().message));
  if (output->exit_status != 0) {
    const std::string_view said =
        std::string_view(output->err).substr(0, output->err.find_last_not_of(" \t\r\n") + 1);
    return std::unexpected(PluginFailed(plugin, plugin.command + " ended with " +
                                                    std::to_string(output->exit_status) + ": " +
                                                    Printable(said)));
  }
  Result<ExecCredential> credential = ParseExecCredential(output->out, plugin.api_version);
  // Nothing of what it printed: that may be a secret.
  if (!credential) {
    return std::unexpected(
        PluginFailed(plugin, plugin.command + ": what it printed: " + credential.error().message));
  }
  return credential;
}

}  // namespace batholith
