#include "test/bench/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <iostream>
#include <iterator>
#include <memory>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

namespace batholith::bench {
namespace {

namespace po = boost::program_options;

po::options_description Options(Settings& s) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const auto number = [](std::size_t& value) {
    return po::value<std::size_t>(&value)->default_value(value);
  };
  po::options_description options("session_bench: whole sessions in memory, timed");
  // clang-format off
  options.add_options()
      ("help,h", "print this")
      ("scenario", po::value(&s.scenario)->default_value(s.scenario), "what to run; see below")
      ("nodes", number(s.sizes.nodes), "nodes of 32 cpu, 128Gi and 110 pods in 3 zones")
      ("pods", number(s.sizes.pods), "pending pods of 1 cpu and 2Gi")
      ("gang", number(s.sizes.gang), "pods of a job")
      ("gangs", number(s.sizes.gangs), "jobs, instead of --pods (scenario topology)")
      ("levels", number(s.sizes.levels), "tiers of HyperNodes, of 16 members each (scenario topology)")
      ("devices", number(s.sizes.devices), "devices of a node (scenario devices)")
      ("claims", number(s.sizes.claims), "pods with a claim for one each, instead of --pods (scenario devices)")
      ("min-member", number(s.sizes.min_member), "minimum of a job; 0: all of its pods")
      ("oversized", number(s.sizes.oversized), "of every so many jobs the last pod fits no node (scenario place); 0: of none")
      ("classes", number(s.sizes.classes), "different pod requests")
      ("queues", number(s.sizes.queues), "queues")
      ("namespaces", number(s.sizes.namespaces), "namespaces")
      ("running", number(s.sizes.running), "pods that run already")
      ("changes", number(s.sizes.changes), "pods that come, and that go, between sessions (scenario delta)")
      ("node-changes", number(s.sizes.node_changes), "nodes that change between sessions (scenarios on a live cluster)")
      ("quotas", number(s.sizes.quotas), "elastic quotas in a tree of depth 4")
      ("node-groups", number(s.sizes.node_groups), "groups of nodes; with some, actions slack and autoscale run")
      ("conf", po::value(&s.conf_file), "scheduler conf; the built-in one if absent")
      ("trace", po::value(&s.trace), "folder of the openb trace (scenario trace)")
      ("pod-list", po::value(&s.pod_list)->default_value(s.pod_list), "its pods: default, multigpu50, gpuspec33 or gpushare100")
      ("scale", number(s.sizes.scale), "copies of the trace")
      ("rate", po::value(&s.measure.rate)->default_value(s.measure.rate), "pods that come a second (scenario soak)")
      ("duration", po::value(&s.measure.duration_s)->default_value(s.measure.duration_s), "seconds (scenario soak)")
      ("threads", po::value(&s.measure.threads)->default_value(cores), "worker threads")
      ("seed", po::value(&s.sizes.seed)->default_value(s.sizes.seed), "seed of the generator")
      ("repeat", number(s.measure.repeat), "measured sessions; with --against, pairs of programs")
      ("warmup", number(s.measure.warmup), "sessions before them")
      ("allocations", po::value(&s.measure.allocations)->default_value(false, "off")->implicit_value(true, "on"),
       "count heap allocations of a session, which slows it: on or off")
      ("against", po::value(&s.against), "another session_bench: both run in turn with the same flags, ratios are printed")
      ("each", number(s.each), "measured sessions of each program of a pair")
      ("check", po::value(&s.measure.check)->default_value(true, "on")->implicit_value(true, "on"),
       "check every result: on or off");
  // clang-format on
  return options;
}

std::string ScenarioList() {
  std::string text = "Scenarios:\n";
  for (const Scenario& s : Scenarios()) text += fmt::format("  {:<23} {}\n", s.name, s.what);
  return text;
}

// What flags cannot be together, or belong to some scenarios only; empty: all is well.
std::string Trouble(const Settings& s, const Scenario& scenario) {
  const Sizes& z = s.sizes;
  const bool is_live = scenario.course == Course::kLive;
  if (z.gang == 0 || z.classes == 0 || z.queues == 0 || z.namespaces == 0 || z.scale == 0)
    return "--gang, --classes, --queues, --namespaces and --scale must be at least 1";
  if (z.levels == 0) return "--levels must be at least 1";
  if (z.nodes == 0 && (z.running > 0 || s.scenario != "place"))
    return "--nodes must be at least 1 where pods run";
  if (z.changes != 0 && s.scenario != "delta") return "--changes belongs to scenario delta";
  if (z.node_changes != 0 && !is_live)
    return "--node-changes belongs to scenarios on a live cluster: idle, delta, hopeless, arrive";
  if (z.claims != 0 && s.scenario != "devices") return "--claims belongs to scenario devices";
  if (z.oversized != 0 && s.scenario != "place") return "--oversized belongs to scenario place";
  if (s.trace.empty() == (s.scenario == "trace"))
    return "--trace belongs to scenario trace, which needs it";
  if (z.scale != 1 && s.scenario != "trace") return "--scale belongs to scenario trace";
  if (s.measure.repeat == 0 || s.each == 0) return "--repeat and --each must be at least 1";
  if (s.measure.threads < 1) return "--threads must be at least 1";
  if (s.measure.rate <= 0 || s.measure.duration_s <= 0)
    return "--rate and --duration must be above 0";
  return "";
}

// Of the pairs, and where each program of a pair gets another value.
bool IsForPairs(const std::string& flag) {
  static const std::set<std::string> kFlags{"against", "each", "repeat"};
  return kFlags.contains(flag);
}

std::vector<std::string> ChildFlags(const po::parsed_options& parsed) {
  std::vector<std::string> flags;
  for (const po::option& option : parsed.options) {
    if (!IsForPairs(option.string_key))
      std::ranges::copy(option.original_tokens, std::back_inserter(flags));
  }
  return flags;
}

}  // namespace

Result<std::optional<Settings>> ReadSettings(int argc, char** argv) {
  Settings s;
  const po::options_description options = Options(s);
  po::variables_map given;
  try {
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const po::parsed_options parsed =
        po::command_line_parser(argc, argv).options(options).style(style).positional({}).run();
    s.child_flags = ChildFlags(parsed);
    po::store(parsed, given);
    po::notify(given);
  } catch (const po::error& error) {
    return Invalid(error.what());
  }
  if (given.contains("help")) {
    std::cout << options << "\n" << ScenarioList();
    return std::nullopt;
  }
  const auto scenario = std::ranges::find(Scenarios(), s.scenario, &Scenario::name);
  if (scenario == Scenarios().end())
    return Invalid(fmt::format("unknown scenario \"{}\"\n{}", s.scenario, ScenarioList()));
  const std::string trouble = Trouble(s, *scenario);
  if (!trouble.empty()) return Invalid(trouble);
  if (!s.trace.empty()) {
    Result<OpenbTrace> trace = ReadOpenb(s.trace, s.pod_list);
    if (!trace) return std::unexpected(trace.error());
    s.sizes.trace = std::make_shared<const OpenbTrace>(std::move(*trace));
  }
  if (scenario->shape != nullptr) scenario->shape(s.sizes);
  return s;
}

const Scenario& ScenarioOf(const Settings& settings) {
  return *std::ranges::find(Scenarios(), settings.scenario, &Scenario::name);
}

}  // namespace batholith::bench
