#include "api/log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <poll.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <chrono>
#include <climits>
#include <tuple>

#include "api/printable.h"
#include "api/url_text.h"

namespace batholith {
namespace {

spdlog::level::level_enum LevelOf(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

spdlog::logger& Logger() {
  static const auto logger = [] {
    auto made = spdlog::stderr_logger_mt("batholith");
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
    made->flush_on(spdlog::level::debug);
    return made;
  }();
  return *logger;
}

// A field's value on one line, in quotes: only what is between them is the value.
std::string Quoted(std::string_view value) {
  std::string out = "\"";
  for (const char c : OneLine(WithoutUrlSecrets(value))) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

using Fields = std::initializer_list<std::pair<std::string_view, std::string>>;

std::string LineOf(std::string_view message, Fields fields) {
  std::string line = OneLine(WithoutUrlSecrets(message));
  for (const auto& [key, value] : fields) line += fmt::format(" {}={}", key, Quoted(value));
  return line;
}

}  // namespace

void Log(LogLevel level, std::string_view message, Fields fields) {
  const auto at = LevelOf(level);
  if (Logger().should_log(at)) Logger().log(at, "{}", LineOf(message, fields));
}

void LogWithoutWaiting(LogLevel level, std::string_view message, Fields fields) {
  using namespace std::chrono;
  const auto now = time_point_cast<milliseconds>(system_clock::now());
  std::string line =
      fmt::format("{:%Y-%m-%dT%H:%M:}{:%S}Z {} ", fmt::gmtime(floor<seconds>(now)),
                  now.time_since_epoch(), spdlog::level::to_string_view(LevelOf(level)));
  line += LineOf(message, fields);
  // A pipe that can be written to has room for so much.
  line.resize(std::min<std::size_t>(line.size(), PIPE_BUF - 1));
  line += '\n';
  pollfd out{STDERR_FILENO, POLLOUT, 0};
  if (poll(&out, 1, 0) == 1 && (out.revents & POLLOUT) != 0)
    std::ignore = write(STDERR_FILENO, line.data(), line.size());
}

void SetLogLevel(LogLevel level) { Logger().set_level(LevelOf(level)); }

LogLevel CurrentLogLevel() {
  for (const LogLevel level : {LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarning}) {
    if (Logger().level() <= LevelOf(level)) return level;
  }
  return LogLevel::kError;
}

}  // namespace batholith
