#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace batholith {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError };

// One line on standard error: time, level, message, and fields as key="value". From any thread.
// Never inside a session: what it has to say is in its result. What steers a terminal is escaped,
// and addresses go without their passwords (api/printable.h, api/url_text.h).
void Log(LogLevel level, std::string_view message,
         std::initializer_list<std::pair<std::string_view, std::string>> fields = {});

// The same at any level, for a thread that must go on: where nobody reads standard error the line
// is dropped, and another thread that is stuck in Log does not matter.
void LogWithoutWaiting(LogLevel level, std::string_view message,
                       std::initializer_list<std::pair<std::string_view, std::string>> fields = {});

void SetLogLevel(LogLevel level);
LogLevel CurrentLogLevel();

}  // namespace batholith
