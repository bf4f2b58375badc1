#include "cmd/scheduler_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/log.h"
#include "cmd/snapshot_page.h"

namespace batholith {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kStuck{120};  // no session takes this long

StatusReply Livez(const StatusPorts& ports) {
  const auto age = Clock::now() - ports.loop->alive();
  if (age < kStuck) return {200, "ok\n"};
  return {500, fmt::format("the loop has not come round for {} s\n",
                           std::chrono::duration_cast<std::chrono::seconds>(age).count())};
}

// A follower is ready too: it knows everything and waits for its turn.
StatusReply Readyz(const StatusPorts& ports) {
  std::string text;
  for (const KindHealth& kind : ports.source->Health()) {
    const char mark = kind.is_good() ? '+' : IsWaitedFor(kind.use) ? '-' : '!';
    text += fmt::format("[{}]{} {}{}{}\n", mark, kind.kind, WatchStateName(kind.state),
                        kind.why.empty() ? "" : ": ", kind.why);
    if (kind.flawed != 0)
      text += fmt::format("[!]{}: {} not read in full, the first: {}\n", kind.kind, kind.flawed,
                          kind.flaw);
  }
  // Scheduling goes on without them, so they do not make the replica unready.
  for (const std::string& rule : ports.missing_rules->Current(Clock::now()))
    text += fmt::format("[!]rule missing: {}\n", rule);
  for (const std::string& line : ports.left_out->Lines()) text += fmt::format("[!]{}\n", line);
  text += fmt::format("{}\n", ports.leads() ? "leads" : "does not lead");
  const SessionHealth::Trouble trouble = ports.loop->trouble();
  if (trouble.sessions > 0)
    text += fmt::format("[{}]{}\n", trouble.lasts() ? '-' : '!', trouble.Text(Clock::now()));
  const bool ready = ports.source->IsSynced() && !trouble.lasts();
  text += ready ? "readyz check passed\n" : "readyz check failed\n";
  return {ready ? 200 : 503, text};
}

StatusReply MetricsReply(const StatusPorts& ports) {
  const auto now = Clock::now();
  for (const KindHealth& kind : ports.source->Health()) {
    const double lag = kind.alive == Clock::time_point()
                           ? 0
                           : std::chrono::duration<double>(now - kind.alive).count();
    ports.metrics->SetWatch(kind.kind, WatchStateName(kind.state), lag);
    ports.metrics->SetUnreadable(kind.kind, kind.flawed);
  }
  ports.metrics->SetLeader(ports.leads());
  return {200, ports.metrics->Text(), std::string(Metrics::kContentType)};
}

StatusReply LogLevelReply(const StatusRequest& request) {
  constexpr std::array<std::pair<std::string_view, LogLevel>, 4> kLevels{
      {{"debug", LogLevel::kDebug},
       {"info", LogLevel::kInfo},
       {"warning", LogLevel::kWarning},
       {"error", LogLevel::kError}}};
  if (request.method == "PUT") {
    std::string_view wanted(request.body);
    while (!wanted.empty() && (wanted.back() == '\n' || wanted.back() == ' '))
      wanted.remove_suffix(1);
    const auto it = std::ranges::find(kLevels, wanted, [](const auto& l) { return l.first; });
    if (it == kLevels.end()) return {400, "expected debug, info, warning or error\n"};
    SetLogLevel(it->second);
  }
  const auto now =
      std::ranges::find(kLevels, CurrentLogLevel(), [](const auto& l) { return l.second; });
  return {200, std::string(now->first) + "\n"};
}

StatusReply Explain(const StatusRequest& request, const StatusPorts& ports) {
  const auto pod = request.query.find("pod");
  if (pod == request.query.end() || pod->second.find('/') == std::string::npos)
    return {400, "expected ?pod=NAMESPACE/NAME\n"};
  const SessionHealth::Trouble trouble = ports.loop->trouble();
  if (trouble.sessions > 0)
    return {503,
            "nothing can be told of " + pod->second + ": " + trouble.Text(Clock::now()) + "\n"};
  const auto report = ports.loop->last();
  if (report == nullptr) return {503, "no session has run yet\n"};
  const std::string text = ExplainPod(*report, pod->second);
  if (text.empty())
    return {404,
            pod->second + " does not wait: it has a node, is finished, or is no pod of ours\n"};
  return {200, text};
}

void SnapshotPage(const StatusPorts& ports, const StatusServer::Answer& answer) {
  if (!ports.leads())
    return answer(
        {503, "this replica does not lead, so it has no sessions: ask the one that does\n"});
  if (!ports.source->IsSynced())
    return answer({503, "not all objects are known yet, so there are no sessions\n"});
  ports.loop->AskForDump(AnswerWithSnapshot(answer));
}

int StatusOf(TokenVerdict::Kind kind) {
  switch (kind) {
    case TokenVerdict::Kind::kAllowed:
      return 200;
    case TokenVerdict::Kind::kNobody:
      return 401;
    case TokenVerdict::Kind::kForbidden:
      return 403;
    case TokenVerdict::Kind::kUnknown:
      return 503;
  }
  return 503;
}

}  // namespace

std::string ExplainPod(const CycleResult& report, const std::string& key) {
  std::string out;
  for (const Bind& bind : report.binds) {
    if (bind.pod == key)
      out += fmt::format("{}: bound to {} by {} (job {}, queue {})\n", key, bind.node, bind.action,
                         bind.job, bind.queue);
  }
  for (const Evict& evict : report.evictions) {
    if (evict.pod == key)
      out += fmt::format("{}: evicted from {} by {} for {}: {}\n", key, evict.node, evict.action,
                         evict.for_job, evict.reason);
  }
  for (const Pipelined& p : report.pipelined) {
    if (p.pod == key)
      out += fmt::format("{}: {} keeps room for it on {} (job {})\n", key, p.action, p.node, p.job);
  }
  for (const PodStatus& pod : report.pods) {
    if (pod.key == key) out += fmt::format("{}: {}: {}\n", key, pod.reason, pod.message);
  }
  return out;
}

StatusReply AnswerHealth(const StatusRequest& request, const StatusPorts& ports) {
  if (request.path == "/healthz" || request.path == "/livez") return Livez(ports);
  if (request.path == "/readyz") return Readyz(ports);
  return {404, "expected /healthz, /livez or /readyz\n"};
}

StatusReply AnswerMetrics(const StatusRequest& request, const StatusPorts& ports) {
  if (request.path == "/metrics") return MetricsReply(ports);
  return {404, "expected /metrics; pages of /debug are at --debug-address\n"};
}

void GuardMetrics(const StatusRequest& request, const StatusPorts& ports,
                  StatusServer::Verdict verdict) {
  ports.reviewer->Review(
      request.token, request.path, "get", [verdict = std::move(verdict)](const TokenVerdict& said) {
        if (said.kind == TokenVerdict::Kind::kAllowed) return verdict(std::nullopt);
        verdict(StatusReply{.status = StatusOf(said.kind), .text = said.why + "\n"});
      });
}

void AnswerDebug(const StatusRequest& request, const StatusPorts& ports,
                 const StatusServer::Answer& answer) {
  if (request.path == "/debug/snapshot") return SnapshotPage(ports, answer);
  if (request.path == "/debug/conf") return answer({200, ports.loop->conf_text()});
  if (request.path == "/debug/explain") return answer(Explain(request, ports));
  if (request.path == "/debug/loglevel") return answer(LogLevelReply(request));
  answer({404, "expected /debug/conf, /debug/explain, /debug/loglevel or /debug/snapshot\n"});
}

}  // namespace batholith
