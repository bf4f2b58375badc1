#include "sim/scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <filesystem>
#include <limits>
#include <utility>

#include "api/value_text.h"
#include "codec/field.h"
#include "codec/limits.h"
#include "codec/load.h"
#include "codec/time_text.h"
#include "codec/yaml.h"
#include "conf/default_conf.h"
#include "conf/message.h"
#include "sim/scenario/expect.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/manifests.h"
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
constexpr std::array<std::string_view, 3> kFlags{"default-queue", "scheduler-name",
                                                 "schedule-period"};

Result<std::string> ConfText(const json::value& conf, const std::string& path) {
  if (conf.is_string()) return std::string(conf.get_string());
  if (conf.is_object()) return json::serialize(conf);  // JSON is YAML
  return Invalid(fmt::format("{}: expected a mapping or a text, got {}", path, KindOf(conf)));
}

Result<std::int64_t> Duration(const json::value& value, const std::string& path) {
  const Result<std::string> text = AsText(value, path);
  if (!text) return std::unexpected(text.error());
  const auto duration = ParseGoDuration(*text);
  if (!duration || duration->count() < 0) {
    return Invalid(path + ": expected a duration as \"1s\", got \"" + Shown(*text) + "\"");
  }
  return duration->count();
}

// Reads the fields of one document into a scenario.
class Reader {
 public:
  Reader(const json::object& document, std::string folder, Scenario& scenario)
      : document_(document), folder_(std::move(folder)), out_(scenario) {}

  Result<void> Read() {
    const Result<void> known = OnlyKnown(document_, "scenario", kDocumentFields);
    if (!known) return known;
    const json::value* meta = document_.if_contains("metadata");
    if (meta != nullptr && meta->is_object() && meta->get_object().contains("name")) {
      const Result<std::string> name = AsText(meta->get_object().at("name"), "metadata.name");
      if (!name) return std::unexpected(name.error());
      out_.name = *name;
    }
    const json::value* spec = document_.if_contains("spec");
    if (spec == nullptr) return Invalid("a scenario needs a spec");
    const auto mapping = AsMapping(*spec, "spec");
    if (!mapping) return std::unexpected(mapping.error());
    spec_ = *mapping;
    for (const auto part : {&Reader::ReadSwitches, &Reader::ReadFlags, &Reader::ReadObjects,
                            &Reader::ReadEvents, &Reader::ReadExpect}) {
      const Result<void> read = (this->*part)();
      if (!read) return read;
    }
    return {};
  }

 private:
  Result<void> ReadSwitches();
  Result<void> ReadCycles(const json::value& cycles);
  Result<void> ReadFlags();
  Result<void> ReadObjects();
  Result<void> ReadEvents();
  Result<ScenarioEvent> ReadEvent(const json::value& value, const std::string& path);
  Result<void> ReadExpect();

  const json::object& document_;
  const json::object* spec_ = nullptr;
  std::string folder_;
  Scenario& out_;
};

Result<void> Reader::ReadCycles(const json::value& cycles) {
  out_.until_idle = cycles.is_string() && cycles.get_string() == "idle";
  if (out_.until_idle) return {};
  const Result<std::int64_t> n = AsInteger(cycles, "spec.cycles");
  if (!n || *n < 0 || *n > 1'000'000) {
    return Invalid("spec.cycles: expected a number of sessions or idle, got " +
                   Shown(ScalarText(cycles)));
  }
  out_.cycles = static_cast<int>(*n);
  return {};
}

Result<void> Reader::ReadSwitches() {
  const Result<void> known = OnlyKnown(*spec_, "spec", kSpecFields);
  if (!known) return known;
  out_.conf = std::string(DefaultConfText());
  if (const json::value* conf = spec_->if_contains("conf")) {
    Result<std::string> text = ConfText(*conf, "spec.conf");
    if (!text) return std::unexpected(text.error());
    out_.conf = std::move(*text);
  }
  if (const json::value* cycles = spec_->if_contains("cycles")) {
    const Result<void> read = ReadCycles(*cycles);
    if (!read) return read;
  }
  if (const json::value* victims = spec_->if_contains("victims")) {
    const std::string text = victims->is_structured() ? "" : ScalarText(*victims);
    if (text != "gone" && text != "recreated") {
      return Invalid("spec.victims: expected gone or recreated, got " +
                     Shown(json::serialize(*victims)));
    }
    out_.victims = text == "gone" ? VictimFate::kGone : VictimFate::kRecreated;
  }
  if (const json::value* period = spec_->if_contains("period")) {
    const Result<std::int64_t> ns = Duration(*period, "spec.period");
    if (!ns) return std::unexpected(ns.error());
    out_.period_ns = *ns;
  }
  if (const json::value* now = spec_->if_contains("now")) {
    const auto time = now->is_string() ? ParseTime(now->get_string()) : std::nullopt;
    if (!time) {
      return Invalid("spec.now: expected a time as 2026-01-01T00:00:00Z, got " +
                     Shown(json::serialize(*now)));
    }
    out_.now = *time;
  }
  return {};
}

Result<void> Reader::ReadFlags() {
  const json::value* flags = spec_->if_contains("flags");
  if (flags == nullptr || flags->is_null()) return {};
  const auto mapping = AsMapping(*flags, "spec.flags");
  if (!mapping) return std::unexpected(mapping.error());
  for (const auto& [key, value] : **mapping) {
    std::string_view flag = key;
    if (flag.starts_with("--")) flag.remove_prefix(2);
    const std::string path = "spec.flags." + std::string(flag);
    if (std::ranges::find(kFlags, flag) == kFlags.end()) {
      return Invalid(
          fmt::format("spec.flags: unknown flag \"{}\"{}", Shown(flag), DidYouMean(flag, kFlags)));
    }
    if (flag == "schedule-period") {
      const Result<std::int64_t> ns = Duration(value, path);
      if (!ns) return std::unexpected(ns.error());
      if (!spec_->contains("period")) out_.period_ns = *ns;
      continue;
    }
    std::vector<std::string> names;
    const json::array one{value};
    for (const json::value& name : value.is_array() ? value.get_array() : one) {
      Result<std::string> text = AsText(name, path);
      if (!text) return std::unexpected(text.error());
      names.push_back(std::move(*text));
    }
    if (names.empty()) return Invalid(path + ": a name is needed");
    if (flag == "default-queue") out_.default_queue = names.front();
    if (flag == "scheduler-name") out_.scheduler_names = std::move(names);
  }
  return {};
}

Result<void> Reader::ReadObjects() {
  static const json::object kNone;
  const json::object* replicate = &kNone;
  if (const json::value* value = spec_->if_contains("replicate"); value && !value->is_null()) {
    const auto mapping = AsMapping(*value, "spec.replicate");
    if (!mapping) return std::unexpected(mapping.error());
    replicate = *mapping;
  }
  Result<std::vector<Manifest>> objects =
      CollectManifests(*spec_, "objects", *replicate, folder_, "spec");
  if (!objects) return std::unexpected(objects.error());
  out_.objects = std::move(*objects);
  for (Manifest& implied : ImpliedObjects(*spec_, out_.objects)) {
    // As old as the cluster: what a scenario does not name must not be younger than what it names.
    implied.value.as_object()["metadata"].as_object()["creationTimestamp"] =
        FormatTime(out_.now - 3'600'000'000'000);
    out_.objects.push_back(std::move(implied));
  }
  return {};
}

Result<ScenarioEvent> Reader::ReadEvent(const json::value& value, const std::string& path) {
  const auto mapping = AsMapping(value, path);
  if (!mapping) return std::unexpected(mapping.error());
  const json::object& block = **mapping;
  const Result<void> known = OnlyKnown(block, path, kEventFields);
  if (!known) return std::unexpected(known.error());
  ScenarioEvent event;
  const json::value* cycle = block.if_contains("cycle");
  if (cycle == nullptr) return Invalid(path + ": a cycle is needed");
  const Result<std::int64_t> n = AsInteger(*cycle, path + ".cycle");
  if (!n || *n < 1 || *n > std::numeric_limits<int>::max()) {
    return Invalid(path + ".cycle: expected the number of a session, from 1 on");
  }
  event.cycle = static_cast<int>(*n);
  Result<std::vector<Manifest>> add = CollectManifests(block, "add", {}, folder_, path);
  if (!add) return std::unexpected(add.error());
  event.add = std::move(*add);
  const json::object only_updates =
      block.contains("update") ? json::object{{"update", block.at("update")}} : json::object{};
  Result<std::vector<Manifest>> update = CollectManifests(only_updates, "update", {}, "", path);
  if (!update) return std::unexpected(update.error());
  event.update = std::move(*update);
  if (const json::value* remove = block.if_contains("remove")) {
    const auto list = AsList(*remove, path + ".remove");
    if (!list) return std::unexpected(list.error());
    for (const json::value& entry : **list) {
      Result<std::string> text = AsText(entry, path + ".remove");
      if (!text) return std::unexpected(text.error());
      event.remove.push_back(std::move(*text));
    }
  }
  if (const json::value* conf = block.if_contains("conf")) {
    Result<std::string> text = ConfText(*conf, path + ".conf");
    if (!text) return std::unexpected(text.error());
    event.conf = std::move(*text);
  }
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

Result<void> Reader::ReadEvents() {
  const json::value* events = spec_->if_contains("events");
  if (events == nullptr || events->is_null()) return {};
  const auto list = AsList(*events, "spec.events");
  if (!list) return std::unexpected(list.error());
  std::int64_t made = MadeOf(out_.objects);
  std::vector<Manifest> declared;
  Declare(out_.objects, declared);
  for (std::size_t i = 0; i < (*list)->size(); ++i) {
    const std::string path = fmt::format("spec.events[{}]", i);
    Result<ScenarioEvent> event = ReadEvent((**list)[i], path);
    if (!event) return std::unexpected(event.error());
    Declare(event->add, declared);
    made += MadeOf(event->add) + MadeOf(event->update);
    if (made > kMaxMadeObjects)
      return Invalid(fmt::format("{}: makes more than {} objects", path, kMaxMadeObjects));
    for (Manifest& implied : ImpliedObjects((**list)[i].get_object(), declared)) {
      declared.push_back(implied);
      event->add.push_back(std::move(implied));
    }
    out_.events.push_back(std::move(*event));
  }
  return {};
}

Result<void> Reader::ReadExpect() {
  const json::value* expect = spec_->if_contains("expect");
  if (expect == nullptr || expect->is_null()) return {};
  const auto mapping = AsMapping(*expect, "spec.expect");
  if (!mapping) return std::unexpected(mapping.error());
  const Result<void> valid = CheckExpectShape(**mapping, "spec.expect");
  if (!valid) return valid;
  out_.expect = **mapping;
  return {};
}

}  // namespace

Result<std::vector<Scenario>> ParseScenarios(std::string_view text, const std::string& file_name) {
  auto documents = ParseDocuments(text, file_name);
  if (!documents) return std::unexpected(documents.error());
  const std::filesystem::path folder = std::filesystem::path(file_name).parent_path();
  std::vector<Scenario> out;
  std::size_t number = 0;
  for (auto& document : *documents) {
    ++number;
    if (document.is_null()) continue;
    const std::string where = fmt::format("{}: document {}: ", file_name, number);
    if (!document.is_object()) {
      return Invalid(fmt::format("{}expected a scenario, got {}", where, KindOf(document)));
    }
    const json::value* kind = document.get_object().if_contains("kind");
    if (kind == nullptr || !kind->is_string() || kind->get_string() != "Scenario") {
      return Invalid(where + "is not a scenario: expected kind: Scenario, got " +
                     (kind == nullptr ? "no kind" : Shown(json::serialize(*kind))));
    }
    Scenario scenario;
    scenario.file = file_name;
    scenario.document = std::move(document.get_object());
    const json::object written = scenario.document;
    const Result<void> read = Reader(written, folder.string(), scenario).Read();
    if (!read) return Invalid(where + read.error().message);
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
