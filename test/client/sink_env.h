#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/write/kube_sink.h"
#include "test/client/client_env.h"
#include "test/client/scripted_server.h"

namespace batholith {

// A sink on a server; `waiting` is a pod of which nothing is written yet.
class Sink {
 public:
  explicit Sink(ScriptedServer::Script script, Paces paces = {})
      : paces_(paces),
        server_(std::move(script)),
        client_(std::make_unique<HttpClient>(AccessTo(server_.url()), HttpOptions())),
        source_(*client_, inbox_, state_, {}),
        sink_(*client_, source_, state_, inbox_, Options()) {
    SeenObject pod;
    pod.path = "/api/v1/namespaces/ns/pods/waiting";
    pod.namespace_ = "ns";
    pod.name = "waiting";
    pod.uid = "u";
    state_.Record("Pod", "ns/waiting", pod);
  }
  ~Sink() { client_.reset(); }

  void Send(std::size_t binds, bool status, const std::string& message = "no room") {
    SessionOrders orders;
    orders.session = "s-1";
    for (std::size_t i = 0; i < binds; ++i)
      orders.binds.push_back({{"ns/p" + std::to_string(i), "ns/g", "q", "n1", "allocate"}, "u"});
    CycleResult result;
    if (status) result.pods.push_back({"ns/waiting", "Unschedulable", message});
    orders.report = std::make_shared<const CycleResult>(std::move(result));
    sink_.Send(std::move(orders));
  }
  std::vector<std::string> Outcomes(std::size_t count) {
    std::vector<std::string> out;
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (out.size() < count && std::chrono::steady_clock::now() < deadline) {
      for (const ClusterEvent& event : inbox_.TakeUntil(deadline)) {
        const auto& outcome = std::get<EffectOutcome>(event);
        out.push_back(outcome.pod + (outcome.done ? " done" : " " + outcome.why));
      }
    }
    return out;
  }
  // What the client's thread has to do now is done.
  void Settle() {
    Record done;
    client_->Post([&] { done.Add("done"); });
    EXPECT_TRUE(done.WaitForLine("done"));
  }

  void WaitUntilIdle() {
    Record idle;
    std::function<void()> look = [&] {
      if (sink_.IsIdle()) return idle.Add("idle");
      client_->After(std::chrono::milliseconds(1), look);
    };
    client_->Post(look);
    EXPECT_TRUE(idle.WaitForLine("idle"));
  }

  // A session that says this of the group ns/g, which the server has as it was written last.
  void SendGroup(JobPhase phase, std::int32_t running, std::vector<JobCondition> conditions = {},
                 std::int32_t pending = 0) {
    CycleResult result;
    JobStatus job;
    job.key = "ns/g";
    job.phase = phase;
    if (running != 0) job.tasks["Running"] = running;
    if (pending != 0) job.tasks["Pending"] = pending;
    job.message = pending == 0 ? "" : "no room";
    job.conditions = std::move(conditions);
    result.jobs.push_back(std::move(job));
    SessionOrders orders;
    orders.session = "s-1";
    orders.report = std::make_shared<const CycleResult>(std::move(result));
    sink_.Send(std::move(orders));
  }
  void AddGroup() {
    SeenObject group;
    group.path = "/g";
    group.kind = "PodGroup";
    group.namespace_ = "ns";
    group.name = "g";
    group.uid = "u";
    state_.Record("PodGroup", "ns/g", group);
  }

  const Paces paces_;
  std::atomic<bool> leads_ = true;
  Record took_;
  EventInbox inbox_;
  ServerState state_;
  ScriptedServer server_;
  std::unique_ptr<HttpClient> client_;
  KubeSource source_;
  KubeSink sink_;

 private:
  KubeSinkOptions Options() {
    KubeSinkOptions options;
    options.component = "volcano";
    options.instance = "here";
    options.paces = paces_;
    options.may_send = [this] { return leads_.load(); };
    options.bind_took = [this](double seconds) { took_.Add(std::to_string(seconds)); };
    return options;
  }
};

inline bool IsEvent(const ScriptedRequest& r) { return r.path().ends_with("/events"); }

}  // namespace batholith
