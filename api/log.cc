#include "api/log.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

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

// A field's value on one line: quotes and control characters are escaped.
std::string Quoted(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace

void Log(LogLevel level, std::string_view message,
         std::initializer_list<std::pair<std::string_view, std::string>> fields) {
  const auto at = LevelOf(level);
  if (!Logger().should_log(at)) return;
  std::string line(message);
  for (const auto& [key, value] : fields) line += fmt::format(" {}={}", key, Quoted(value));
  Logger().log(at, "{}", line);
}

void SetLogLevel(LogLevel level) { Logger().set_level(LevelOf(level)); }

LogLevel CurrentLogLevel() {
  for (const LogLevel level : {LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarning}) {
    if (Logger().level() <= LevelOf(level)) return level;
  }
  return LogLevel::kError;
}

}  // namespace batholith
