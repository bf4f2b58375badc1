#include "client/write/order_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <utility>

#include "client/http/reply.h"
#include "client/watch/kinds.h"

namespace batholith {
namespace {

namespace json = boost::json;

std::pair<std::string, std::string> SplitKey(const std::string& key) {
  const std::size_t slash = key.find('/');
  return {key.substr(0, slash), key.substr(slash + 1)};
}

}  // namespace

struct OrderRunner::Order {
  std::string pod, uid;
  BindOrder bind;
  EvictOrder evict;
  bool is_bind = true;
  bool explained = false;
  int tries = 0;         // of the write
  int looks = 0;         // of reading the pod
  int blind = 0;         // looks that the server refused
  std::string trouble;   // what the write came back with
  bool refused = false;  // the server read it and said no: no use in saying it again
  bool maybe = false;    // a write came back without its outcome
  std::chrono::steady_clock::time_point sent;  // the last write

  // Disruption budgets are asked.
  bool is_eviction() const { return evict.evict.by == EvictBy::kEviction; }
};

OrderRunner::OrderRunner(HttpClient& client, OrderOptions options, OrderPorts ports)
    : client_(client), options_(options), ports_(std::move(ports)) {}

OrderRunner::~OrderRunner() { *alive_ = false; }

void OrderRunner::Add(BindOrder order) {
  auto o = std::make_shared<Order>();
  o->pod = order.bind.pod;
  o->uid = order.uid;
  o->bind = std::move(order);
  waiting_.push_back(std::move(o));
  Pump();
}

void OrderRunner::Add(EvictOrder order) {
  auto o = std::make_shared<Order>();
  o->pod = order.evict.pod;
  o->uid = order.uid;
  o->evict = std::move(order);
  o->is_bind = false;
  waiting_.push_back(std::move(o));
  Pump();
}

// Orders that end at once pump again; a loop takes them all, for there may be thousands.
void OrderRunner::Pump() {
  if (std::exchange(pumping_, true)) return;
  while (running_ < options_.parallel && !waiting_.empty()) {
    const Ptr order = waiting_.front();
    waiting_.pop_front();
    ++running_;
    Run(order);
  }
  pumping_ = false;
}

void OrderRunner::Send(const Ptr& order, HttpRequest request,
                       void (OrderRunner::*then)(const Ptr&, const HttpResult&)) {
  request.timeout = options_.timeout;
  client_.Send(std::move(request), [this, alive = alive_, order, then](const HttpResult& result) {
    if (*alive) (this->*then)(order, result);
  });
}

void OrderRunner::Run(const Ptr& order) {
  // A leader that lost its lease sends nothing more. What it sent already is looked up by whoever
  // leads next, from the pods themselves.
  if (!ports_.may_send()) return Finish(order, false, "this replica does not lead any more");
  if (order->is_bind) return Bind(order);
  if (!order->explained && !order->is_eviction()) return Explain(order);
  Delete(order);
}

void OrderRunner::Bind(const Ptr& order) {
  const auto [name_space, name] = SplitKey(order->pod);
  HttpRequest request;
  request.may_send = ports_.may_send;
  request.method = "POST";
  request.path = PodPath(order->pod) + "/binding";
  request.content_type = "application/json";
  request.body = json::serialize(json::object{
      {"apiVersion", "v1"},
      {"kind", "Binding"},
      {"metadata", json::object{{"name", name}, {"namespace", name_space}, {"uid", order->uid}}},
      {"target",
       json::object{{"apiVersion", "v1"}, {"kind", "Node"}, {"name", order->bind.bind.node}}}});
  ++order->tries;
  order->sent = std::chrono::steady_clock::now();
  Send(order, std::move(request), &OrderRunner::OnWritten);
}

void OrderRunner::Explain(const Ptr& order) {
  order->explained = true;
  HttpRequest request;
  request.may_send = ports_.may_send;
  request.method = "PATCH";
  request.path = PodPath(order->pod) + "/status";
  request.content_type = "application/strategic-merge-patch+json";
  const std::string message =
      fmt::format("Pod is evicted, because of {}{}", order->evict.evict.action,
                  order->evict.evict.for_job.empty() ? "" : " for " + order->evict.evict.for_job);
  const json::object condition{{"type", "DisruptionTarget"},
                               {"status", "True"},
                               {"reason", "PreemptionByScheduler"},
                               {"message", message},
                               {"lastTransitionTime", NowText()}};
  request.body = json::serialize(
      json::object{{"metadata", json::object{{"uid", order->uid}}},
                   {"status", json::object{{"conditions", json::array{condition}}}}});
  // Whoever cannot be told why must go all the same; the delete's own answer decides.
  Send(order, std::move(request), &OrderRunner::OnExplained);
}

void OrderRunner::OnExplained(const Ptr& order, const HttpResult& /*result*/) { Run(order); }

void OrderRunner::Delete(const Ptr& order) {
  HttpRequest request;
  request.may_send = ports_.may_send;
  request.content_type = "application/json";
  const json::object preconditions{{"uid", order->uid}};
  if (order->is_eviction()) {
    const auto [name_space, name] = SplitKey(order->pod);
    request.method = "POST";
    request.path = PodPath(order->pod) + "/eviction";
    request.body = json::serialize(
        json::object{{"apiVersion", "policy/v1"},
                     {"kind", "Eviction"},
                     {"metadata", json::object{{"name", name}, {"namespace", name_space}}},
                     {"deleteOptions", json::object{{"preconditions", preconditions}}}});
  } else {
    request.method = "DELETE";
    request.path = PodPath(order->pod);
    request.body = json::serialize(json::object{
        {"apiVersion", "v1"}, {"kind", "DeleteOptions"}, {"preconditions", preconditions}});
  }
  ++order->tries;
  Send(order, std::move(request), &OrderRunner::OnWritten);
}

void OrderRunner::OnWritten(const Ptr& order, const HttpResult& result) {
  if (order->is_bind && result && ports_.bind_took) {
    const auto took = std::chrono::steady_clock::now() - order->sent;
    ports_.bind_took(std::chrono::duration<double>(took).count());
  }
  const ReplyKind kind = KindOfReply(result);
  if (kind == ReplyKind::kDone) return Finish(order, true, "");
  order->trouble = TroubleOf(result);
  order->refused = kind == ReplyKind::kRefused;
  // A disruption budget says no for now: the next session asks again.
  if (order->is_eviction() && result && result->status == 429)
    return Finish(order, false, order->trouble);
  // A 503 may come from a proxy that had passed the request on.
  const bool busy = result && result->status == 429;
  if (kind == ReplyKind::kUnknown || (kind == ReplyKind::kLater && !busy)) order->maybe = true;
  if (kind == ReplyKind::kLater || kind == ReplyKind::kNotSent) {
    if (order->tries < options_.tries) return Again(order, RetryAfterOf(result), &OrderRunner::Run);
    if (!order->maybe) return Finish(order, false, order->trouble);
  }
  // 404: the pod is gone, or its namespace. 409 says any of: assigned, being deleted, gated,
  // another uid. And a time-out says nothing at all.
  LookAt(order);
}

void OrderRunner::LookAt(const Ptr& order) {
  if (!ports_.may_send()) return Finish(order, false, "this replica does not lead any more");
  HttpRequest request;
  request.path = PodPath(order->pod);
  ++order->looks;
  Send(order, std::move(request), &OrderRunner::OnLook);
}

void OrderRunner::OnLook(const Ptr& order, const HttpResult& result) {
  if (result && result->status == 404)
    return Finish(order, !order->is_bind, order->is_bind ? "the pod is gone" : "");
  // Who may not read pods will not know it later either: events tell what became of the order.
  if (KindOfReply(result) == ReplyKind::kRefused && ++order->blind >= options_.tries)
    return Finish(order, false, order->trouble + "; GET: " + TroubleOf(result));
  if (!result || result->status != 200)  // nothing is known until it can be read
    return Again(order, RetryAfterOf(result), &OrderRunner::LookAt);
  const Result<json::value> pod = BodyOf(*result);
  if (!pod) return Again(order, {}, &OrderRunner::LookAt);
  ports_.heard(*pod);
  order->is_bind ? JudgeBind(order, *pod) : JudgeEvict(order, *pod);
}

void OrderRunner::JudgeBind(const Ptr& order, const json::value& pod) {
  if (TextIn(pod, {"metadata", "uid"}) != order->uid)
    return Finish(order, false, "the pod was replaced by another of its name");
  const std::string node = TextIn(pod, {"spec", "nodeName"});
  if (node == order->bind.bind.node) return Finish(order, true, "");
  if (!node.empty()) return Finish(order, false, "the pod is on node " + node + " already");
  if (!TextIn(pod, {"metadata", "deletionTimestamp"}).empty())
    return Finish(order, false, "the pod is being deleted");
  // It did not happen. The uid makes a second try safe.
  if (order->refused || order->tries >= options_.tries) return Finish(order, false, order->trouble);
  Again(order, {}, &OrderRunner::Run);
}

void OrderRunner::JudgeEvict(const Ptr& order, const json::value& pod) {
  if (TextIn(pod, {"metadata", "uid"}) != order->uid ||
      !TextIn(pod, {"metadata", "deletionTimestamp"}).empty())
    return Finish(order, true, "");
  if (order->refused || order->tries >= options_.tries) return Finish(order, false, order->trouble);
  Again(order, {}, &OrderRunner::Run);
}

void OrderRunner::Again(const Ptr& order, std::chrono::milliseconds at_least,
                        void (OrderRunner::*step)(const Ptr&)) {
  const int times = std::min(order->tries + order->looks, 20);
  const auto backoff =
      std::min(options_.max_backoff, options_.first_backoff * (1 << std::min(times, 10)));
  client_.After(std::max(backoff, at_least), [this, alive = alive_, order, step] {
    if (*alive) (this->*step)(order);
  });
}

void OrderRunner::Finish(const Ptr& order, bool done, const std::string& why) {
  --running_;
  if (done && order->is_bind) ports_.bound(order->bind);
  if (done && !order->is_bind) ports_.evicted(order->evict);
  using Effect = EffectOutcome::Effect;
  ports_.answered(
      {order->is_bind ? Effect::kBind : Effect::kEvict, order->pod, order->uid, done, why});
  Pump();
}

}  // namespace batholith
