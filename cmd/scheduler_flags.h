#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "client/access/access.h"
#include "cmd/node_scope_flags.h"

namespace batholith {

// The flags of `batholith scheduler`: Volcano's names and defaults where they mean the same.
struct SchedulerFlags {
  AccessOptions access;
  std::vector<std::string> scheduler_names;
  std::string scheduler_conf;
  std::chrono::nanoseconds period{};
  std::string default_queue;
  NodeScopeFlags node_scope_flags;
  NodeScope node_scope;
  std::string listen_address, healthz_address;
  bool metrics = false, healthz = false;
  std::string debug_address;                // empty: no pages of /debug
  std::string tls_cert_file, tls_key_file;  // of the metrics; empty: without TLS
  bool metrics_authentication = false;
  bool priority_class = true;
  double qps = 0;
  int burst = 0;
  int threads = 1;
  bool no_default_conf = false;
  bool leader_elect = true;
  std::chrono::milliseconds lease_duration{}, renew_deadline{}, retry_period{};
  std::string lease_name, lease_namespace;
  std::chrono::nanoseconds sync_timeout{};
  int verbosity = 0;
  // What was given and means nothing here, each with the reason.
  std::vector<std::string> ignored;
};

// Prints help or a complaint itself; `stop` says that there is nothing more to do.
struct ParsedSchedulerFlags {
  SchedulerFlags flags;
  bool stop = false;
  int status = 0;
};
ParsedSchedulerFlags ParseSchedulerFlags(const std::vector<std::string>& arguments);

}  // namespace batholith
