// Posts odd objects of every kind that a scheduler reads to a real API server, and reads back
// whatever it stored. For test/e2e/odd_objects.sh.
//   odd_objects --kubeconfig FILE [--count N] [--seed S]
// Prints a line for each kind. Exit status: 0; 1 where something that was stored is not read, a
// node's pods do not add up to what sessions count there, or hardly anything was stored.
#include "test/property/odd_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/quantity.h"
#include "cache/live_cluster.h"
#include "client/access/access.h"
#include "cmd/kube_api.h"
#include "codec/json/field.h"
#include "codec/json/parse.h"
#include "codec/kube_kinds.h"
#include "codec/object_reader.h"
#include "test/source_dir.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr std::chrono::milliseconds kPatience{60'000};

struct Options {
  std::string kubeconfig;
  int count = 60;
  std::uint64_t seed = 1;
};

struct Tally {
  int stored = 0;
  int statuses = 0;
  int statuses_stored = 0;
  int refused = 0;
  int read = 0;
  int flawed = 0;
};

class Trial {
 public:
  Trial(KubeApi& api, const Options& options)
      : api_(api), options_(options), schemas_(SourceDir()) {}

  bool Run() {
    const std::vector<std::string> names = schemas_.Kinds();
    for (const std::string& name : names) {
      const std::size_t space = name.find(' ');
      const KubeKind* kind = FindKubeKind(name.substr(0, space), name.substr(space + 1));
      // The same objects in an older version.
      const bool again =
          kind != nullptr && kind->newer != nullptr &&
          std::ranges::count(names, fmt::format("{} {}", kind->newer, kind->kind)) != 0;
      if (kind != nullptr && !again) Try(*kind, name);
    }
    CheckNodes();
    // A server that takes nothing proves nothing.
    if (stored_ * 5 < posted_) Complain(fmt::format("only {} of {} were stored", stored_, posted_));
    return good_;
  }

 private:
  void Try(const KubeKind& kind, const std::string& name) {
    Tally tally;
    if (const auto served = api_.IsServed(kind); !served || !*served) {
      fmt::print("{}: not served\n", name);
      return;
    }
    // What takes room is what counts most.
    const int count = options_.count * (std::string_view(kind.kind) == "Pod" ? 5 : 1);
    for (int i = 0; i < count; ++i)
      Post(kind, name, options_.seed + static_cast<std::uint64_t>(i), tally);
    ReadBack(kind, tally);
    fmt::print(
        "{}: {} posted, {} stored, {} of {} statuses stored, {} read, {} of them not in full\n",
        name, count, tally.stored, tally.statuses_stored, tally.statuses, tally.read, tally.flawed);
    posted_ += count;
    stored_ += tally.stored;
    if (tally.stored == 0) Complain(name + ": not one was stored");
  }

  void Post(const KubeKind& kind, const std::string& name, std::uint64_t seed, Tally& tally) {
    json::object object = schemas_.Make(
        name, seed, {.odd_fields = 1 + static_cast<int>(seed % 3), .plausible = true});
    object["metadata"].as_object().erase("uid");
    json::value status;
    if (std::string_view(kind.kind) == "Pod" && seed % 2 == 0) {
      if (json::object* spec = object["spec"].if_object())
        (*spec)["nodeName"] = seed % 4 == 0 ? "node-0" : "node-1";
    }
    // Groups have no path of their own for it.
    const bool with_status = std::string_view(kind.kind) == "PodGroup";
    if (const auto it = object.find("status"); it != object.end() && !with_status) {
      status = it->value();
      object.erase("status");
    }
    const auto stored = api_.Create(kind, "odd", object);
    if (!stored) return Refused(stored.error().message, tally);
    ++tally.stored;
    if (!status.is_object()) return;
    ++tally.statuses;
    const auto patched = api_.Patch(*stored, kind, "/status", json::object{{"status", status}});
    if (!patched) return Refused(patched.error().message, tally);
    ++tally.statuses_stored;
  }

  // The first few: what the generator should learn.
  static void Refused(const std::string& why, Tally& tally) {
    constexpr int kShown = 3;
    if (++tally.refused <= kShown) fmt::print("  refused: {}\n", why.substr(0, 300));
  }

  void ReadBack(const KubeKind& kind, Tally& tally) {
    const auto objects = api_.List({&kind}, "", "");
    if (!objects) return Complain(objects.error().message);
    for (const json::value& object : *objects) {
      auto read = reader_.ReadObject(object);
      if (!read) {
        Complain("not read: " + read.error().message);
        continue;
      }
      ++tally.read;
      if (!read->flaw.empty()) {
        ++tally.flawed;
        fmt::print("  not in full: {}\n", read->flaw);
        // The only word that a server takes for a built-in kind whatever it is.
        if (kind.built_in() && !read->flaw.contains(": status.phase: "))
          Complain("a built-in kind is not understood");
      }
      if (std::string_view(kind.kind) == "Pod") Count(object);
      for (ObjectRecord& record : read->records) cluster_.Apply(ObjectPut{std::move(record)});
    }
  }

  // The cpu of a pod without anything that needs rules: what its containers ask for at least.
  void Count(const json::value& pod) {
    const std::string node = CellAt(pod, {"spec", "nodeName"}, "");
    const std::string phase = CellAt(pod, {"status", "phase"}, "");
    const Field containers = FieldIn(pod, {"spec", "containers"});
    if (node.empty() || phase == "Succeeded" || phase == "Failed" || !containers.present()) return;
    std::int64_t sum = 0;
    for (const json::value& container : containers.List()) {
      const std::string cpu = CellAt(container, {"resources", "requests", "cpu"}, "0");
      sum = ResourceVector::AddSaturating(sum, ParseQuantityCutOff(cpu, 1000).value_or(0));
    }
    const std::string level = CellAt(pod, {"spec", "resources", "requests", "cpu"}, "");
    if (!level.empty()) sum = ParseQuantityCutOff(level, 1000).value_or(0);
    least_[node] += std::min(sum, std::int64_t{1} << 50);
    ++pods_[node];
  }

  void CheckNodes() {
    const auto snapshot = cluster_.Take(1);
    std::map<std::string, std::int64_t> cpu;
    std::map<std::string, int> pods;
    for (const TaskFacts& task : snapshot->tasks) {
      if (task.sample || task.node.is_none() || task.status == TaskStatus::kSucceeded ||
          task.status == TaskStatus::kFailed)
        continue;
      const std::string& node = snapshot->node(task.node).record->meta.name;
      cpu[node] += std::min(task.request[ResourceSchema::kCpu], std::int64_t{1} << 50);
      ++pods[node];
    }
    for (const NodeFacts& node : snapshot->nodes) {
      const std::string& name = node.record->meta.name;
      if (pods[name] != pods_[name])
        Complain(
            fmt::format("{}: {} pods are there, {} are counted", name, pods_[name], pods[name]));
      if (cpu[name] < least_[name])
        Complain(fmt::format("{}: its pods ask for {}m cpu, {}m are counted", name, least_[name],
                             cpu[name]));
    }
    for (const auto& [name, number] : pods_) fmt::print("{}: {} pods are counted\n", name, number);
    if (pods_.empty()) Complain("no pod has a node");
  }

  void Complain(const std::string& what) {
    good_ = false;
    fmt::print("WRONG: {}\n", what);
  }

  KubeApi& api_;
  const Options& options_;
  property::OddObjects schemas_;
  ObjectReader reader_{{"volcano"}, "default"};
  LiveCluster cluster_{SnapshotOptions{}};
  std::map<std::string, std::int64_t> least_;  // cpu by node
  std::map<std::string, int> pods_;
  int posted_ = 0;
  int stored_ = 0;
  bool good_ = true;
};

int Main(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view flag(argv[i]);
    if (flag == "--kubeconfig") options.kubeconfig = argv[i + 1];
    if (flag == "--count") options.count = std::stoi(argv[i + 1]);
    if (flag == "--seed") options.seed = std::stoull(argv[i + 1]);
  }
  AccessOptions access;
  access.kubeconfig = options.kubeconfig;
  auto loaded = LoadAccess(access);
  if (!loaded) {
    std::cerr << loaded.error().message << "\n";
    return 2;
  }
  HttpClient client(std::move(*loaded), {});
  KubeApi api(client, kPatience);
  return Trial(api, options).Run() ? 0 : 1;
}

}  // namespace
}  // namespace batholith

int main(int argc, char** argv) { return batholith::Main(argc, argv); }
