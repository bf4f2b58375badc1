#include "client/write/order_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <string>
#include <utility>

#include "api/disruption_target.h"
#include "client/http/json_request.h"
#include "client/http/reply.h"
#include "client/http/wait.h"
#include "codec/kube_kinds.h"

namespace batholith {
namespace {

namespace json = boost::json;

// Between two looks at a claim that is being bound.
constexpr std::chrono::milliseconds kLongestLook{2'000};

json::object NameOf(const std::string& key) {
  const std::size_t slash = key.find('/');
  return {{"name", key.substr(slash + 1)}, {"namespace", key.substr(0, slash)}};
}

HttpRequest BindRequest(const BindOrder& order) {
  json::object meta = NameOf(order.bind.pod);
  meta["uid"] = order.uid;
  const json::object target{{"apiVersion", "v1"}, {"kind", "Node"}, {"name", order.bind.node}};
  return JsonRequest("POST", PodPath(order.bind.pod) + "/binding",
                     json::object{{"apiVersion", "v1"},
                                  {"kind", "Binding"},
                                  {"metadata", std::move(meta)},
                                  {"target", target}});
}

// Writes on the pod why it goes.
HttpRequest ExplainRequest(const EvictOrder& order) {
  const Evict& evict = order.evict;
  const std::string message = fmt::format("Pod is evicted, because of {}{}", evict.action,
                                          evict.for_job.empty() ? "" : " for " + evict.for_job);
  const json::object condition{{"type", kDisruptionTarget},
                               {"status", "True"},
                               {"reason", kPreemptionByScheduler},
                               {"message", message},
                               {"lastTransitionTime", NowText()}};
  return JsonRequest("PATCH", PodPath(evict.pod) + "/status",
                     json::object{{"metadata", json::object{{"uid", order.uid}}},
                                  {"status", json::object{{"conditions", json::array{condition}}}}},
                     kStrategicPatch);
}

HttpRequest EvictionRequest(const EvictOrder& order) {
  const json::object preconditions{{"uid", order.uid}};
  return JsonRequest(
      "POST", PodPath(order.evict.pod) + "/eviction",
      json::object{{"apiVersion", "policy/v1"},
                   {"kind", "Eviction"},
                   {"metadata", NameOf(order.evict.pod)},
                   {"deleteOptions", json::object{{"preconditions", preconditions}}}});
}

Finding JudgeBind(const BindOrder& order, const json::value* pod) {
  const auto never = [](std::string why) { return Finding{Finding::Kind::kNever, std::move(why)}; };
  if (pod == nullptr) return never("the pod is gone");
  if (TextIn(*pod, {"metadata", "uid"}) != order.uid)
    return never("the pod was replaced by another of its name");
  const std::string node = TextIn(*pod, {"spec", "nodeName"});
  if (node == order.bind.node) return {Finding::Kind::kWritten};
  if (!node.empty()) return never("the pod is on node " + node + " already");
  if (!TextIn(*pod, {"metadata", "deletionTimestamp"}).empty())
    return never("the pod is being deleted");
  return {Finding::Kind::kNotWritten};
}

Finding JudgeEvict(const EvictOrder& order, const json::value* pod) {
  const bool goes = pod == nullptr || TextIn(*pod, {"metadata", "uid"}) != order.uid ||
                    !TextIn(*pod, {"metadata", "deletionTimestamp"}).empty();
  return {goes ? Finding::Kind::kWritten : Finding::Kind::kNotWritten};
}

EffectOutcome OutcomeOf(const BindOrder& order, const WriteOutcome& outcome) {
  return {EffectOutcome::Effect::kBind, order.bind.pod, order.uid, outcome.done, outcome.why};
}
EffectOutcome OutcomeOf(const EvictOrder& order, const WriteOutcome& outcome) {
  return {EffectOutcome::Effect::kEvict, order.evict.pod, order.uid, outcome.done, outcome.why};
}

}  // namespace

OrderRunner::OrderRunner(HttpClient& client, OrderOptions options, OrderPorts ports)
    : client_(client),
      options_(options),
      ports_(std::move(ports)),
      volumes_(client, {.may_send = ports_.may_send,
                        .tries = options.tries,
                        .timeout = options.timeout,
                        .first_pause = options.first_backoff,
                        .longest_pause = std::min(options.max_backoff, kLongestLook),
                        .patience = options.volume_patience}) {}

void OrderRunner::Add(Order order) {
  waiting_.push_back(std::move(order));
  Pump();
}

// Orders that end at once pump again; a loop takes them all, for there may be thousands.
void OrderRunner::Pump() {
  if (std::exchange(pumping_, true)) return;
  while (running_ < options_.parallel && !waiting_.empty()) {
    Order order = std::move(waiting_.front());
    waiting_.pop_front();
    ++running_;
    // Thousands may wait when the lease is lost: nothing is built of what is not sent.
    if (!ports_.may_send()) {
      std::visit([this](const auto& o) { Answer(OutcomeOf(o, {.why = kNotLeading})); }, order);
      continue;
    }
    tasks_.Start(std::visit([this](auto& o) { return Run(std::move(o)); }, order));
  }
  pumping_ = false;
}

WritePolicy OrderRunner::Policy() const {
  return {.may_send = ports_.may_send,
          .tries = options_.tries,
          .timeout = options_.timeout,
          .first_backoff = options_.first_backoff,
          .max_backoff = options_.max_backoff};
}

void OrderRunner::Answer(EffectOutcome outcome) {
  --running_;
  ports_.answered(std::move(outcome));
  Pump();
}

// While it waits for its volumes others are served; then its bind is sent before theirs.
Task<> OrderRunner::RunVolumes(BindOrder order) {
  Task<VolumeBinder::Trouble> writing = volumes_.Write(order.bind);
  VolumeBinder::Trouble trouble = co_await writing;
  ++awaited_;
  --running_;
  Pump();
  if (!trouble) {
    Task<VolumeBinder::Trouble> waiting = volumes_.AwaitBound(order.bind);
    trouble = co_await waiting;
  }
  --awaited_;
  if (trouble) {
    ports_.answered(OutcomeOf(order, {.why = *std::move(trouble)}));
  } else {
    order.bind.volumes.clear();
    waiting_.push_front(std::move(order));
  }
  Pump();
}

Task<> OrderRunner::Run(BindOrder order) {
  if (!order.bind.volumes.empty()) {
    Task<> running = RunVolumes(std::move(order));
    co_await running;
    co_return;
  }
  WriteRequest write{.request = BindRequest(order),
                     .look_at = PodPath(order.bind.pod),
                     .judge =
                         [this, &order](const json::value* pod) {
                           if (pod != nullptr) ports_.heard(*pod);
                           return JudgeBind(order, pod);
                         },
                     .took = ports_.bind_took};
  Task<WriteOutcome> writing = WriteOnce(client_, std::move(write), Policy());
  const WriteOutcome outcome = co_await writing;
  if (outcome.done) ports_.bound(order);
  Answer(OutcomeOf(order, outcome));
}

Task<> OrderRunner::Run(EvictOrder order) {
  const bool asks_budgets = order.evict.by == EvictBy::kEviction;
  // Whoever cannot be told why must go all the same; the delete's own answer decides.
  if (!asks_budgets) {
    HttpRequest request = ExplainRequest(order);
    request.may_send = ports_.may_send;
    request.timeout = options_.timeout;
    Wait<HttpResult> explained = Reply(client_, std::move(request));
    co_await explained;
  }
  const std::string path = PodPath(order.evict.pod);
  WriteRequest write{
      .request = asks_budgets ? EvictionRequest(order) : DeleteRequest(path, order.uid),
      .look_at = path,
      .judge =
          [this, &order](const json::value* pod) {
            if (pod != nullptr) ports_.heard(*pod);
            return JudgeEvict(order, pod);
          },
      .busy_is_no = asks_budgets};
  Task<WriteOutcome> writing = WriteOnce(client_, std::move(write), Policy());
  const WriteOutcome outcome = co_await writing;
  if (outcome.done) ports_.evicted(order);
  Answer(OutcomeOf(order, outcome));
}

}  // namespace batholith
