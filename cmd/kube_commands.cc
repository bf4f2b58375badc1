#include "cmd/kube_commands.h"

#include <signal.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <utility>

#include "api/did_you_mean.h"
#include "api/value_text.h"
#include "client/http/escape.h"
#include "client/http/reply.h"
#include "cmd/commands.h"
#include "cmd/flags.h"
#include "cmd/help/help_text.h"
#include "cmd/signal_watch.h"

namespace batholith {
namespace {

namespace po = boost::program_options;
namespace json = boost::json;

void Describe(const KubeVerb& verb, KubeFlags& f, po::options_description& flags) {
  auto add = flags.add_options();
  const auto names = [&] { return po::value(&f.names); };
  add("help,h", "this text");
  if ((verb.flags & kNamespaced) != 0)
    add("namespace,n", po::value(&f.name_space), "namespace; else that of the context");
  if ((verb.flags & (kOneName | kNames)) != 0)
    add((verb.flags & kNamespaced) != 0 ? "name,N" : "name,n", names(),
        "name; may stand without the flag");
  if ((verb.flags & kLists) != 0) {
    if ((verb.flags & kNamespaced) != 0)
      add("all-namespaces,A", Switch(f.all_namespaces), "of all namespaces");
    add("selector,l", po::value(&f.selector), "labels, such as team=a,tier!=test");
    add("watch,w", Switch(f.watch), "go on, and print what changes");
    add("no-headers", Switch(f.no_headers), "no head of the table");
  }
  if ((verb.flags & kPrints) != 0)
    add("output,o", po::value(&f.output)->default_value("table"), "table, wide, json or yaml");
  if (verb.describe != nullptr) verb.describe(flags);
  add("kubeconfig,k", po::value(&f.access.kubeconfig),
      "how to reach the cluster; else $KUBECONFIG, ~/.kube/config, in-cluster");
  add("context", po::value(&f.access.context), "context of the kubeconfig");
  add("master,s", po::value(&f.access.master),
      "address of the API server, instead of the kubeconfig's");
  add("request-timeout", po::value<std::string>()->default_value("0"),
      "of each request, such as 5s, and of --watch; 0: 30s, and no end");
}

CommandPage PageOf(const std::string& command, const KubeVerb& verb, KubeFlags& f) {
  CommandPage page{command + " " + verb.name, std::string(verb.usage), verb.summary, ""};
  page.arguments += page.arguments.empty() ? "[flags]" : " [flags]";
  if ((verb.flags & (kOneName | kNames)) != 0) page.positional = "name";
  Describe(verb, f, page.flags);
  return page;
}

// What is wrong with the flags; empty: nothing.
std::string Check(const KubeVerb& verb, const po::variables_map& values, KubeFlags& f) {
  static constexpr std::array<std::string_view, 4> kOutputs{"table", "wide", "json", "yaml"};
  if ((verb.flags & kPrints) != 0 && std::ranges::find(kOutputs, f.output) == kOutputs.end())
    return "unknown output " + f.output + DidYouMean(f.output, kOutputs) +
           " (table, wide, json or yaml)";
  if ((verb.flags & (kOneName | kNames)) == 0 && !f.names.empty())
    return "takes no name, got " + f.names.front();
  if ((verb.flags & (kOneName | kNames)) != 0 && f.names.empty()) return "a name is missing";
  if ((verb.flags & kOneName) != 0 && f.names.size() > 1)
    return "one name only, got " + f.names[0] + " and " + f.names[1];
  if (std::ranges::any_of(f.names, [](const auto& name) { return name.empty() || name == "/"; }))
    return "a name is empty";
  const auto timeout = ParseGoDuration(values["request-timeout"].as<std::string>());
  if (!timeout || timeout->count() < 0) return "--request-timeout: must be a duration, such as 5s";
  f.request_timeout = std::chrono::duration_cast<std::chrono::milliseconds>(*timeout);
  if (!f.selector.empty()) f.selector = "labelSelector=" + Escape(f.selector);
  return {};
}

constexpr const char* kStatuses =
    "Exit status: 0 done, 1 not found or refused by the server, 2 bad usage, 3 no API server.";

int StatusOf(const Error& error) {
  if (error.code == ErrorCode::kInvalid) return kBadInput;
  return error.code == ErrorCode::kUnavailable ? kNoWorld : kAnswerIsNo;
}

int RunVerb(const std::string& command, const KubeVerb& verb,
            const std::vector<std::string>& arguments) {
  const std::string name = command + " " + verb.name;
  KubeFlags given;
  ParsedFlags parsed = ParseFlags(PageOf(command, verb, given), arguments);
  if (parsed.stop) return parsed.status;
  const auto complain = [&](int status, const std::string& message) {
    std::cerr << "batholith " << name << ": " << message << "\n";
    return status;
  };
  if (const std::string wrong = Check(verb, parsed.values, given); !wrong.empty())
    return complain(kBadInput, wrong + "\nSee batholith " + name + " --help");
  const SignalWatch watch;  // before any thread; ends a plugin, too
  Result<ClusterAccess> access = LoadAccess(given.access);
  if (!access) return complain(kNoWorld, access.error().message);
  if (given.name_space.empty()) given.name_space = access->namespace_;
  HttpOptions options;
  options.user_agent = "batholith-" + command;
  options.stop_plugin = watch.end_of_process();
  signal(SIGPIPE, SIG_IGN);
  auto client = std::make_unique<HttpClient>(std::move(*access), options);
  HttpClient& http = *client;
  const auto timeout = given.request_timeout;
  KubeRun run{name, std::move(given), std::move(parsed.values), std::move(client),
              KubeApi(http, timeout.count() > 0 ? timeout : std::chrono::seconds(30))};
  const Result<void> done = verb.run(run);
  return done ? kDone : complain(StatusOf(done.error()), done.error().message);
}

}  // namespace

KubeRun::Name KubeRun::Split(const std::string& name) const {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) return {flags.name_space, name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

std::vector<CommandPage> PagesOf(const std::string& command, std::span<const KubeVerb> verbs) {
  std::vector<CommandPage> pages;
  KubeFlags unused;
  for (const KubeVerb& verb : verbs) pages.push_back(PageOf(command, verb, unused));
  return pages;
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

Result<void> SendCommand(KubeRun& run, const json::value& object, const std::string& name_space,
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
  const Result<json::value> made = run.api.Create(kCommandKind, name_space, command);
  if (!made) {
    Error error = made.error();
    error.message = TextIn(object, {"kind"}) + " " + KeyOfObject(object) + ": " + error.message;
    return std::unexpected(error);
  }
  return {};
}

}  // namespace batholith
