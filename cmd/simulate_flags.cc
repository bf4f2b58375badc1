#include "cmd/simulate_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>

#include "api/did_you_mean.h"
#include "cmd/commands.h"
#include "cmd/flags.h"
#include "cmd/load_generator.h"

namespace batholith {
namespace {

namespace po = boost::program_options;

CommandPage PageOf(Simulation& s) {
  CommandPage page{"simulate", "-f PATH... [flags]",
                   "Runs the scheduler on manifests and shows what it decides and why.",
                   "Needs no cluster: what kubectl get -o yaml prints is what it reads.\n"
                   "-o json and yaml print one document: cycles (the sessions that ran), bindings, "
                   "evictions, pipelined, jobs, queues, namespaces, quotas, placeholders, "
                   "nodeGroups, nodes, pods, evictionRounds, and otherSchedulers: for each "
                   "scheduler name that is not ours schedulerName, pods (how many) and waiting "
                   "(those without a place)."};
  auto add = page.flags.add_options();
  add("help,h", "this text");
  add("file,f", po::value(&s.files)->value_name("PATH"),
      "manifests: a file, a folder, or - (repeat)");
  add("scheduler-conf", po::value(&s.conf_file)->value_name("FILE"),
      "scheduler conf in Volcano's format; built in when absent");
  add("lenient", Switch(s.lenient),
      "leave out what a conf names and this build does not have, as a daemon does");
  add("cycles", po::value(&s.cycles)->default_value(s.cycles)->value_name("N"),
      "sessions to run: a number, or idle");
  add("period", po::value(&s.period)->default_value(s.period), "virtual time between sessions");
  add("output,o", po::value(&s.output)->default_value(s.output), "table, wide, json or yaml");
  add("all", Switch(s.all),
      "a line for each job, node and eviction and each job that waits, however many there are");
  add("watch", Switch(s.watch), "run again when a manifest or the conf changes, until interrupted");
  add("threads",
      po::value(&s.threads)
          ->default_value(static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))),
      "worker threads; the result never depends on it");
  add("dump", po::value(&s.dump), "write what each session saw and decided, for replay");
  add("load", po::value(&s.load),
      "jobs that come while it runs: every=30s,jobs=20,tasks=2,cpu=1,memory=2Gi,lifetime=10m,"
      "queue=default,namespace=default,minMember=2,seed=0");
  add("victims", po::value(&s.victims)->default_value(s.victims),
      "what becomes of evicted pods: gone, or recreated, as controllers do");
  add("max-pods", po::value(&s.max_pods)->default_value(s.max_pods),
      "pods that all jobs of the input may become, and so may those of --load; about 4 KB each");
  add("scheduler-name", po::value(&s.scheduler_names),
      "whose pods are ours (repeat; default volcano)");
  add("default-queue", po::value(&s.default_queue)->default_value(s.default_queue),
      "where groups without a queue go");
  s.node_scope.Describe(page.flags);
  add("other-scheduler-name", po::value(&s.other_scheduler_names),
      "whose pods are left to another scheduler (repeat; default-scheduler is one anyway)");
  add("fail-on-pending", po::value(&s.fail_on_pending)->implicit_value("ours"),
      "exit 1 if a pod of ours, or of a scheduler name that nobody was told of, is left pending; "
      "=all: if any pod is");
  add("strict", Switch(s.strict),
      "refuse an input with fields or kinds that are not known, instead of warning");
  return page;
}

std::string ComplaintOf(const Simulation& s) {
  if (s.files.empty()) return "at least one -f PATH is required";
  static constexpr std::array<std::string_view, 4> kOutputs{"table", "wide", "json", "yaml"};
  if (std::ranges::find(kOutputs, s.output) == kOutputs.end())
    return "--output " + s.output + ": must be table, wide, json or yaml" +
           DidYouMean(s.output, kOutputs);
  if (s.victims != "gone" && s.victims != "recreated")
    return "--victims " + s.victims + ": must be gone or recreated";
  if (!s.fail_on_pending.empty() && s.fail_on_pending != "ours" && s.fail_on_pending != "all")
    return "--fail-on-pending " + s.fail_on_pending + ": must be ours or all";
  if (const auto scope = s.node_scope.Read(); !scope) return scope.error().message;
  if (s.threads < 1) return "--threads must be at least 1";
  if (s.max_pods < 0 || s.max_pods > kMostPods)
    return fmt::format("--max-pods must be 0 to {}", kMostPods);
  if (s.watch && std::ranges::find(s.files, "-") != s.files.end())
    return "--watch: standard input cannot be read again; name files";
  return {};
}

}  // namespace

int Simulation::OwnThreads() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

CommandPage SimulatePage() {
  Simulation s;
  return PageOf(s);
}

ParsedSimulation ParseSimulation(const std::vector<std::string>& arguments) {
  ParsedSimulation out;
  Simulation& s = out.simulation;
  const ParsedFlags parsed = ParseFlags(PageOf(s), arguments);
  out.stop = parsed.stop;
  out.status = parsed.status;
  if (parsed.stop) return out;
  if (s.scheduler_names.empty()) s.scheduler_names = {"volcano"};
  out.complaint = ComplaintOf(s);
  return out;
}

}  // namespace batholith
