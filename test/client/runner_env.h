#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/json.hpp>
#include <memory>
#include <string>
#include <vector>

#include "client/write/order_runner.h"
#include "test/client/client_env.h"
#include "test/client/scripted_server.h"

namespace batholith {

namespace json = boost::json;

inline const std::string kPodPath = "/api/v1/namespaces/ns/pods/p";

// The pod as a GET shows it; more fields of its metadata and its spec.
inline std::string PodText(const std::string& uid, const std::string& meta = "",
                           const std::string& spec = "") {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"ns","name":"p","uid":")" +
         uid + "\"" + meta + "},\"spec\":{" + spec + "}}";
}
inline std::string OnNode(const std::string& node) { return R"("nodeName":")" + node + "\""; }
inline const std::string kDeleting = R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")";

// "POST binding", "GET", "PATCH status", "DELETE", "POST eviction".
inline std::string Short(const ScriptedRequest& request) {
  const std::size_t pod = request.target.find("/pods/");
  const std::size_t slash = request.target.find('/', pod + 6);
  return request.method +
         (slash == std::string::npos ? "" : " " + request.target.substr(slash + 1));
}

// A runner on a server; what it tells as lines: "bind ns/p u done", "evict ns/p u refused: why".
class Runner {
 public:
  explicit Runner(ScriptedServer::Script script, OrderOptions options = Quick(),
                  HttpOptions http = {})
      : server_(std::move(script)),
        client_(std::make_unique<HttpClient>(AccessTo(server_.url()), std::move(http))),
        runner_(*client_, options,
                {.may_send = [this] { return leads_.load(); },
                 .answered = [this](EffectOutcome o) { Tell(o); },
                 .heard = [this](const json::value& pod) { heard_.Add(json::serialize(pod)); },
                 .bound = [this](const BindOrder& o) { told_.Add("bound " + o.bind.pod); },
                 .evicted = [this](const EvictOrder& o) { told_.Add("evicted " + o.evict.pod); }}) {
  }
  ~Runner() { client_.reset(); }

  static OrderOptions Quick() {
    OrderOptions options;
    options.first_backoff = std::chrono::milliseconds(1);
    options.max_backoff = std::chrono::milliseconds(4);
    return options;
  }

  void Bind(const std::string& pod = "ns/p") {
    client_->Post([this, pod] { runner_.Add(BindOrder{{pod, "ns/g", "q", "n1", "a"}, "u"}); });
  }
  void Evict(const std::string& action = "preempt", EvictBy by = EvictBy::kDeletion) {
    client_->Post([this, action, by] {
      runner_.Add(EvictOrder{{"ns/p", "ns/g", "q", "n1", action, "ns/h", "no room", by}, "u"});
    });
  }
  // The answers of so many orders; the test fails where there are others.
  std::vector<std::string> Answers(std::size_t count = 1) {
    EXPECT_TRUE(answers_.WaitUntil([&](const auto& lines) { return lines.size() >= count; }));
    Record idle;
    client_->Post([&] { idle.Add(runner_.IsIdle() ? "idle" : "busy"); });
    EXPECT_TRUE(idle.WaitForLine("idle"));
    EXPECT_EQ(answers_.lines().size(), count);
    return answers_.lines();
  }
  std::vector<std::string> Requests() const {
    std::vector<std::string> out;
    for (const ScriptedRequest& request : server_.requests()) out.push_back(Short(request));
    return out;
  }
  json::value Body(std::size_t request) const {
    return json::parse(server_.requests().at(request).body);
  }

  std::atomic<bool> leads_ = true;
  Record answers_, told_, heard_;
  ScriptedServer server_;
  std::unique_ptr<HttpClient> client_;
  OrderRunner runner_;

 private:
  void Tell(const EffectOutcome& o) {
    const bool bind = o.effect == EffectOutcome::Effect::kBind;
    answers_.Add(fmt::format("{} {} {} {}", bind ? "bind" : "evict", o.pod, o.uid,
                             o.done ? "done" : "refused: " + o.why));
  }
};

}  // namespace batholith
