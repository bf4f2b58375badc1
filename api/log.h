#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace batholith {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError };

// One line on standard error: time, level, message, and fields as key="value". From any thread.
// Never inside a session: what it has to say is in its result.
void Log(LogLevel level, std::string_view message,
         std::initializer_list<std::pair<std::string_view, std::string>> fields = {});

void SetLogLevel(LogLevel level);
LogLevel CurrentLogLevel();

}  // namespace batholith
