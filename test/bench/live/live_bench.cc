// Pods on a real API server, timed: how many binding calls it takes a second, and how many pods a
// scheduler binds. One JSON object a line on standard output; see run.sh.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <boost/program_options.hpp>
#include <chrono>
#include <future>
#include <iostream>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "client/http/http.h"
#include "client/http/reply.h"
#include "client/watch/watch.h"
#include "test/bench/live/program.h"
#include "test/bench/live/requests.h"

namespace batholith::bench {
namespace {

namespace json = boost::json;
namespace po = boost::program_options;
using Clock = std::chrono::steady_clock;

struct Options {
  std::string mode, scheduler, namespace_;
  int pods = 5000, gang = 100;
};

std::vector<HttpRequest> MakePods(const Options& o) {
  std::vector<HttpRequest> out;
  const std::string root = "/api/v1/namespaces/" + o.namespace_ + "/pods";
  const json::object amounts{{"requests", json::object{{"cpu", "1"}}}};
  for (int i = 0; i < o.pods; ++i) {
    json::object meta{{"name", fmt::format("p{}", i)}};
    if (o.mode == "gangs") {
      meta["annotations"] =
          json::object{{"scheduling.k8s.io/group-name", fmt::format("g{}", i / o.gang)}};
    }
    out.push_back(Post(
        root,
        {{"apiVersion", "v1"},
         {"kind", "Pod"},
         {"metadata", std::move(meta)},
         {"spec", json::object{{"schedulerName", o.scheduler},
                               {"containers",
                                json::array{json::object{
                                    {"name", "c"}, {"image", "i"}, {"resources", amounts}}}}}}}));
  }
  return out;
}

std::vector<std::string> NodeNames(HttpClient& client) {
  HttpRequest request;
  request.path = "/api/v1/nodes";
  const HttpResult result = client.SendAndWait(request);
  std::vector<std::string> out;
  if (!result || result->status != 200) return out;
  const auto body = BodyOf(*result);
  if (!body) return out;
  for (const json::value& node : body->at("items").as_array())
    out.push_back(TextIn(node, {"metadata", "name"}));
  return out;
}

double Plain(HttpClient& client, const Options& o, int& bad) {
  const std::vector<std::string> nodes = NodeNames(client);
  std::vector<HttpRequest> binds;
  for (int i = 0; i < o.pods && !nodes.empty(); ++i) {
    const std::string name = fmt::format("p{}", i);
    binds.push_back(Post(
        "/api/v1/namespaces/" + o.namespace_ + "/pods/" + name + "/binding",
        {{"apiVersion", "v1"},
         {"kind", "Binding"},
         {"metadata", json::object{{"name", name}}},
         {"target", json::object{{"apiVersion", "v1"},
                                 {"kind", "Node"},
                                 {"name", nodes[static_cast<std::size_t>(i) % nodes.size()]}}}}));
  }
  const auto began = Clock::now();
  bad += SendAll(client, std::move(binds));
  return std::chrono::duration<double>(Clock::now() - began).count();
}

// From the first pod that is seen on a node to the last one.
double Scheduled(HttpClient& client, const Options& o) {
  std::set<std::string> bound;
  Clock::time_point first;
  std::promise<double> done;
  WatchListener listener;
  listener.on_put = [&](json::value&& pod) {
    if (TextIn(pod, {"spec", "nodeName"}).empty()) return;
    if (bound.empty()) first = Clock::now();
    if (!bound.insert(TextIn(pod, {"metadata", "name"})).second) return;
    if (bound.size() == static_cast<std::size_t>(o.pods))
      done.set_value(std::chrono::duration<double>(Clock::now() - first).count());
  };
  listener.on_gone = [](const std::string&, const std::string&) {};
  auto watch = std::make_unique<Watch>(
      client, WatchTarget{"Pod", "/api/v1/namespaces/" + o.namespace_ + "/pods", "", "/pods", true},
      WatchOptions(), std::move(listener));
  watch->Start();
  std::cerr << "waiting for " << o.scheduler << "\n";
  const double seconds = done.get_future().get();
  std::promise<void> gone;
  client.Post([&] {
    watch.reset();
    gone.set_value();
  });
  gone.get_future().wait();
  return seconds;
}

int Run(const Options& o) {
  Result<ClusterAccess> access = LoadAccess({});
  if (!access) {
    std::cerr << access.error().message << "\n";
    return 2;
  }
  HttpClient client(std::move(*access), {});
  int bad = SendAll(client, {MakeNamespace(o.namespace_)});
  if (o.mode == "gangs") bad += SendAll(client, MakeGroups(o.namespace_, o.pods, o.gang));
  bad += SendAll(client, MakePods(o));
  const double seconds = o.mode == "plain" ? Plain(client, o, bad) : Scheduled(client, o);
  std::cout << json::serialize(json::object{{"mode", o.mode},
                                            {"scheduler", o.scheduler},
                                            {"pods", o.pods},
                                            {"gang", o.mode == "gangs" ? o.gang : 1},
                                            {"seconds", seconds},
                                            {"per_second", o.pods / seconds},
                                            {"failures", bad}})
            << std::endl;
  return bad == 0 ? 0 : 1;
}

}  // namespace
}  // namespace batholith::bench

int main(int argc, char** argv) {
  batholith::bench::Options o;
  namespace po = boost::program_options;
  po::options_description flags("live_bench: pods on a real API server, timed");
  flags.add_options()("mode", po::value(&o.mode)->default_value("gangs"),
                      "plain (binding calls of its own), gangs or singles (waits for a scheduler)")(
      "scheduler-name", po::value(&o.scheduler)->default_value("volcano"), "whose pods")(
      "namespace", po::value(&o.namespace_)->default_value("bench"), "a new one")(
      "pods", po::value(&o.pods)->default_value(5000), "of 1 cpu")(
      "gang", po::value(&o.gang)->default_value(100), "pods of a group");
  return batholith::bench::RunProgram(argc, argv, "live_bench", flags,
                                      [&] { return batholith::bench::Run(o); });
}
