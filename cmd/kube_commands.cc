#include "cmd/kube_commands.h"

#include <signal.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "api/did_you_mean.h"
#include "api/value_text.h"
#include "client/http/reply.h"
#include "cmd/commands.h"
#include "cmd/flags.h"
#include "cmd/help/help_text.h"
#include "cmd/offline/final_objects.h"
#include "cmd/offline/manifest_api.h"
#include "cmd/offline/simulation.h"
#include "cmd/signal_watch.h"

namespace batholith {
namespace {

namespace po = boost::program_options;
namespace json = boost::json;

constexpr const char* kStatuses =
    "Exit status: 0 done, 1 not found or refused by the server, 2 bad usage, 3 no API server.";

int StatusOf(const Error& error) {
  if (error.code == ErrorCode::kInvalid) return kBadInput;
  return error.code == ErrorCode::kUnavailable ? kNoWorld : kAnswerIsNo;
}

// On what a simulation of the manifests leaves. Errors: those of the verb; manifests that cannot be
// read are kInvalid.
Result<void> RunOffline(const std::string& name, const KubeVerb& verb, KubeFlags flags,
                        po::variables_map values) {
  if (flags.offline.scheduler_names.empty()) flags.offline.scheduler_names = {"volcano"};
  BesideRun unused;
  const Result<RunOutcome> outcome = RunSimulation(flags.offline, unused);
  if (!outcome) return std::unexpected(outcome.error());
  PrintWarnings(outcome->warnings);
  flags.all_namespaces = flags.all_namespaces || flags.namespace_.empty();
  if (flags.namespace_.empty()) flags.namespace_ = "default";
  KubeRun run{name,
              std::move(flags),
              std::move(values),
              nullptr,
              std::make_unique<ManifestApi>(FinalObjects(*outcome)),
              &*outcome};
  return verb.run(run);
}

int RunVerb(const std::string& command, const KubeVerb& verb,
            const std::vector<std::string>& arguments) {
  const std::string name = command + " " + verb.name;
  KubeFlags given;
  ParsedFlags parsed = ParseFlags(VerbPage(command, verb, given), arguments);
  if (parsed.stop) return parsed.status;
  const auto complain = [&](int status, const std::string& message) {
    std::cerr << "batholith " << name << ": " << message << "\n";
    return status;
  };
  if (const std::string wrong = WrongFlags(verb, parsed.values, given); !wrong.empty())
    return complain(kBadInput, wrong + "\nSee batholith " + name + " --help");
  if (!given.offline.files.empty()) {
    const Result<void> done = RunOffline(name, verb, std::move(given), std::move(parsed.values));
    return done ? kDone : complain(StatusOf(done.error()), done.error().message);
  }
  const SignalWatch watch;  // before any thread; ends a plugin, too
  Result<ClusterAccess> access = LoadAccess(given.access);
  if (!access) return complain(kNoWorld, access.error().message);
  if (given.namespace_.empty()) given.namespace_ = access->namespace_;
  HttpOptions options;
  options.user_agent = "batholith-" + command;
  options.stop_plugin = watch.end_of_process();
  signal(SIGPIPE, SIG_IGN);
  auto client = std::make_unique<HttpClient>(std::move(*access), options);
  HttpClient& http = *client;
  const auto timeout = given.request_timeout;
  KubeRun run{
      name,
      std::move(given),
      std::move(parsed.values),
      std::move(client),
      std::make_unique<KubeApi>(http, timeout.count() > 0 ? timeout : std::chrono::seconds(30)),
      nullptr};
  const Result<void> done = verb.run(run);
  return done ? kDone : complain(StatusOf(done.error()), done.error().message);
}

}  // namespace

KubeRun::Name KubeRun::Split(const std::string& name) const {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) return {flags.namespace_, name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

int RunKubeCommand(const std::string& command, std::span<const KubeVerb> verbs,
                   const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
    (arguments.empty() ? std::cerr : std::cout)
        << VerbListText(command, PagesOf(command, verbs), kStatuses, HelpWidth());
    return arguments.empty() ? kBadInput : kDone;
  }
  std::vector<std::string_view> known;
  for (const KubeVerb& verb : verbs) {
    if (arguments[0] == verb.name)
      return RunVerb(command, verb, {arguments.begin() + 1, arguments.end()});
    known.emplace_back(verb.name);
  }
  std::cerr << "batholith " << command << ": unknown verb " << arguments[0]
            << DidYouMean(arguments[0], known) << "\nSee batholith " << command << " --help\n";
  return kBadInput;
}

Result<void> SendCommand(KubeRun& run, const json::value& object, const std::string& namespace_,
                         const std::string& action) {
  const std::string name = TextIn(object, {"metadata", "name"});
  std::string lower = action;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const json::object target{{"apiVersion", TextIn(object, {"apiVersion"})},
                            {"kind", TextIn(object, {"kind"})},
                            {"name", name},
                            {"uid", TextIn(object, {"metadata", "uid"})},
                            {"controller", true},
                            {"blockOwnerDeletion", true}};
  const json::value command{
      {"apiVersion", kCommandKind.api_version},
      {"kind", kCommandKind.kind},
      {"metadata",
       {{"generateName", name + "-" + lower + "-"}, {"ownerReferences", json::array{target}}}},
      {"action", action},
      {"target", target}};
  const Result<json::value> made = run.api->Create(kCommandKind, namespace_, command);
  if (!made) {
    Error error = made.error();
    error.message = TextIn(object, {"kind"}) + " " + KeyOfObject(object) + ": " + error.message;
    return std::unexpected(error);
  }
  return {};
}

}  // namespace batholith
