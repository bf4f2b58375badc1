// A cluster full of running pods on a real API server, and how long it takes that server to send
// all of it. One JSON object a line on standard output; see sync.sh.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/json.hpp>
#include <boost/program_options.hpp>
#include <chrono>
#include <future>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "client/http/http.h"
#include "client/watch/watch_query.h"
#include "test/bench/live/program.h"
#include "test/bench/live/requests.h"

namespace batholith::bench {
namespace {

namespace json = boost::json;
namespace po = boost::program_options;
using Clock = std::chrono::steady_clock;

constexpr const char* kNamespace = "sync";
constexpr int kGang = 100;

struct Options {
  std::string mode;
  int nodes = 0, pods = 0;
};

double SecondsSince(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

std::vector<HttpRequest> MakeNodes(int count) {
  std::vector<HttpRequest> out;
  for (int i = 0; i < count; ++i) {
    const std::string name = fmt::format("node-{}", i);
    const json::object amounts{{"cpu", "64"}, {"memory", "256Gi"}, {"pods", "110"}};
    out.push_back(
        Post("/api/v1/nodes",
             {{"apiVersion", "v1"},
              {"kind", "Node"},
              {"metadata", json::object{{"name", name},
                                        {"labels", json::object{{"kubernetes.io/hostname", name},
                                                                {"kubernetes.io/os", "linux"},
                                                                {"kubernetes.io/arch", "amd64"},
                                                                {"topology.kubernetes.io/zone",
                                                                 fmt::format("zone-{}", i % 8)}}}}},
              {"status", json::object{{"allocatable", amounts}, {"capacity", amounts}}}}));
  }
  return out;
}

// With as many labels, notes and variables as a training job's pod has.
json::object PodOf(int i, int nodes) {
  const std::string group = fmt::format("g{}", i / kGang);
  const std::string uid = fmt::format("7d6d1f5a-3a4c-4c0a-9f6e-{:012x}", i / kGang);
  json::array env;
  for (const char* name : {"MASTER_ADDR", "MASTER_PORT", "WORLD_SIZE", "NCCL_DEBUG", "OUTPUT"})
    env.push_back({{"name", name}, {"value", fmt::format("{}-of-{}", name, group)}});
  const json::object amounts{{"cpu", "2"}, {"memory", "8Gi"}};
  return {
      {"apiVersion", "v1"},
      {"kind", "Pod"},
      {"metadata",
       json::object{
           {"name", fmt::format("training-{}-worker-{}", group, i)},
           {"labels", json::object{{"app.kubernetes.io/name", "training"},
                                   {"app.kubernetes.io/instance", group},
                                   {"app.kubernetes.io/managed-by", "volcano"},
                                   {"team", fmt::format("team-{}", i / kGang % 50)},
                                   {"volcano.sh/job-name", group},
                                   {"volcano.sh/task-index", std::to_string(i % kGang)}}},
           {"annotations",
            json::object{{"scheduling.k8s.io/group-name", group},
                         {"volcano.sh/task-spec", "worker"},
                         {"prometheus.io/scrape", "true"},
                         {"example.org/commit", "3f2c9b0e5d7a41c88e6f0b1d2a3c4e5f60718293"}}},
           {"ownerReferences", json::array{json::object{{"apiVersion", "batch.volcano.sh/v1alpha1"},
                                                        {"kind", "Job"},
                                                        {"name", group},
                                                        {"uid", uid},
                                                        {"controller", true}}}}}},
      {"spec",
       json::object{
           {"schedulerName", "volcano"},
           {"nodeName", fmt::format("node-{}", i % nodes)},
           {"tolerations", json::array{json::object{{"key", "gpu"}, {"operator", "Exists"}}}},
           {"containers",
            json::array{json::object{
                {"name", "worker"},
                {"image", "example.org/training:1.0"},
                {"command", json::array{"python", "-m", "train", "--steps", "100000"}},
                {"env", std::move(env)},
                {"resources", json::object{{"requests", amounts}, {"limits", amounts}}}}}}}}};
}

int Fill(HttpClient& client, const Options& o) {
  int bad = SendAll(client, {MakeNamespace(kNamespace)});
  bad += SendAll(client, MakeNodes(o.nodes));
  bad += SendAll(client, MakeGroups(kNamespace, o.pods, kGang));
  const std::string root = std::string("/api/v1/namespaces/") + kNamespace + "/pods";
  for (int done = 0; done < o.pods;) {
    std::vector<HttpRequest> some;
    for (const int end = std::min(o.pods, done + 10'000); done < end; ++done)
      some.push_back(Post(root, PodOf(done, o.nodes)));
    bad += SendAll(client, std::move(some));
  }
  return bad;
}

// Reads the first events of a watch and looks at nothing but their end.
std::size_t Download(HttpClient& client, const std::string& path) {
  std::promise<void> all;
  std::size_t bytes = 0;
  std::string tail;  // of the part before, for a mark that is cut in two
  bool is_whole = false;
  HttpRequest request;
  request.path = InitialWatchQuery({"", path, "", "", true}, std::chrono::seconds(300));
  request.accept = "application/vnd.kubernetes.protobuf;stream=watch";
  request.limited = false;
  const auto token = client.Stream(
      std::move(request), {.on_begin = [](const HttpReply&) {},
                           .on_data =
                               [&](std::string_view data) {
                                 constexpr std::string_view kEnd = "k8s.io/initial-events-end";
                                 bytes += data.size();
                                 tail += data.substr(0, kEnd.size());
                                 const bool ends = data.contains(kEnd) || tail.contains(kEnd);
                                 tail =
                                     data.substr(data.size() - std::min(data.size(), kEnd.size()));
                                 if (ends && !std::exchange(is_whole, true)) all.set_value();
                               },
                           .on_end = [](const std::optional<HttpFailure>&) {}});
  all.get_future().wait();
  std::promise<void> gone;
  client.Post([&] {
    client.Cancel(token);
    gone.set_value();
  });
  gone.get_future().wait();
  return bytes;
}

int Run(const Options& o) {
  Result<ClusterAccess> access = LoadAccess({});
  if (!access) {
    std::cerr << access.error().message << "\n";
    return 2;
  }
  HttpClient client(std::move(*access), {});
  const auto began = Clock::now();
  json::object out{{"mode", o.mode}};
  int bad = 0;
  if (o.mode == "fill") {
    bad = Fill(client, o);
    out["failures"] = bad;
  } else {
    out["bytes"] = Download(client, "/api/v1/nodes") + Download(client, "/api/v1/pods");
  }
  out["seconds"] = SecondsSince(began);
  std::cout << json::serialize(out) << std::endl;
  return bad == 0 ? 0 : 1;
}

}  // namespace
}  // namespace batholith::bench

int main(int argc, char** argv) {
  batholith::bench::Options o;
  namespace po = boost::program_options;
  po::options_description flags("sync_bench: a full cluster on a real API server");
  flags.add_options()("mode", po::value(&o.mode)->default_value("download"),
                      "fill (makes nodes, and pods that stand on them) or download (of both)")(
      "nodes", po::value(&o.nodes)->default_value(5000), "how many")(
      "pods", po::value(&o.pods)->default_value(100'000), "how many");
  return batholith::bench::RunProgram(argc, argv, "sync_bench", flags,
                                      [&] { return batholith::bench::Run(o); });
}
