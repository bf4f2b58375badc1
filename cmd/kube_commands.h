#pragma once

#include <boost/program_options.hpp>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cmd/help/page.h"
#include "cmd/kube_api.h"
#include "cmd/simulate_flags.h"

namespace batholith {

struct RunOutcome;

// What `batholith queue`, `job` and `quota` have in common: flags, access and exit status.

struct KubeFlags {
  AccessOptions access;
  std::string namespace_;  // of --namespace, else of the context
  bool all_namespaces = false, watch = false, no_headers = false;
  std::string output;    // table, wide, name, json or yaml
  std::string selector;  // as it stands in a query; empty: none
  std::vector<std::string> names;
  Simulation offline;                            // with -f: what is looked at instead of a cluster
  std::chrono::milliseconds request_timeout{0};  // 0: 30 s a request, and a watch has no end
};

// One run of a verb.
struct KubeRun {
  std::string command;  // "queue list"
  KubeFlags flags;
  boost::program_options::variables_map values;  // of the verb's own flags
  std::unique_ptr<HttpClient> client;            // none with -f
  std::unique_ptr<ClusterApi> api;
  const RunOutcome* simulated = nullptr;  // with -f: what came of the sessions

  bool wide() const { return flags.output == "wide"; }
  // Where lists look: empty means all namespaces.
  std::string list_namespace() const {
    return flags.all_namespaces ? std::string() : flags.namespace_;
  }
  // A name as it was given: NAME, or NAMESPACE/NAME.
  struct Name {
    std::string namespace_, name;
  };
  Name Split(const std::string& name) const;
};

// Which shared flags a verb has.
enum VerbFlags : unsigned {
  kNamespaced = 1,  // -n NAMESPACE, and -N NAME; without it -n is a name
  kLists = 2,       // -A, -l, -w, --no-headers
  kPrints = 4,      // -o
  kOneName = 8,
  kNames = 16,    // one or more
  kOffline = 32,  // -f
  kTree = 64,     // -o tree
};

// A verb's answer. Errors by code: kInvalid is usage (exit 2), kUnavailable no API server (3), all
// others the server's no (1).
struct KubeVerb {
  const char* name;
  const char* usage;  // after the verb
  const char* summary;
  unsigned flags;
  Result<void> (*run)(KubeRun&);
  void (*describe)(boost::program_options::options_description&) = nullptr;
};

// Parses, connects, runs one verb and says what went wrong. Returns the exit status.
int RunKubeCommand(const std::string& command, std::span<const KubeVerb> verbs,
                   const std::vector<std::string>& arguments);

// The page of a verb, whose flags are read into `flags`, and what is wrong with them (empty:
// nothing), which makes the selector one of a query.
CommandPage VerbPage(const std::string& command, const KubeVerb& verb, KubeFlags& flags);
std::string WrongFlags(const KubeVerb& verb, const boost::program_options::variables_map& values,
                       KubeFlags& flags);
// A page for each verb.
std::vector<CommandPage> PagesOf(const std::string& command, std::span<const KubeVerb> verbs);

// Asks Volcano's controllers for something: a Command at the object, as vcctl creates it.
Result<void> SendCommand(KubeRun& run, const boost::json::value& object,
                         const std::string& namespace_, const std::string& action);

}  // namespace batholith
