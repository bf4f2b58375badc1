#include "client/write/kube_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <map>
#include <utility>

#include "client/http/json_request.h"
#include "client/http/reply.h"
#include "client/write/session_events.h"
#include "client/write/wanted_gang.h"
#include "client/write/wanted_topology.h"
#include "client/write/write_once.h"
#include "codec/kube_kinds.h"

namespace batholith {
namespace {

namespace json = boost::json;

std::string QuotaKey(const std::string& kind, const std::string& group, const std::string& key) {
  return kind + "." + group + "/" + key;
}

bool HasConditions(const Patch& patch) {
  return Field::Glance(patch.body)["status"]["conditions"].present();
}

}  // namespace

KubeSink::KubeSink(HttpClient& client, KubeSource& source, ServerState& state, EventInbox& inbox,
                   KubeSinkOptions options)
    : client_(client),
      source_(source),
      state_(state),
      inbox_(inbox),
      options_(std::move(options)),
      orders_(client, options_.orders, Ports(source)),
      statuses_(client, state,
                {.may_send = options_.may_send,
                 .warn = options_.warn,
                 .answered = [this] { RecordIdle(); }}),
      paced_(client, statuses_, options_.paces),
      events_(client, {.component = options_.component,
                       .instance = options_.instance,
                       .may_send = options_.may_send,
                       .warn = options_.warn}),
      commands_(client, state, {.may_send = options_.may_send, .warn = options_.warn}),
      groups_(client, state, ScalerOptions()) {}

OrderPorts KubeSink::Ports(KubeSource& source) {
  return {.may_send = options_.may_send,
          .answered = [this](EffectOutcome outcome) { Answered(std::move(outcome)); },
          .heard = [&source](const json::value& pod) { source.Heard(pod); },
          .bound =
              [this](const BindOrder& order) {
                ObjectEvent event = PodEvent(order.bind.pod, order.uid);
                event.reason = "Scheduled";
                event.action = "Binding";
                event.note =
                    fmt::format("Successfully assigned {} to {}", order.bind.pod, order.bind.node);
                events_.Record(event);
              },
          .evicted =
              [this](const EvictOrder& order) {
                ObjectEvent event = PodEvent(order.evict.pod, order.uid);
                event.warning = true;
                event.reason = "Evict";
                event.action = "Evicting";
                event.note = fmt::format("Pod is evicted, because of {}: {}", order.evict.action,
                                         order.evict.reason);
                events_.Record(event);
              },
          .bind_took = options_.bind_took};
}

void KubeSink::Send(SessionOrders orders) {
  ++posted_;
  client_.Post(tasks_.Guard([this, shared = std::make_shared<SessionOrders>(std::move(orders))] {
    Start(std::move(*shared));
    RecordIdle();
    --posted_;
  }));
}

void KubeSink::Flush() {
  ++posted_;
  client_.Post(tasks_.Guard([this] {
    paced_.Flush();
    RecordIdle();
    --posted_;
  }));
}

void KubeSink::Start(SessionOrders orders) {
  if (!options_.may_send()) {
    // Nobody may be left waiting for what is never sent.
    for (const BindOrder& order : orders.binds)
      Answered({EffectOutcome::Effect::kBind, order.bind.pod, order.uid, false, "not the leader"});
    for (const EvictOrder& order : orders.evictions)
      Answered(
          {EffectOutcome::Effect::kEvict, order.evict.pod, order.uid, false, "not the leader"});
    return;
  }
  // Room is made before it is used.
  for (EvictOrder& order : orders.evictions) orders_.Add(std::move(order));
  for (BindOrder& order : orders.binds) orders_.Add(std::move(order));
  PumpBuiltIns();
  WriteStatuses(orders);
  TellOfJobs(*orders.report);
  std::map<std::string, std::int32_t> jobs;
  for (const QueueStatus& queue : orders.report->queues) jobs[queue.name] = queue.jobs;
  commands_.Pump(jobs);
  TellOfGroups(orders.report);
  for (const NodeGroupOrder& order : orders.report->autoscale.orders) groups_.Add(order);
}

// As the last session told it; nullptr: it did not.
const NodeGroupStatus* KubeSink::ToldOf(const std::string& group) const {
  if (told_ == nullptr) return nullptr;
  const auto it = std::ranges::find(told_->autoscale.groups, group, &NodeGroupStatus::name);
  return it == told_->autoscale.groups.end() ? nullptr : &*it;
}

// A group that takes no more is told once.
void KubeSink::TellOfGroups(std::shared_ptr<const CycleResult> report) {
  std::vector<const NodeGroupStatus*> closed;  // that were open, or closed for another reason
  for (const NodeGroupStatus& group : report->autoscale.groups) {
    const NodeGroupStatus* before = ToldOf(group.name);
    const bool is_news = before == nullptr || before->closed != group.closed;
    if (!group.closed.empty() && is_news) closed.push_back(&group);
  }
  told_ = std::move(report);
  if (!told_->autoscale.applies) return;
  for (const NodeGroupStatus* group : closed)
    TellOfGroup(group->name, true, "NotScaledUp", group->reason);
}

GroupScaler::Options KubeSink::ScalerOptions() {
  GroupScaler::Options out;
  out.may_send = options_.may_send;
  out.answered = [this] { RecordIdle(); };
  out.failed = [this](ScaleFailure failure, const char* cause, const std::string& why) {
    const bool up = failure.removals.empty();
    if (up && options_.scale_up_failed) options_.scale_up_failed(failure.group, cause);
    std::string note = fmt::format("node group {} is not resized: {}", failure.group, why);
    if (options_.warn) options_.warn(note);
    TellOfGroup(failure.group, true, up ? "FailedToScaleUpGroup" : "FailedToScaleDownGroup",
                std::move(note));
    inbox_.Push(std::move(failure));
  };
  out.scaled = [this](const NodeGroupOrder& order) {
    std::string note = fmt::format("replicas {} → {}", order.from, order.to);
    if (!order.removals.empty())
      note += fmt::format("; not needed: {}", fmt::join(order.removals, ", "));
    TellOfGroup(order.group, false, order.to > order.from ? "ScaledUpGroup" : "ScaledDownGroup",
                std::move(note));
  };
  out.fought_over = [this](const NodeGroupOrder& order) {
    std::string note = fmt::format(
        "the size of node group {} is set back to {} again and again; whoever owns spec.replicas "
        "of {}, such as a Cluster topology or a repository, must leave it out",
        order.group, order.from, order.target);
    if (options_.warn) options_.warn(note);
    TellOfGroup(order.group, true, "ReplicasSetBack", std::move(note));
  };
  return out;
}

void KubeSink::TellOfGroup(const std::string& group, bool warning, const char* reason,
                           std::string note) {
  const NodeGroupStatus* told = ToldOf(group);
  if (told == nullptr || told->object.empty()) return;
  // The object behind it: MachineDeployment/namespace/name.
  const SeenObject* seen =
      state_.Find("MachineDeployment", told->object.substr(told->object.find('/') + 1));
  if (seen == nullptr) return;
  ObjectEvent event = EventOf(*seen);
  event.warning = warning;
  event.reason = reason;
  event.action = "Scaling";
  event.note = std::move(note);
  events_.Record(event);
}

void KubeSink::Answered(EffectOutcome outcome) {
  if (!outcome.done) {
    ++refusals_;
    ObjectEvent event = PodEvent(outcome.pod, outcome.uid);
    event.warning = true;
    const bool bind = outcome.effect == EffectOutcome::Effect::kBind;
    event.reason = bind ? "FailedScheduling" : "FailedEviction";
    event.action = bind ? "Binding" : "Evicting";
    event.note = outcome.why;
    events_.Record(event);
    WarnOf(outcome);
  }
  inbox_.Push(std::move(outcome));
  RecordIdle();
}

// A line a second at most: where rules are missing every order is refused.
void KubeSink::WarnOf(const EffectOutcome& outcome) {
  const auto now = std::chrono::steady_clock::now();
  if (!options_.warn || now - warned_ < std::chrono::seconds(1)) {
    ++unsaid_;
    return;
  }
  warned_ = now;
  const bool bind = outcome.effect == EffectOutcome::Effect::kBind;
  options_.warn(fmt::format("{} of {} is not done: {}{}", bind ? "bind" : "eviction", outcome.pod,
                            outcome.why,
                            unsaid_ == 0 ? "" : fmt::format(" ({} others before)", unsaid_)));
  unsaid_ = 0;
}

void KubeSink::WriteStatuses(const SessionOrders& orders) {
  const WriteStamp stamp{orders.session, NowText()};
  for (const JobStatus& job : orders.report->jobs) {
    const std::string group = GroupOfJob(job.key);
    const SeenObject* seen = state_.Find("PodGroup", group);
    if (seen == nullptr) continue;
    std::optional<Patch> patch = WantedGroup(*seen, job, stamp);
    const auto event = WaitingGroupEvent(*seen, job);
    if (event && patch && HasConditions(*patch)) events_.Record(*event);
    paced_.Write("PodGroup", group, std::move(patch));
  }
  for (const QueueStatus& queue : orders.report->queues) {
    const SeenObject* seen = state_.Find("Queue", queue.name);
    if (seen == nullptr) continue;
    std::optional<Patch> patch = WantedQueue(*seen, queue);
    paced_.Write("Queue", queue.name, patch ? std::move(patch) : WantedQueueState(*seen));
  }
  for (const PodStatus& pod : orders.report->pods) {
    const SeenObject* seen = state_.Find("Pod", pod.key);
    if (seen == nullptr) continue;
    const auto nominated = orders.nominations.find(pod.key);
    std::optional<Patch> patch = WantedPod(
        *seen, pod, nominated == orders.nominations.end() ? "" : nominated->second, stamp);
    if (!patch) continue;
    if (HasConditions(*patch)) events_.Record(WaitingPodEvent(*seen, pod));
    paced_.Write("Pod", pod.key, std::move(patch));
  }
  for (const BufferStatus& buffer : orders.report->buffers) {
    const SeenObject* seen = state_.Find("CapacityBuffer", buffer.name);
    if (seen != nullptr)
      paced_.Write("CapacityBuffer", buffer.name, WantedBuffer(*seen, buffer, stamp));
  }
  for (const ShardStatus& shard : orders.report->shards) {
    const SeenObject* seen = state_.Find("NodeShard", shard.name);
    if (seen != nullptr) paced_.Write("NodeShard", shard.name, WantedShard(*seen, shard, stamp));
  }
  WriteQuotas(*orders.report);
  WriteLabels(orders.labels);
  paced_.EndSession();
}

void KubeSink::WriteQuotas(const CycleResult& report) {
  std::map<std::string, Patch> annotations;  // one for each quota: the writer takes one at a time
  for (const QuotaStatus& quota : report.quotas) {
    const std::string key = QuotaKey(quota.kind, quota.group, quota.name);
    const SeenObject* seen = state_.Find(quota.kind, key);
    if (seen == nullptr) continue;
    paced_.Write(quota.kind.c_str(), key, WantedQuota(*seen, quota));
    if (auto patch = WantedQuotaAnnotations(*seen, quota))
      annotations.emplace(key, std::move(*patch));
  }
  for (const QuotaMark& mark : report.marks) {
    const std::string key = QuotaKey("ElasticQuota", mark.group, mark.name);
    const SeenObject* seen = state_.Find("ElasticQuota", key);
    if (seen == nullptr) continue;
    Patch& patch = annotations.try_emplace(key, Patch{seen->path, kMergePatch, {}}).first->second;
    patch.keep = true;
    patch.may_wait = false;
    if (patch.body.empty()) {
      patch.body["metadata"] = json::object{{"uid", seen->uid}, {"annotations", json::object()}};
    }
    json::value value;
    if (mark.over_since != 0) value = json::string(std::to_string(mark.over_since));
    patch.body["metadata"].as_object()["annotations"].as_object()[kOverSinceAnnotation] = value;
  }
  for (auto& [key, patch] : annotations) paced_.Write("ElasticQuota", key, std::move(patch));
  for (const QuotaNotice& notice : report.quota_notices) {
    const SeenObject* seen =
        state_.Find(notice.kind, QuotaKey(notice.kind, notice.group, notice.name));
    if (seen == nullptr) continue;
    ObjectEvent event = EventOf(*seen);
    event.warning = true;
    event.reason = "QuotaProblem";
    event.action = "Scheduling";
    event.note = notice.text;
    events_.Record(event);
  }
}

void KubeSink::WriteLabels(const std::vector<LabelOrder>& labels) {
  for (const auto& [label, uid] : labels) {
    Patch patch{PodPath(label.pod),
                kStrategicPatch,
                {{"metadata",
                  json::object{{"uid", uid}, {"labels", json::object{{label.key, label.value}}}}}}};
    patch.keep = true;
    statuses_.Write("Pod", label.pod, std::move(patch));
  }
}

void KubeSink::TellOfJobs(const CycleResult& report) {
  for (const JobStatus& job : report.jobs) {
    const SeenObject* seen = state_.Find("PodGroup", job.key);
    if (seen == nullptr) continue;
    if (const auto event = IncompleteGangEvent(*seen, job)) events_.Record(*event);
  }
}

Task<> KubeSink::Make(BuiltIn object) {
  WriteRequest write{.request = JsonRequest("POST", object.path, object.body)};
  WritePolicy policy{.may_send = options_.may_send};
  Task<WriteOutcome> writing = WriteOnce(client_, std::move(write), std::move(policy));
  const WriteOutcome outcome = co_await writing;
  // 409: it is there; 404: there is no namespace for it.
  if (outcome.status != 0 && outcome.status != kHttpConflict && outcome.status != kHttpNotFound &&
      options_.warn)
    options_.warn("POST " + object.path + ": " + outcome.why);
}

void KubeSink::ObeyCommands() {
  client_.Post(tasks_.Guard([this] { commands_.Start(); }));
}

void KubeSink::Tell(ObjectEvent event) {
  client_.Post(tasks_.Guard([this, event = std::move(event)] { events_.Record(event); }));
}

void KubeSink::SetVolumePatience(std::chrono::milliseconds patience) {
  client_.Post(tasks_.Guard([this, patience] { orders_.SetVolumePatience(patience); }));
}

void KubeSink::MakeBuiltIns(const std::string& quota_namespace) {
  client_.Post(tasks_.Guard([this, quota_namespace] {
    unmade_ = BuiltIns(options_.default_queue, quota_namespace);
    PumpBuiltIns();
  }));
}

void KubeSink::PumpBuiltIns() {
  std::vector<BuiltIn> looked_for = std::exchange(unmade_, {});
  for (BuiltIn& object : looked_for) {
    if (!source_.IsServed(object.served_as)) {
      unmade_.push_back(std::move(object));
    } else if (!state_.Knows(object.kind, object.name)) {
      tasks_.Start(Make(std::move(object)));
    }
  }
}

}  // namespace batholith
