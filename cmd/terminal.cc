#include "cmd/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace batholith {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBefore{500};  // what is quicker needs no line
constexpr std::chrono::milliseconds kBetween{200};

std::string_view FromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Past the streams, which would show what steers a terminal.
void Write(const std::string& text) {
  [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

bool IsTerminal(int fd) { return isatty(fd) == 1; }

bool MayHaveColours(int fd) {
  return IsTerminal(fd) && FromEnvironment("NO_COLOR").empty() && FromEnvironment("TERM") != "dumb";
}

Progress::Progress() : on_(IsTerminal(STDERR_FILENO)), next_(Clock::now() + kBefore) {}

void Progress::Tell(const std::string& text) {
  if (!on_ || Clock::now() < next_) return;
  next_ = Clock::now() + kBetween;
  shown_ = true;
  Write("\r\x1b[K" + text);
}

void Progress::Clear() {
  if (shown_) Write("\r\x1b[K");
  shown_ = false;
}

}  // namespace batholith
