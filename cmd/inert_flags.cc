#include "cmd/inert_flags.h"

#include <algorithm>
#include <array>

#include "api/did_you_mean.h"

namespace batholith {
namespace {

namespace po = boost::program_options;

struct Inert {
  const char* name;
  bool is_switch;   // else a value follows
  const char* why;  // it means nothing
};

constexpr const char* kToStandardError = "logs go to standard error, and nowhere else";
constexpr const char* kOneLevel = "-v is the one level of the log";
constexpr const char* kNoHeaders = "a line of the log begins with its time and level";

constexpr std::array kInert{
    Inert{"resync-period", false,
          "watches resume and list again where they must; nothing is resynced by time"},
    Inert{"minimum-feasible-nodes", false, "all nodes are looked at"},
    Inert{"minimum-percentage-nodes-to-find", false, "all nodes are looked at"},
    Inert{"percentage-nodes-to-find", false, "all nodes are looked at"},
    Inert{"plugins-dir", false, "plugins are part of the program"},
    Inert{"csi-storage", true, "what drivers tell of their room is always read"},
    Inert{"enable-pprof", true, "pprof is Go's; perf works on this program"},
    Inert{"cache-dumper", true, "/debug/snapshot of --debug-address writes a dump at any time"},
    Inert{"cache-dump-dir", false, "/debug/snapshot of --debug-address writes a dump at any time"},
    Inert{"node-worker-threads", false, "one thread applies what watches tell"},
    Inert{"gate-removal-worker-num", false, "scheduling gates are left to whoever set them"},
    Inert{"ignored-provisioners", false, "a claim is no resource of a node"},
    Inert{"lock-object-namespace", false, "use --leader-elect-resource-namespace"},
    Inert{"leader-elect-resource-lock", false, "the lock is a Lease"},
    Inert{"feature-gates", false, "features are arguments of plugins in the conf"},
    Inert{"ca-cert-file", false,
          "clients are known by their tokens, with --metrics-authentication"},
    // klog's
    Inert{"logtostderr", true, kToStandardError},
    Inert{"alsologtostderr", true, kToStandardError},
    Inert{"log-dir", false, kToStandardError},
    Inert{"log-file", false, kToStandardError},
    Inert{"log-file-max-size", false, kToStandardError},
    Inert{"one-output", true, kToStandardError},
    Inert{"stderrthreshold", false, kToStandardError},
    Inert{"legacy-stderr-threshold-behavior", true, kToStandardError},
    Inert{"add-dir-header", true, kNoHeaders},
    Inert{"skip-headers", true, kNoHeaders},
    Inert{"skip-log-headers", true, kNoHeaders},
    Inert{"vmodule", false, kOneLevel},
    Inert{"log-backtrace-at", false, "there are no stack traces of lines"},
    Inert{"log-flush-frequency", false, "each line is written at once"},
};

// 2>&1, >/dev/null and the like.
bool IsRedirection(std::string_view word) {
  const std::size_t sign = word.find_first_not_of("0123456789");
  return sign != std::string_view::npos && (word[sign] == '>' || word[sign] == '<');
}

}  // namespace

void DescribeInertFlags(po::options_description& flags) {
  auto add = flags.add_options();
  for (const Inert& inert : kInert) {
    const std::string text = std::string("no effect: ") + inert.why;
    if (inert.is_switch) {
      add(inert.name, po::value<bool>()->implicit_value(true), text.c_str());
    } else {
      add(inert.name, po::value<std::vector<std::string>>(), text.c_str());
    }
  }
}

void AddInertFlags(const po::variables_map& values, std::vector<std::string>& lines) {
  for (const Inert& inert : kInert) {
    const auto given = values.find(inert.name);
    if (given == values.end()) continue;
    // What it asks for is what happens.
    if (std::string_view(inert.name) == "logtostderr" && given->second.as<bool>()) continue;
    lines.push_back(std::string("--") + inert.name + " has no effect: " + inert.why);
  }
}

std::vector<std::string> WithoutShellWords(const std::vector<std::string>& arguments,
                                           std::vector<std::string>& lines) {
  std::vector<std::string> out;
  for (std::string argument : arguments) {
    if (IsRedirection(argument)) {
      lines.push_back("the argument " + Shown(argument) +
                      " has no effect: no shell reads it, and logs go to standard error");
      continue;
    }
    if (argument.starts_with("--")) {
      const auto end = std::ranges::find(argument, '=');
      std::replace(argument.begin(), end, '_', '-');
    }
    out.push_back(std::move(argument));
  }
  return out;
}

}  // namespace batholith
