#include "cmd/listeners.h"

#include <chrono>
#include <string>
#include <utility>

#include "cmd/server_certificate.h"

namespace batholith {
namespace {

// A snapshot of a large cluster takes a while through kubectl port-forward.
constexpr std::chrono::minutes kSnapshotTime{5};

Result<void> Begin(const std::string& address, StatusServer::Handler handler,
                   StatusServer::Options options, std::unique_ptr<StatusServer>& out) {
  auto server = StatusServer::Listen(address, std::move(handler), std::move(options));
  if (!server) return std::unexpected(server.error());
  out = *std::move(server);
  return {};
}

Result<void> BeginMetrics(const SchedulerFlags& flags, const StatusPorts& ports,
                          std::unique_ptr<StatusServer>& out) {
  StatusServer::Options options;
  if (!flags.tls_cert_file.empty()) {
    auto certificate = ServerCertificate::Load(flags.tls_cert_file, flags.tls_key_file);
    if (!certificate) return std::unexpected(certificate.error());
    options.certificate = *std::move(certificate);
  }
  if (ports.reviewer != nullptr) {
    options.guard = [&ports](const StatusRequest& request, StatusServer::Verdict verdict) {
      GuardMetrics(request, ports, std::move(verdict));
    };
  }
  const auto page = [&ports](const StatusRequest& r) { return AnswerMetrics(r, ports); };
  return Begin(flags.listen_address, StatusServer::AtOnce(page), std::move(options), out);
}

}  // namespace

Result<Listeners> Listen(const SchedulerFlags& flags, const StatusPorts& ports) {
  Listeners out;
  Result<void> begun;
  if (flags.healthz) {
    const auto page = [&ports](const StatusRequest& r) { return AnswerHealth(r, ports); };
    begun = Begin(flags.healthz_address, StatusServer::AtOnce(page), {}, out.health);
  }
  if (begun && flags.metrics) begun = BeginMetrics(flags, ports, out.metrics);
  if (begun && !flags.debug_address.empty()) {
    StatusServer::Options options;
    options.loopback_only = true;
    options.limits.reply = kSnapshotTime;
    const auto page = [&ports](const StatusRequest& request, const StatusServer::Answer& answer) {
      AnswerDebug(request, ports, answer);
    };
    begun = Begin(flags.debug_address, page, std::move(options), out.debug);
    if (!begun) begun.error().message.insert(0, "--debug-address: ");
  }
  if (!begun) return std::unexpected(begun.error());
  return out;
}

}  // namespace batholith
