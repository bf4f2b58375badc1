#pragma once

#include <boost/json/value.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>

#include "api/cluster_event.h"
#include "api/orders.h"
#include "client/http/http.h"

namespace batholith {

struct OrderOptions {
  int parallel = 64;  // requests at a time
  int tries = 5;      // of one order that the server does not answer or has no time for
  std::chrono::milliseconds timeout{30'000};  // of a request
  std::chrono::milliseconds first_backoff{100};
  std::chrono::milliseconds max_backoff{10'000};
};

// What carries the orders of a session to the server.
struct OrderPorts {
  std::function<bool()> may_send;                        // false: somebody else leads
  std::function<void(EffectOutcome)> answered;           // each order once
  std::function<void(const boost::json::value&)> heard;  // a pod that was looked at
  std::function<void(const BindOrder&)> bound;
  std::function<void(const EvictOrder&)> evicted;
  std::function<void(double seconds)> bind_took = {};  // from sending one to an answer
};

// Binds and evicts, several at a time and in order of arrival. An order whose outcome is not known
// is looked up and never guessed: a bind that may have happened has the pod read, for as long as
// the server does not answer and this replica leads. All of it on the client's thread. Cost: at
// most `tries` writes of an order and one more look than writes, but for looks without an answer.
class OrderRunner {
 public:
  OrderRunner(HttpClient& client, OrderOptions options, OrderPorts ports);
  ~OrderRunner();

  void Add(BindOrder order);
  void Add(EvictOrder order);
  // Nothing waits and nothing is under way.
  bool IsIdle() const { return waiting_.empty() && running_ == 0; }

 private:
  struct Order;
  using Ptr = std::shared_ptr<Order>;

  void Pump();
  void Run(const Ptr& order);
  void Bind(const Ptr& order);
  void Explain(const Ptr& order);  // writes on the pod why it goes
  void OnExplained(const Ptr& order, const HttpResult& result);
  void Delete(const Ptr& order);
  void OnWritten(const Ptr& order, const HttpResult& result);
  void LookAt(const Ptr& order);
  void OnLook(const Ptr& order, const HttpResult& result);
  void JudgeBind(const Ptr& order, const boost::json::value& pod);
  void JudgeEvict(const Ptr& order, const boost::json::value& pod);
  void Send(const Ptr& order, HttpRequest request,
            void (OrderRunner::*then)(const Ptr&, const HttpResult&));
  void Again(const Ptr& order, std::chrono::milliseconds at_least,
             void (OrderRunner::*step)(const Ptr&));
  void Finish(const Ptr& order, bool done, const std::string& why);

  HttpClient& client_;
  OrderOptions options_;
  OrderPorts ports_;
  std::deque<Ptr> waiting_;
  int running_ = 0;
  bool pumping_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // for what outlives it
};

}  // namespace batholith
