#pragma once

#include <functional>
#include <string>
#include <vector>

#include "client/kube_source.h"
#include "cmd/scheduler_loop.h"
#include "cmd/status_request.h"
#include "metrics/metrics.h"

namespace batholith {

// What the endpoints of a daemon look at. Does not own.
struct StatusPorts {
  SchedulerLoop* loop = nullptr;
  const KubeSource* source = nullptr;
  Metrics* metrics = nullptr;
  std::shared_ptr<const MissingRules> missing_rules;
  std::function<bool()> leads;
};

// /healthz, /livez and /readyz: quick, whatever else goes on.
StatusReply AnswerHealth(const StatusRequest& request, const StatusPorts& ports);
// /metrics and /debug/…; a snapshot waits for the next session.
StatusReply AnswerDebug(const StatusRequest& request, const StatusPorts& ports);

// What a session said of a pod, as lines for a person.
std::string ExplainPod(const CycleResult& report, const std::string& key);

}  // namespace batholith
