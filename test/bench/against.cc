#include "test/bench/against.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/json.hpp>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "test/bench/statistics.h"

extern char** environ;

namespace batholith::bench {
namespace {

namespace json = boost::json;

struct Output {
  std::string text;
  double cpu_seconds = 0;  // of the whole process
};

double SecondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// What a child printed. Errors: it cannot be started, or did not end with status 0.
Result<Output> OutputOf(const std::string& program, std::vector<std::string> flags) {
  flags.insert(flags.begin(), program);
  std::vector<char*> words;
  for (std::string& flag : flags) words.push_back(flag.data());
  words.push_back(nullptr);
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return Invalid("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  Output out;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = read(pipe_ends[0], buffer.data(), buffer.size())) > 0;)
    out.text.append(buffer.data(), static_cast<std::size_t>(got));
  close(pipe_ends[0]);
  if (failed != 0) return Invalid(fmt::format("cannot run {}", program));
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return Invalid(fmt::format("{} did not end well (status {})", program, status));
  out.cpu_seconds = SecondsOf(usage.ru_utime) + SecondsOf(usage.ru_stime);
  return out;
}

// The line of a session_bench.
Result<json::object> ParseLine(const std::string& program, const std::string& text) {
  try {
    return json::parse(text).as_object();
  } catch (const std::exception&) {
    return Invalid(fmt::format("{} did not print a line of JSON", program));
  }
}

// The figures of one program over all pairs.
struct Side {
  std::string program;
  std::vector<double> seconds, cpu, process_cpu, rss;
  json::object last;

  Result<void> Run(const std::vector<std::string>& flags) {
    const Result<Output> output = OutputOf(program, flags);
    if (!output) return std::unexpected(output.error());
    Result<json::object> line = ParseLine(program, output->text);
    if (!line) return std::unexpected(line.error());
    process_cpu.push_back(output->cpu_seconds);
    last = std::move(*line);
    seconds.push_back(last.at("seconds").at("median").to_number<double>());
    rss.push_back(last.at("peak_rss_bytes").to_number<double>());
    // An older program does not tell it.
    if (last.contains("cpu_seconds"))
      cpu.push_back(last.at("cpu_seconds").at("median").to_number<double>());
    return {};
  }

  json::object Report() const {
    json::object out{{"program", program}, {"seconds", Spread(seconds)}};
    if (!cpu.empty()) out["cpu_seconds"] = Spread(cpu);
    out["peak_rss_bytes"] = Spread(rss);
    for (const char* name : {"placed", "evicted", "decisions"}) {
      if (last.contains(name)) out[name] = last.at(name);
    }
    return out;
  }
};

json::object RatiosOf(const std::vector<double>& ours, const std::vector<double>& others) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.size(); ++i) ratios.push_back(ours[i] / others[i]);
  return Spread(std::move(ratios));
}

bool DecideAlike(const json::object& ours, const json::object& other) {
  for (const char* name : {"placed", "evicted", "decisions"}) {
    if (ours.contains(name) && other.contains(name) && ours.at(name) != other.at(name))
      return false;
  }
  return true;
}

}  // namespace

Result<bool> RunAgainst(const Settings& settings) {
  std::vector<std::string> flags = settings.child_flags;
  flags.insert(flags.end(), {"--repeat", std::to_string(settings.each)});
  Side ours{"/proc/self/exe", {}, {}, {}, {}, {}};
  std::array<char, 4096> path{};
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  if (length > 0) ours.program.assign(path.data(), static_cast<std::size_t>(length));
  Side other{settings.against, {}, {}, {}, {}, {}};
  for (std::size_t pair = 0; pair < settings.measure.repeat; ++pair) {
    for (Side* side : {&ours, &other}) {
      const Result<void> run = side->Run(flags);
      if (!run) return std::unexpected(run.error());
    }
  }
  const bool alike = DecideAlike(ours.last, other.last);
  json::object out{{"scenario", settings.scenario},
                   {"flags", json::value_from(settings.child_flags)},
                   {"pairs", settings.measure.repeat},
                   {"each", settings.each},
                   {"this", ours.Report()},
                   {"other", other.Report()},
                   {"ratio", RatiosOf(ours.seconds, other.seconds)}};
  if (!ours.cpu.empty() && ours.cpu.size() == other.cpu.size())
    out["cpu_ratio"] = RatiosOf(ours.cpu, other.cpu);
  // The making of the cluster included, for programs that tell no time of a session's.
  out["process_cpu_ratio"] = RatiosOf(ours.process_cpu, other.process_cpu);
  out["rss_ratio"] = RatiosOf(ours.rss, other.rss);
  out["same_decisions"] = alike;
  std::cout << json::serialize(out) << std::endl;
  return alike;
}

}  // namespace batholith::bench
