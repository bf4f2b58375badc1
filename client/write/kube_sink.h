#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "api/orders.h"
#include "client/http/task.h"
#include "client/http/task_owner.h"
#include "client/watch/kube_source.h"
#include "client/watch/server_state.h"
#include "client/write/built_ins.h"
#include "client/write/event_recorder.h"
#include "client/write/group_scaler.h"
#include "client/write/order_runner.h"
#include "client/write/paced_writer.h"
#include "client/write/queue_commands.h"
#include "client/write/status_writer.h"

namespace batholith {

struct KubeSinkOptions {
  OrderOptions orders;
  Paces paces;
  std::string default_queue = "default";
  std::string component;           // reportingController of events: the scheduler's name
  std::string instance;            // and this replica
  std::function<bool()> may_send;  // whether this replica leads; any thread
  std::function<void(const std::string&)> warn;
  // On the client's thread; may be empty.
  std::function<void(double seconds)> bind_took;
  std::function<void(const std::string& group, const char* cause)> scale_up_failed;
};

// Writes what sessions decide to an API server, in the background.
class KubeSink final : public OrderSink {
 public:
  KubeSink(HttpClient& client, KubeSource& source, ServerState& state, EventInbox& inbox,
           KubeSinkOptions options);

  void Send(SessionOrders orders) override;
  // What every cluster must have: the queues root and default, and Koordinator's three own quotas,
  // in this namespace. Only what is missing is made, once its kind is served.
  void MakeBuiltIns(const std::string& quota_namespace);
  // Opens and closes queues from now on as Commands ask. Once.
  void ObeyCommands();
  // How long the volumes of pods that are bound from now on are waited for; any thread.
  void SetVolumePatience(std::chrono::milliseconds patience);
  // Writes what waits for figures to stand still; any thread.
  void Flush();
  // An event about anything; any thread.
  void Tell(ObjectEvent event);

  // Sent and not answered; any thread.
  bool IsIdle() const { return posted_ == 0 && idle_; }
  std::uint64_t refusals() const { return refusals_; }

 private:
  void Start(SessionOrders orders);
  void WriteStatuses(const SessionOrders& orders);
  void WriteQuotas(const CycleResult& report);
  void WriteLabels(const std::vector<LabelOrder>& labels);
  void Answered(EffectOutcome outcome);
  void RecordIdle() { idle_ = orders_.IsIdle() && statuses_.IsIdle() && groups_.IsIdle(); }
  void WarnOf(const EffectOutcome& outcome);
  void PumpBuiltIns();
  Task<> Make(BuiltIn object);
  void TellOfJobs(const CycleResult& report);
  OrderPorts Ports(KubeSource& source);
  GroupScaler::Options ScalerOptions();
  const NodeGroupStatus* ToldOf(const std::string& group) const;
  void TellOfGroups(std::shared_ptr<const CycleResult> report);
  void TellOfGroup(const std::string& group, bool warning, const char* reason, std::string note);

  HttpClient& client_;
  const KubeSource& source_;
  ServerState& state_;
  EventInbox& inbox_;
  KubeSinkOptions options_;
  OrderRunner orders_;
  StatusWriter statuses_;
  PacedWriter paced_;
  EventRecorder events_;
  QueueCommands commands_;
  GroupScaler groups_;
  std::vector<BuiltIn> unmade_;              // and not known to be there
  std::shared_ptr<const CycleResult> told_;  // the last session's report
  std::atomic<int> posted_ = 0;              // given to Send and not begun
  std::atomic<bool> idle_ = true;
  std::atomic<std::uint64_t> refusals_ = 0;
  std::chrono::steady_clock::time_point warned_;  // of an order that was not done
  std::uint64_t unsaid_ = 0;                      // how many more since then
  TaskOwner tasks_;
};

}  // namespace batholith
