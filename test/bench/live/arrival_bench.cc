// A scheduler in this process on a real API server, where single pods come at a rate: how long it
// takes from the moment that a pod's event is read to the decision about it. One JSON object on
// standard output; see run.sh.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/json.hpp>
#include <boost/program_options.hpp>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "client/http/http.h"
#include "client/watch/kube_source.h"
#include "client/write/kube_sink.h"
#include "cmd/conf_reload.h"
#include "cmd/scheduler_loop.h"
#include "test/bench/live/program.h"
#include "test/bench/live/requests.h"
#include "test/bench/statistics.h"

namespace batholith::bench {
namespace {

namespace json = boost::json;
namespace po = boost::program_options;
using Clock = std::chrono::steady_clock;

constexpr const char* kNamespace = "arrivals";

struct Options {
  double rate = 300, duration_s = 60, qps = 100'000;
  int burst = 100'000, threads = 2;
};

// When each pod was read and decided about. From any thread.
class Times {
 public:
  void Read(const std::string& pod) {
    const std::lock_guard lock(mutex_);
    read_.try_emplace(pod, Clock::now());
  }
  void Decided(const CycleResult& result) {
    const auto now = Clock::now();
    const std::lock_guard lock(mutex_);
    for (const Bind& bind : result.binds) decided_.try_emplace(bind.pod, now);
  }
  std::size_t decided() const {
    const std::lock_guard lock(mutex_);
    return decided_.size();
  }
  // Of those that were decided about.
  std::vector<double> Latencies() const {
    const std::lock_guard lock(mutex_);
    std::vector<double> out;
    for (const auto& [pod, read] : read_) {
      const auto decided = decided_.find(pod);
      if (decided == decided_.end()) continue;
      out.push_back(std::chrono::duration<double>(decided->second - read).count());
    }
    return out;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Clock::time_point> read_, decided_;
};

void Warn(const std::string& message) { std::cerr << "arrival_bench: " << message << "\n"; }

HttpOptions Transport(const Options& o) {
  HttpOptions options;
  options.qps = o.qps;
  options.burst = o.burst;
  return options;
}

// What `batholith scheduler` is made of, with a clock at both ends: events go through a thread that
// looks at the time, and the decision is looked at when it is made.
class Scheduler {
 public:
  Scheduler(ClusterAccess access, const Options& o)
      : client_(std::make_unique<HttpClient>(std::move(access), Transport(o))),
        source_(*client_, heard_, state_, SourceOptions()),
        sink_(*client_, source_, state_, heard_, SinkOptions()),
        conf_("") {
    if (!conf_.Load(/*must_be_good=*/true)) Warn("the built-in conf is bad");
    loop_.emplace(LoopOptionsOf(o), conf_, inbox_, sink_);
    source_.Start();
    forwarding_ = std::thread([this] { Forward(); });
    thread_ = std::thread([this] { loop_->Run(stop_); });
  }
  ~Scheduler() {
    stop_ = true;
    heard_.Wake();
    inbox_.Wake();
    forwarding_.join();
    thread_.join();
    client_.reset();
  }
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  bool IsReady() const { return source_.IsSynced() && loop_->last() != nullptr; }
  const Times& times() const { return times_; }
  int sessions() const { return sessions_; }

 private:
  static KubeSourceOptions SourceOptions() {
    KubeSourceOptions options;
    options.warn = Warn;
    options.note = [](const std::string&) {};
    return options;
  }
  static KubeSinkOptions SinkOptions() {
    KubeSinkOptions options;
    options.component = "arrival-bench";
    options.instance = "arrival-bench-0";
    options.may_send = [] { return true; };
    options.warn = Warn;
    return options;
  }
  LoopOptions LoopOptionsOf(const Options& o) {
    LoopOptions options;
    options.threads = o.threads;
    options.may_schedule = [this] { return source_.IsSynced(); };
    options.on_session = [this](const SessionFigures&) { ++sessions_; };
    options.on_conf = [](const ConfReload::Change&) {};
    options.on_hint = [](const std::string&) {};
    options.on_failure = [](const SessionHealth::Trouble& trouble) { Warn(trouble.why); };
    options.decide = [this](const Snapshot& snapshot, const Pipeline& pipeline,
                            const CycleOptions& cycle) {
      CycleResult result = RunCycle(snapshot, pipeline, cycle);
      times_.Decided(result);
      return result;
    };
    return options;
  }
  void Forward() {
    while (!stop_) {
      std::vector<ClusterEvent> events =
          heard_.TakeUntil(Clock::now() + std::chrono::milliseconds(100));
      for (ClusterEvent& event : events) {
        const auto* put = std::get_if<ObjectPut>(&event);
        const auto* pod = put == nullptr ? nullptr : std::get_if<PodRecord>(&put->record);
        if (pod != nullptr && pod->node_name.empty()) times_.Read(pod->meta.Key());
        inbox_.Push(std::move(event));
      }
    }
  }

  EventInbox heard_, inbox_;
  ServerState state_;
  Times times_;
  std::atomic<bool> stop_ = false;
  std::atomic<int> sessions_ = 0;
  std::unique_ptr<HttpClient> client_;  // ended before those whom it calls back
  KubeSource source_;
  KubeSink sink_;
  ConfReload conf_;
  std::optional<SchedulerLoop> loop_;
  std::thread forwarding_, thread_;
};

HttpRequest PodRequest(std::size_t number) {
  const json::object amounts{{"requests", json::object{{"cpu", "100m"}}}};
  return Post(
      fmt::format("/api/v1/namespaces/{}/pods", kNamespace),
      {{"apiVersion", "v1"},
       {"kind", "Pod"},
       {"metadata", json::object{{"name", fmt::format("p{}", number)}}},
       {"spec", json::object{
                    {"schedulerName", "volcano"},
                    {"containers", json::array{json::object{
                                       {"name", "c"}, {"image", "i"}, {"resources", amounts}}}}}}});
}

template <typename Done>
bool WaitFor(std::chrono::seconds longest, Done done) {
  const auto end = Clock::now() + longest;
  while (!done()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

// Sends pods as they are due; returns how many.
std::size_t SendPods(HttpClient& client, const Options& o, std::atomic<std::size_t>& refused) {
  const auto start = Clock::now();
  std::size_t sent = 0;
  const auto all = static_cast<std::size_t>(o.rate * o.duration_s);
  while (sent < all) {
    const double at = std::chrono::duration<double>(Clock::now() - start).count();
    for (const auto due = static_cast<std::size_t>(at * o.rate); sent < std::min(due, all);) {
      client.Send(PodRequest(sent++), [&refused](const HttpResult& result) {
        if (!result || result->status >= 300) ++refused;
      });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return sent;
}

int Run(const Options& o) {
  Result<ClusterAccess> access = LoadAccess({});
  Result<ClusterAccess> maker_access = LoadAccess({});
  if (!access || !maker_access) {
    Warn((access ? maker_access : access).error().message);
    return 2;
  }
  std::atomic<std::size_t> refused = 0;
  HttpClient maker(std::move(*maker_access), Transport(o));
  SendAll(maker, {MakeNamespace(kNamespace)});
  Scheduler scheduler(std::move(*access), o);
  if (!WaitFor(std::chrono::seconds(120), [&] { return scheduler.IsReady(); })) {
    Warn("the scheduler does not begin");
    return 1;
  }
  const int sessions_before = scheduler.sessions();
  const std::size_t sent = SendPods(maker, o, refused);
  const bool whole = WaitFor(std::chrono::seconds(60),
                             [&] { return scheduler.times().decided() + refused >= sent; });
  const std::vector<double> latencies = scheduler.times().Latencies();
  if (latencies.empty()) {
    Warn("no pod was decided about");
    return 1;
  }
  std::cout << json::serialize(json::object{{"mode", "arrivals"},
                                            {"scheduler", "batholith"},
                                            {"rate", o.rate},
                                            {"duration", o.duration_s},
                                            {"qps", o.qps},
                                            {"burst", o.burst},
                                            {"pods", sent},
                                            {"refused", refused.load()},
                                            {"decided", latencies.size()},
                                            {"sessions", scheduler.sessions() - sessions_before},
                                            {"event_to_decision_seconds", Spread(latencies)}})
            << std::endl;
  return whole && refused == 0 ? 0 : 1;
}

}  // namespace
}  // namespace batholith::bench

int main(int argc, char** argv) {
  batholith::bench::Options o;
  namespace po = boost::program_options;
  po::options_description flags("arrival_bench: single pods at a rate on a real API server");
  flags.add_options()("rate", po::value(&o.rate)->default_value(o.rate), "pods a second")(
      "duration", po::value(&o.duration_s)->default_value(o.duration_s), "seconds")(
      "kube-api-qps", po::value(&o.qps)->default_value(o.qps), "the scheduler's client limit")(
      "kube-api-burst", po::value(&o.burst)->default_value(o.burst), "the same, at once")(
      "threads", po::value(&o.threads)->default_value(o.threads), "worker threads");
  return batholith::bench::RunProgram(argc, argv, "arrival_bench", flags,
                                      [&] { return batholith::bench::Run(o); });
}
