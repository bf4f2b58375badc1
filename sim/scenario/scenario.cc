#include "sim/scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <filesystem>
#include <limits>
#include <utility>

#include "api/did_you_mean.h"
#include "api/time_text.h"
#include "api/value_text.h"
#include "codec/json/field.h"
#include "codec/limits.h"
#include "codec/load.h"
#include "codec/yaml.h"
#include "conf/default_conf.h"
#include "sim/scenario/expect.h"
#include "sim/scenario/manifests.h"
#include "sim/scenario/shape.h"
#include "sim/scenario/short_forms.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 19> kSpecFields{
    "conf",         "cycles",       "victims",      "period",       "now",
    "events",       "flags",        "objects",      "replicate",    "files",
    "expect",       kShortForms[0], kShortForms[1], kShortForms[2], kShortForms[3],
    kShortForms[4], kShortForms[5], kShortForms[6], kShortForms[7]};
constexpr std::array<std::string_view, 15> kEventFields{
    "cycle",        "add",          "update",       "remove",       "conf",
    "files",        "objects",      kShortForms[0], kShortForms[1], kShortForms[2],
    kShortForms[3], kShortForms[4], kShortForms[5], kShortForms[6], kShortForms[7]};
constexpr std::array<std::string_view, 4> kDocumentFields{"apiVersion", "kind", "metadata", "spec"};
constexpr std::array<std::string_view, 6> kFlags{
    "default-queue", "scheduler-name",          "schedule-period",
    "node-selector", "scheduler-sharding-mode", "scheduler-sharding-name"};

std::string ConfText(const Field& conf) {
  if (conf.is_text()) return conf.Text();
  if (!conf.is_object()) conf.Fail("must be a mapping or a text, not " + std::string(conf.kind()));
  return json::serialize(conf.Object());  // JSON is YAML
}

std::int64_t Duration(const Field& field) {
  const std::string text = field.Scalar();
  const auto duration = ParseGoDuration(text);
  if (!duration || duration->count() < 0)
    field.Fail("must be a duration, such as 1s, not \"" + Shown(text) + "\"");
  return duration->count();
}

// What a value is in a message: as it is written, shortened.
std::string Quoted(const Field& field) {
  return field.value() == nullptr ? "nothing" : Shown(json::serialize(*field.value()));
}

// Reads the fields of one document into a scenario. What is wrong is thrown as a FieldError.
class Reader {
 public:
  Reader(const json::object& document, std::string folder, Scenario& scenario)
      : document_(document, ""), folder_(std::move(folder)), out_(scenario) {}

  void Read() {
    document_.OnlyKnown(kDocumentFields);
    out_.name = document_["metadata"]["name"].Scalar();
    if (!spec_.present()) document_.Fail("a scenario needs a spec");
    CheckObject(spec_);
    ReadSwitches();
    ReadFlags();
    ReadObjects();
    ReadEvents();
    ReadExpect();
  }

 private:
  void ReadSwitches();
  void ReadCycles(const Field& cycles);
  void ReadFlags();
  void ReadNames(std::string_view flag, const Field& value);
  void ReadObjects();
  void ReadEvents();
  ScenarioEvent ReadEvent(const Field& block);
  void ReadExpect();

  const Field document_;
  const Field spec_ = document_["spec"];
  std::string folder_;
  Scenario& out_;
  std::vector<std::string> selectors_;  // of --node-selector
  std::string sharding_ = "none";
  std::string shard_;
};

void Reader::ReadCycles(const Field& cycles) {
  out_.until_idle = cycles.is_text() && cycles.Text() == "idle";
  if (out_.until_idle) return;
  if (!cycles.is_int()) cycles.Fail("must be a number of sessions or idle, not " + Quoted(cycles));
  out_.cycles = static_cast<int>(cycles.Int(0, 0, 1'000'000));
}

void Reader::ReadSwitches() {
  spec_.OnlyKnown(kSpecFields);
  const auto given = [this](std::string_view field) { return spec_.Object().contains(field); };
  out_.conf = given("conf") ? ConfText(spec_["conf"]) : std::string(DefaultConfText());
  if (given("cycles")) ReadCycles(spec_["cycles"]);
  if (given("victims")) {
    const Field victims = spec_["victims"];
    const std::string text = victims.is_text() ? victims.Text() : "";
    if (text != "gone" && text != "recreated")
      victims.Fail("must be gone or recreated, not " + Quoted(victims));
    out_.victims = text == "gone" ? VictimFate::kGone : VictimFate::kRecreated;
  }
  if (given("period")) out_.period_ns = Duration(spec_["period"]);
  if (given("now")) {
    const Field now = spec_["now"];
    const auto time = now.is_text() ? ParseTime(now.Text()) : std::nullopt;
    if (!time) now.Fail("must be a time, such as 2026-01-01T00:00:00Z, not " + Quoted(now));
    out_.now = *time;
  }
}

// Of a flag that takes names.
void Reader::ReadNames(std::string_view flag, const Field& value) {
  std::vector<std::string> names;
  if (value.is_list()) {
    for (const Field& name : value.Items()) names.push_back(name.Scalar());
  } else if (value.present()) {
    names.push_back(value.Scalar());
  }
  if (names.empty()) value.Fail("a name is needed");
  if (flag == "default-queue") out_.default_queue = names.front();
  if (flag == "node-selector") selectors_ = names;
  if (flag == "scheduler-sharding-mode") sharding_ = names.front();
  if (flag == "scheduler-sharding-name") shard_ = names.front();
  if (flag == "scheduler-name") out_.scheduler_names = std::move(names);
}

void Reader::ReadFlags() {
  for (const auto& [key, value] : spec_["flags"].Entries()) {
    std::string_view flag = key;
    if (flag.starts_with("--")) flag.remove_prefix(2);
    if (std::ranges::find(kFlags, flag) == kFlags.end()) {
      spec_["flags"].Fail(
          fmt::format("unknown flag \"{}\"{}", Shown(flag), DidYouMean(flag, kFlags)));
    }
    if (flag != "schedule-period") {
      ReadNames(flag, value);
    } else if (const std::int64_t period = Duration(value); !spec_["period"].present()) {
      out_.period_ns = period;
    }
  }
  Result<NodeScope> scope = ReadNodeScope(selectors_, sharding_, shard_);
  if (!scope) spec_["flags"].Fail(scope.error().message);
  out_.node_scope = *std::move(scope);
}

void Reader::ReadObjects() {
  out_.objects = CollectManifests(spec_, "objects", spec_["replicate"], folder_);
  for (Manifest& implied : ImpliedObjects(spec_, out_.objects)) {
    // As old as the cluster: what a scenario does not name must not be younger than what it names.
    implied.value.as_object()["metadata"].as_object()["creationTimestamp"] =
        FormatTime(out_.now - 3'600'000'000'000);
    out_.objects.push_back(std::move(implied));
  }
}

ScenarioEvent Reader::ReadEvent(const Field& block) {
  const Field none(nullptr, "");
  CheckObject(block);
  block.OnlyKnown(kEventFields);
  ScenarioEvent event;
  const Field cycle = block["cycle"];
  if (!cycle.present()) block.Fail("a cycle is needed");
  event.cycle = static_cast<int>(cycle.Int(0, 1, std::numeric_limits<int>::max()));
  event.add = CollectManifests(block, "add", none, folder_);
  if (const Field update = block["update"]; update.present()) {
    const json::object only{{"update", *update.value()}};
    event.update = CollectManifests(Field(only, block.path()), "update", none, "");
  }
  for (const Field& reference : block["remove"].Items()) event.remove.push_back(reference.Scalar());
  if (const Field conf = block["conf"]; conf.value() != nullptr) event.conf = ConfText(conf);
  return event;
}

// Of what is there already only this is asked for.
void Declare(const std::vector<Manifest>& objects, std::vector<Manifest>& declared) {
  for (const Manifest& object : objects) {
    const std::string reference = ReferenceOf(object.value);
    if (reference.starts_with("Queue/") || reference.starts_with("Namespace/"))
      declared.push_back(object);
  }
}

void Reader::ReadEvents() {
  std::int64_t made = MadeOf(out_.objects);
  std::vector<Manifest> declared;
  // A simulated cluster has these from the beginning.
  for (const std::string& queue : {std::string("default"), out_.default_queue}) {
    declared.push_back({json::object{{"kind", "Queue"}, {"metadata", {{"name", queue}}}}, queue});
  }
  Declare(out_.objects, declared);
  // The queue of jobs that name none is there from the start.
  declared.push_back(
      {json::object{{"kind", "Queue"}, {"metadata", json::object{{"name", out_.default_queue}}}},
       ""});
  for (const Field& block : spec_["events"].Items()) {
    ScenarioEvent event = ReadEvent(block);
    Declare(event.add, declared);
    made += MadeOf(event.add) + MadeOf(event.update);
    if (made > kMaxMadeObjects)
      block.Fail(fmt::format("makes more than {} objects", kMaxMadeObjects));
    for (Manifest& implied : ImpliedObjects(block, declared)) {
      declared.push_back(implied);
      event.add.push_back(std::move(implied));
    }
    out_.events.push_back(std::move(event));
  }
}

void Reader::ReadExpect() {
  const Field expect = spec_["expect"];
  out_.expect = expect.Object();
  CheckExpectShape(expect);
}

}  // namespace

Result<std::vector<Scenario>> ParseScenarios(std::string_view text, const std::string& file_name) {
  auto documents = ParseDocuments(text, file_name);
  if (!documents) return std::unexpected(documents.error());
  const std::filesystem::path folder = std::filesystem::path(file_name).parent_path();
  std::vector<Scenario> out;
  std::size_t number = 0;
  for (const json::value& value : *documents) {
    ++number;
    const Field document(&value, "");
    if (!document.present()) continue;
    const std::string where = fmt::format("{}: document {}: ", file_name, number);
    if (!document.is_object())
      return Invalid(fmt::format("{}must be a scenario, not {}", where, document.kind()));
    const Field kind = document["kind"];
    if (!kind.is_text() || kind.Text() != "Scenario") {
      return Invalid(where + "is not a scenario: expected kind: Scenario, got " +
                     (kind.value() == nullptr ? "no kind" : Quoted(kind)));
    }
    Scenario scenario;
    scenario.file = file_name;
    scenario.document = document.Object();
    try {
      Reader(document.Object(), folder.string(), scenario).Read();
    } catch (const FieldError& e) {
      return Invalid(where + e.what());
    }
    if (scenario.name.empty()) scenario.name = fmt::format("document {}", number);
    out.push_back(std::move(scenario));
  }
  if (out.empty()) return Invalid(file_name + ": holds no scenario");
  return out;
}

Result<std::vector<Scenario>> LoadScenarios(const std::string& path) {
  const Result<std::string> text = ReadText(path);
  if (!text) return std::unexpected(text.error());
  return ParseScenarios(*text, path);
}

json::object ExpandedDocument(const Scenario& scenario) {
  const auto written_out = [](const std::vector<Manifest>& manifests) {
    json::array out;
    for (const Manifest& manifest : manifests) out.push_back(manifest.value);
    return out;
  };
  json::object spec;
  for (const auto& [key, value] : scenario.document.at("spec").as_object()) {
    const std::string_view field = key;
    const bool expanded = field == "objects" || field == "files" || field == "replicate" ||
                          std::ranges::find(kShortForms, field) != kShortForms.end();
    if (expanded || field == "expect" || field == "events") continue;
    spec[field] = value;
  }
  spec["objects"] = written_out(scenario.objects);
  json::array events;
  for (const ScenarioEvent& event : scenario.events) {
    json::object block{{"cycle", event.cycle}};
    if (!event.add.empty()) block["add"] = written_out(event.add);
    if (!event.update.empty()) block["update"] = written_out(event.update);
    if (!event.remove.empty()) {
      json::array remove;
      for (const std::string& reference : event.remove) remove.push_back(json::value(reference));
      block["remove"] = std::move(remove);
    }
    if (event.conf) block["conf"] = *event.conf;
    events.push_back(std::move(block));
  }
  if (!events.empty()) spec["events"] = std::move(events);
  if (!scenario.expect.empty()) spec["expect"] = scenario.expect;
  json::object out = scenario.document;
  out["spec"] = std::move(spec);
  return out;
}

}  // namespace batholith
