#include "cmd/scheduler_flags.h"

#include <algorithm>
#include <iostream>
#include <thread>

#include "api/value_text.h"
#include "cmd/commands.h"
#include "cmd/flags.h"
#include "cmd/inert_flags.h"
#include "cmd/version.h"

namespace batholith {
namespace {

namespace po = boost::program_options;

struct Texts {
  std::string period, lease_duration, renew_deadline, retry_period, sync_timeout;
};

void Describe(SchedulerFlags& f, Texts& t, po::options_description& flags) {
  auto add = flags.add_options();
  add("help,h", "this text");
  add("version", "what this build is");
  add("kubeconfig", po::value(&f.access.kubeconfig),
      "how to reach the cluster; else $KUBECONFIG, ~/.kube/config, in-cluster");
  add("master", po::value(&f.access.master),
      "address of the API server, instead of the kubeconfig's");
  add("context", po::value(&f.access.context), "context of the kubeconfig");
  add("scheduler-name", po::value(&f.scheduler_names),
      "whose pods are ours (repeat; default volcano)");
  add("scheduler-conf", po::value(&f.scheduler_conf),
      "scheduler conf, read again when it changes; built in when absent");
  add("schedule-period", po::value(&t.period)->default_value("1s"),
      "longest time between sessions");
  add("default-queue", po::value(&f.default_queue)->default_value("default"),
      "where groups without a queue go");
  add("listen-address", po::value(&f.listen_address)->default_value(":8080"), "of /metrics");
  add("healthz-address", po::value(&f.healthz_address)->default_value(":11251"),
      "of /healthz, /readyz and /livez");
  add("debug-address", po::value(&f.debug_address),
      "of /debug, on loopback only, such as 127.0.0.1:6060; none: no such pages");
  add("enable-metrics", Switch(f.metrics, false), "serve /metrics");
  add("tls-cert-file", po::value(&f.tls_cert_file),
      "certificate in PEM: /metrics is served with TLS; read again when it changes");
  add("tls-private-key-file", po::value(&f.tls_key_file), "its key");
  add("metrics-authentication", Switch(f.metrics_authentication, false),
      "only tokens of the cluster with the right to get /metrics may; needs TLS");
  add("enable-healthz", Switch(f.healthz, false), "serve the health paths");
  add("priority-class", Switch(f.priority_class, true), "priority classes of pod groups count");
  add("kube-api-qps", po::value(&f.qps)->default_value(2000), "requests a second; 0: no limit");
  add("kube-api-burst", po::value(&f.burst)->default_value(2000), "requests at once");
  add("threads",
      po::value(&f.threads)
          ->default_value(static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))),
      "worker threads; the result never depends on it");
  add("disable-default-scheduler-config", Switch(f.no_default_conf, false),
      "a bad conf at the start ends the program");
  add("leader-elect", Switch(f.leader_elect, true), "of several replicas one leads");
  add("leader-elect-lease-duration", po::value(&t.lease_duration)->default_value("15s"),
      "others wait this long for a leader");
  add("leader-elect-renew-deadline", po::value(&t.renew_deadline)->default_value("10s"),
      "a leader that could not renew stops after this");
  add("leader-elect-retry-period", po::value(&t.retry_period)->default_value("2s"),
      "between two attempts");
  add("leader-elect-resource-name", po::value(&f.lease_name),
      "of the Lease (default: the scheduler's name)");
  add("leader-elect-resource-namespace",
      po::value(&f.lease_namespace)->default_value("volcano-system"), "of the Lease");
  add("resource-sync-timeout", po::value(&t.sync_timeout)->default_value("60s"),
      "a note is logged when the first lists take longer");
  add("v,v", po::value(&f.verbosity)->default_value(0), "verbosity: from 4 on debug");
  f.node_scope_flags.Describe(flags);
  DescribeInertFlags(flags);
}

std::string ReadTexts(const Texts& t, SchedulerFlags& f) {
  std::string wrong;
  const auto read = [&](const char* name, const std::string& text, auto& out, bool zero) {
    const auto value = ParseGoDuration(text);
    if (!value || value->count() < (zero ? 0 : 1)) {
      wrong = std::string("--") + name + " " + text + ": must be a duration, such as 1s";
      return;
    }
    out = std::chrono::duration_cast<std::remove_reference_t<decltype(out)>>(*value);
  };
  read("schedule-period", t.period, f.period, false);
  read("leader-elect-lease-duration", t.lease_duration, f.lease_duration, false);
  read("leader-elect-renew-deadline", t.renew_deadline, f.renew_deadline, false);
  read("leader-elect-retry-period", t.retry_period, f.retry_period, false);
  read("resource-sync-timeout", t.sync_timeout, f.sync_timeout, true);
  if (!wrong.empty()) return wrong;
  if (f.lease_duration <= f.renew_deadline || f.renew_deadline <= f.retry_period)
    return "--leader-elect-lease-duration must be longer than --leader-elect-renew-deadline, and "
           "that "
           "longer than --leader-elect-retry-period";
  if (f.tls_cert_file.empty() != f.tls_key_file.empty())
    return "--tls-cert-file and --tls-private-key-file go together; one is missing";
  if (f.metrics_authentication && f.tls_cert_file.empty())
    return "--metrics-authentication needs --tls-cert-file and --tls-private-key-file: tokens must "
           "not cross the network unencrypted";
  Result<NodeScope> scope = f.node_scope_flags.Read();
  if (!scope) return scope.error().message;
  f.node_scope = *std::move(scope);
  if (f.threads < 1) return "--threads must be at least 1";
  if (f.qps < 0 || f.burst < 0) return "--kube-api-qps and --kube-api-burst must not be negative";
  return {};
}

CommandPage SchedulerPage(SchedulerFlags& f, Texts& t) {
  CommandPage page{"scheduler", "[flags]", "Schedules the pods of a Kubernetes cluster.",
                   "Takes the flags of Volcano's scheduler with their names and defaults. What has "
                   "no meaning here is accepted, and told of in the log."};
  Describe(f, t, page.flags);
  return page;
}

}  // namespace

CommandPage SchedulerPage() {
  SchedulerFlags flags;
  Texts texts;
  return SchedulerPage(flags, texts);
}

ParsedSchedulerFlags ParseSchedulerFlags(const std::vector<std::string>& arguments) {
  ParsedSchedulerFlags out;
  SchedulerFlags& f = out.flags;
  Texts texts;
  const ParsedFlags parsed =
      ParseFlags(SchedulerPage(f, texts), WithoutShellWords(arguments, f.ignored));
  out.stop = parsed.stop;
  out.status = parsed.status;
  if (out.stop) return out;
  if (parsed.values.contains("version")) {
    std::cout << VersionText();
    out.stop = true;
    return out;
  }
  if (const std::string wrong = ReadTexts(texts, f); !wrong.empty()) {
    std::cerr << "batholith scheduler: " << wrong << "\n";
    out.stop = true;
    out.status = kBadInput;
    return out;
  }
  if (f.scheduler_names.empty()) f.scheduler_names = {"volcano"};
  if (f.lease_name.empty()) f.lease_name = f.scheduler_names.front();
  AddInertFlags(parsed.values, f.ignored);
  if (!f.priority_class)
    f.ignored.emplace_back("--priority-class=false has no effect: classes count");
  return out;
}

}  // namespace batholith
