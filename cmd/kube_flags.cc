#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "api/did_you_mean.h"
#include "api/value_text.h"
#include "client/http/escape.h"
#include "cmd/kube_commands.h"

namespace batholith {
namespace {

namespace po = boost::program_options;

std::string OutputsOf(const KubeVerb& verb) {
  return std::string("table, wide, name, ") + ((verb.flags & kTree) != 0 ? "tree, " : "") +
         "json or yaml";
}

void DescribeOffline(Simulation& s, po::options_description& flags) {
  auto add = flags.add_options();
  add("file,f", po::value(&s.files)->value_name("PATH"),
      "instead of a cluster manifests, as simulate takes and leaves them: a file, a folder, or - "
      "(repeat)");
  add("scheduler-conf", po::value(&s.conf_file)->value_name("FILE"),
      "with -f: under this scheduler conf");
  add("cycles", po::value(&s.cycles)->default_value(s.cycles)->value_name("N"),
      "with -f: after so many sessions, or when nothing changes any more");
  add("scheduler-name", po::value(&s.scheduler_names)->value_name("NAME"),
      "with -f: whose pods are ours (repeat; default volcano)");
  add("lenient", Switch(s.lenient),
      "with -f: leave out what the conf names and this build does not have");
}

void Describe(const KubeVerb& verb, KubeFlags& f, po::options_description& flags) {
  auto add = flags.add_options();
  const auto names = [&] { return po::value(&f.names); };
  add("help,h", "this text");
  if ((verb.flags & kNamespaced) != 0)
    add("namespace,n", po::value(&f.namespace_), "namespace; else that of the context");
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
    add("output,o", po::value(&f.output)->default_value("table"), OutputsOf(verb).c_str());
  if (verb.describe != nullptr) verb.describe(flags);
  if ((verb.flags & kOffline) != 0) DescribeOffline(f.offline, flags);
  add("kubeconfig,k", po::value(&f.access.kubeconfig),
      "how to reach the cluster; else $KUBECONFIG, ~/.kube/config, in-cluster");
  add("context", po::value(&f.access.context), "context of the kubeconfig");
  add("master,s", po::value(&f.access.master),
      "address of the API server, instead of the kubeconfig's");
  add("request-timeout", po::value<std::string>()->default_value("0"),
      "of each request, such as 5s, and of --watch; 0: 30s, and no end");
}

}  // namespace

CommandPage VerbPage(const std::string& command, const KubeVerb& verb, KubeFlags& f) {
  CommandPage page{command + " " + verb.name, std::string(verb.usage), verb.summary, ""};
  page.arguments += page.arguments.empty() ? "[flags]" : " [flags]";
  if ((verb.flags & (kOneName | kNames)) != 0) page.positional = "name";
  Describe(verb, f, page.flags);
  return page;
}

// What is wrong with the flags; empty: nothing.
std::string WrongFlags(const KubeVerb& verb, const po::variables_map& values, KubeFlags& f) {
  std::vector<std::string_view> outputs{"table", "wide", "name", "json", "yaml"};
  if ((verb.flags & kTree) != 0) outputs.emplace_back("tree");
  if ((verb.flags & kPrints) != 0 && std::ranges::find(outputs, f.output) == outputs.end())
    return "unknown output " + Shown(f.output) + DidYouMean(f.output, outputs) + " (" +
           OutputsOf(verb) + ")";
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
  if (f.watch && f.output == "tree") return "--watch: a tree cannot be watched; leave -o tree out";
  if (f.watch && !f.offline.files.empty()) return "--watch: manifests (-f) do not change";
  if (!f.selector.empty()) f.selector = "labelSelector=" + Escape(f.selector);
  return {};
}

std::vector<CommandPage> PagesOf(const std::string& command, std::span<const KubeVerb> verbs) {
  std::vector<CommandPage> pages;
  KubeFlags unused;
  for (const KubeVerb& verb : verbs) pages.push_back(VerbPage(command, verb, unused));
  return pages;
}

}  // namespace batholith
