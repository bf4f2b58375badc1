#pragma once

#include <functional>
#include <string>
#include <vector>

#include "client/watch/kube_source.h"
#include "client/write/token_reviewer.h"
#include "cmd/left_out_notice.h"
#include "cmd/scheduler_loop.h"
#include "cmd/status_request.h"
#include "cmd/status_server.h"

namespace batholith {

// What the endpoints of a daemon look at. Does not own.
struct StatusPorts {
  SchedulerLoop* loop = nullptr;
  const KubeSource* source = nullptr;
  Metrics* metrics = nullptr;
  const LeftOutNotice* left_out = nullptr;
  std::shared_ptr<const MissingRules> missing_rules;
  std::function<bool()> leads;
  TokenReviewer* reviewer = nullptr;  // none: everybody may read the metrics
};

// /healthz, /livez and /readyz: quick, whatever else goes on.
StatusReply AnswerHealth(const StatusRequest& request, const StatusPorts& ports);
// /metrics.
StatusReply AnswerMetrics(const StatusRequest& request, const StatusPorts& ports);
// Who may read them: whoever has a token and the right to get the path. REQUIRES: a reviewer.
void GuardMetrics(const StatusRequest& request, const StatusPorts& ports,
                  StatusServer::Verdict verdict);
// /debug/…; a snapshot waits for the next session, which comes at once.
void AnswerDebug(const StatusRequest& request, const StatusPorts& ports,
                 const StatusServer::Answer& answer);

// What a session said of a pod, as lines for a person.
std::string ExplainPod(const CycleResult& report, const std::string& key);

}  // namespace batholith
