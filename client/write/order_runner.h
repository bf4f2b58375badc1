#pragma once

#include <boost/json/value.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <variant>

#include "api/cluster_event.h"
#include "api/orders.h"
#include "client/http/http.h"
#include "client/http/task.h"
#include "client/http/task_owner.h"
#include "client/write/volume_binder.h"
#include "client/write/write_once.h"

namespace batholith {

struct OrderOptions {
  int parallel = 64;  // requests at a time
  int tries = 5;      // of one order that the server does not answer or has no time for
  std::chrono::milliseconds timeout{30'000};  // of a request
  std::chrono::milliseconds first_backoff{100};
  std::chrono::milliseconds max_backoff{10'000};
  std::chrono::milliseconds volume_patience{600'000};  // until the volumes of a pod are bound
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

// Binds and evicts, several at a time and in order of arrival, each by WriteOnce: a bind that may
// have happened has the pod read. A pod whose volumes are still to come is bound once they are
// there, and keeps nobody waiting until then. All of it on the client's thread.
class OrderRunner {
 public:
  using Order = std::variant<BindOrder, EvictOrder>;

  OrderRunner(HttpClient& client, OrderOptions options, OrderPorts ports);

  void Add(Order order);
  // How long the volumes of binds that come from now on are waited for.
  void SetVolumePatience(std::chrono::milliseconds patience) { volumes_.SetPatience(patience); }
  // Nothing waits and nothing is under way.
  bool IsIdle() const { return waiting_.empty() && running_ == 0 && awaited_ == 0; }

 private:
  void Pump();
  Task<> Run(BindOrder order);
  Task<> Run(EvictOrder order);
  Task<> RunVolumes(BindOrder order);
  WritePolicy Policy() const;
  void Answer(EffectOutcome outcome);

  HttpClient& client_;
  OrderOptions options_;
  OrderPorts ports_;
  VolumeBinder volumes_;
  std::deque<Order> waiting_;
  int running_ = 0;
  int awaited_ = 0;  // binds whose volumes are written and not bound yet
  bool pumping_ = false;
  TaskOwner tasks_;
};

}  // namespace batholith
