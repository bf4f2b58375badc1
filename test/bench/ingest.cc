#include "test/bench/ingest.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "codec/encode.h"
#include "codec/json/parse.h"
#include "codec/object_reader.h"
#include "test/bench/fill/fill.h"
#include "test/bench/live_feed.h"
#include "test/bench/process_use.h"

namespace batholith::bench {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;

// What a pod of a training job carries besides what a scheduler reads, as an API server tells it.
void AddRest(json::object& pod) {
  json::array fields;
  for (const char* manager : {"kube-controller-manager", "batholith", "kubelet"}) {
    fields.push_back(json::object{
        {"manager", manager},
        {"operation", "Update"},
        {"apiVersion", "v1"},
        {"time", "2026-01-01T00:00:00Z"},
        {"fieldsType", "FieldsV1"},
        {"fieldsV1",
         {{"f:metadata", {{"f:labels", {{".", json::object()}, {"f:app", json::object()}}}}},
          {"f:spec",
           {{"f:containers", {{"k:{\"name\":\"main\"}", {{"f:resources", json::object()}}}}},
            {"f:schedulerName", json::object()}}}}}});
  }
  pod["metadata"].as_object()["managedFields"] = std::move(fields);
  pod["metadata"].as_object()["resourceVersion"] = "123456789";
  json::value& containers = pod["spec"].as_object()["containers"];
  json::object& main = containers.as_array()[0].as_object();
  main["command"] = json::array{"python", "-m", "train", "--steps", "100000"};
  json::array variables;
  for (const char* name : {"MASTER_ADDR", "MASTER_PORT", "WORLD_SIZE", "NCCL_DEBUG", "OUTPUT"})
    variables.push_back({{"name", name}, {"value", "a value of the usual length"}});
  main["env"] = std::move(variables);
  main["volumeMounts"] = json::array{
      {{"name", "token"}, {"mountPath", "/var/run/secrets/kubernetes.io/serviceaccount"}}};
}

// An event of a watch.
std::string EventText(const char* type, json::object object) {
  return json::serialize(json::object{{"type", type}, {"object", std::move(object)}});
}

// All events, in their order; their objects are those of the cluster.
std::vector<std::string> MakeTexts(const Sizes& sizes, std::size_t& objects) {
  std::vector<std::string> texts;
  std::vector<std::string> again;
  PodConstraints constraints;
  constraints.images = {"registry.example.org/training:1.0"};  // a container for it
  const auto shared = std::make_shared<const PodConstraints>(std::move(constraints));
  ClusterMaker maker(sizes);
  maker.StreamTo([&](ObjectRecord record) {
    if (const auto* node = std::get_if<NodeRecord>(&record)) {
      texts.push_back(EventText("ADDED", Encode(*node)));
    } else if (auto* pod = std::get_if<PodRecord>(&record)) {
      pod->constraints = shared;
      PodRecord waiting = *pod;
      waiting.node_name.clear();
      waiting.phase = PodPhase::kPending;
      json::object object = Encode(waiting);
      AddRest(object);
      texts.push_back(EventText("ADDED", std::move(object)));
      object = Encode(*pod);
      AddRest(object);
      again.push_back(EventText("MODIFIED", std::move(object)));
    }
  });
  Idle(maker, sizes);
  objects = texts.size();
  for (std::string& text : again) texts.push_back(std::move(text));
  return texts;
}

Result<void> Ingest(const std::string& text, ObjectReader& reader, LiveCluster& cluster) {
  const Result<json::value> event = ParseJsonValue(text);
  if (!event) return std::unexpected(event.error());
  Result<ObjectReader::Read> read = reader.ReadObject(event->as_object().at("object"));
  if (!read) return std::unexpected(read.error());
  for (ObjectRecord& record : read->records) cluster.Apply(ObjectPut{std::move(record)});
  return {};
}

std::vector<std::string> CheckCluster(const ClusterObjects& objects, std::size_t expected) {
  const std::size_t read = objects.nodes.size() + objects.pods.size();
  if (read != expected) return {fmt::format("{} records of {} objects", read, expected)};
  for (const PodRecord& pod : objects.pods) {
    if (pod.node_name.empty()) return {"pod " + pod.meta.Key() + " is on no node"};
  }
  return {};
}

}  // namespace

void MeasureIngest(const Sizes& sizes, const MeasureOptions& options, Measurement& out) {
  std::size_t objects = 0;
  const std::vector<std::string> texts = MakeTexts(sizes, objects);
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  for (std::size_t i = 0; i < options.warmup + options.repeat; ++i) {
    LiveCluster cluster(OptionsOfSnapshot());
    ObjectReader reader({"volcano"}, "queue-0");
    Phases phases;
    const double cpu = CpuSeconds();
    const Clock::time_point start = Clock::now();
    for (const std::string& text : texts) {
      const Result<void> read = Ingest(text, reader, cluster);
      if (!read && out.problems.empty()) out.problems = {read.error().message};
    }
    phases.apply = std::chrono::duration<double>(Clock::now() - start).count();
    phases.cpu = CpuSeconds() - cpu;
    out.peak_rss_bytes = PeakRssBytes();
    if (options.check && out.problems.empty())
      out.problems = CheckCluster(cluster.objects(), objects);
    if (i >= options.warmup) out.runs.push_back(phases);
  }
  out.events = texts.size();
  out.more["bytes_per_event"] = bytes / texts.size();
}

}  // namespace batholith::bench
