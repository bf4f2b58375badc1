#include "sim/scenario/check_scenario.h"

#include <chrono>

#include "codec/decode.h"
#include "codec/json/field.h"
#include "scheduler/compile_conf.h"
#include "scheduler/run_outcome.h"
#include "sim/run/run_sessions.h"
#include "sim/scenario/manifests.h"

namespace batholith {
namespace {

// Decodes one block of manifests after the other, each into a cluster that has the ones before.
class Blocks {
 public:
  Blocks(const Scenario& scenario, bool strict, Verdict& verdict)
      : scenario_(scenario), strict_(strict), verdict_(verdict) {}

  // Refused objects and doubts go to the verdict.
  ClusterObjects Decode(const std::vector<Manifest>& manifests, bool updates = false) {
    ManifestDecoder decoder({.scheduler_names = scenario_.scheduler_names,
                             .default_queue = scenario_.default_queue,
                             .now = scenario_.now,
                             .before = &before_,
                             .updates = updates,
                             .strict = strict_});
    for (const Manifest& m : manifests) decoder.Add(m.value, m.where);
    Loaded loaded = decoder.Finish();
    Append(loaded.refused, verdict_.refused);
    Append(loaded.warnings, verdict_.doubts);
    before_.places = loaded.places;
    before_.limit_ranges = std::move(loaded.limit_ranges);
    Append(loaded.objects.priority_classes, before_.objects.priority_classes);
    Append(loaded.objects.queues, before_.objects.queues);
    return std::move(loaded.objects);
  }

 private:
  template <typename T>
  static void Append(const std::vector<T>& from, std::vector<T>& to) {
    to.insert(to.end(), from.begin(), from.end());
  }

  const Scenario& scenario_;
  const bool strict_;
  Verdict& verdict_;
  Loaded before_;
};

ObjectUpdate UpdateOf(ClusterObjects objects, const std::vector<Manifest>& manifests) {
  ObjectUpdate update;
  update.objects = std::move(objects);
  for (const Manifest& m : manifests) {
    const Field object = Field::Glance(m.value);
    if (!object.is_object()) continue;
    const std::string reference = ReferenceOf(m.value);
    if (object.Object().contains("status")) update.with_status.insert(reference);
    if (object["metadata"].Object().contains("creationTimestamp"))
      update.with_creation.insert(reference);
  }
  return update;
}

// Whether every expected text stands in one of the complaints.
void CheckError(const Field& expected, const std::vector<std::string>& complaints,
                std::vector<Failure>& failures) {
  std::vector<std::string> texts;
  if (expected.is_list()) {
    for (const Field& text : expected.Items()) texts.push_back(text.Scalar());
  } else {
    texts.push_back(expected.Scalar());
  }
  std::string all;
  for (const std::string& c : complaints) all += (all.empty() ? "" : "\n") + c;
  for (const std::string& text : texts) {
    if (all.find(text) == std::string::npos || all.empty()) {
      failures.push_back({"an error that says \"" + text + "\"", all.empty() ? "no error" : all});
    }
  }
}

void Run(const Scenario& s, const CheckOptions& check, Verdict& verdict) {
  std::vector<std::string> complaints;
  Blocks blocks(s, check.strict, verdict);
  ClusterObjects objects = blocks.Decode(s.objects);
  RunOptions options;
  options.cycles = s.cycles;
  options.until_idle = s.until_idle;
  options.victims = s.victims;
  options.now = s.now;
  options.period_ns = s.period_ns;
  options.snapshot.scheduler_names = s.scheduler_names;
  options.snapshot.default_queue = s.default_queue;
  options.snapshot.scope = s.node_scope;
  options.cycle.trace = NeedsTrace(s.expect);
  options.cycle.quota_pods = true;
  options.cycle.verify = true;
  options.on_session = check.on_session;
  const Result<CompiledConf> conf = CompileConf(s.conf, s.file + ": spec.conf", check.missing);
  if (!conf) complaints.push_back(conf.error().message);
  if (conf)
    verdict.warnings.insert(verdict.warnings.end(), conf->warnings.begin(), conf->warnings.end());
  for (const ScenarioEvent& e : s.events) {
    RunEvent event;
    event.cycle = e.cycle;
    event.remove = e.remove;
    event.add = blocks.Decode(e.add);
    event.update = UpdateOf(blocks.Decode(e.update, /*updates=*/true), e.update);
    if (e.conf) {
      const Result<CompiledConf> next =
          CompileConf(*e.conf, s.file + ": spec.events.conf", check.missing);
      if (next) {
        event.pipeline = next->pipeline;
      } else {
        complaints.push_back(next.error().message);
      }
    }
    options.events.push_back(std::move(event));
  }
  const Field error = Field(s.expect, "expect")["error"];
  if (error.present()) {
    complaints.insert(complaints.end(), verdict.refused.begin(), verdict.refused.end());
    verdict.refused.clear();  // they are the answer
    return CheckError(error, complaints, verdict.failures);
  }
  if (check.strict) {
    for (std::string& line : verdict.refused)
      verdict.failures.push_back({"the objects are accepted (--strict)", std::move(line)});
    verdict.refused.clear();
  }
  for (const std::string& c : complaints) verdict.failures.push_back({"the input is accepted", c});
  if (!complaints.empty()) return;
  const RunOutcome run = RunSessions(std::move(objects), conf->pipeline, std::move(options));
  verdict.warnings.insert(verdict.warnings.end(), run.warnings.begin(), run.warnings.end());
  for (const std::string& e : run.errors) verdict.failures.push_back({"the events happen", e});
  for (Failure& f : CheckExpect(s.expect, run)) verdict.failures.push_back(std::move(f));
}

}  // namespace

Verdict CheckScenario(const Scenario& scenario, const CheckOptions& options) {
  Verdict verdict;
  const auto start = std::chrono::steady_clock::now();
  Run(scenario, options, verdict);
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return verdict;
}

}  // namespace batholith
