#include "cmd/session_health.h"

#include <fmt/format.h>

#include <exception>

#include "api/log.h"

namespace batholith {

std::string SessionHealth::Trouble::Text(Clock::time_point now) const {
  return fmt::format("{} session{} in a row failed, since {} s: {}", sessions,
                     sessions == 1 ? "" : "s",
                     std::chrono::duration_cast<std::chrono::seconds>(now - since).count(), why);
}

void SessionHealth::Try(const std::function<void()>& session,
                        const std::function<void(const Trouble&)>& on_failure) {
  std::string why;
  try {
    session();
    const std::lock_guard lock(mutex_);
    trouble_ = {};
    return;
  } catch (const std::exception& e) {
    why = e.what();
  }
  {
    const std::lock_guard lock(mutex_);
    trouble_.is_new = trouble_.sessions == 0 || trouble_.why != why;
    if (trouble_.sessions++ == 0) trouble_.since = Clock::now();
    trouble_.why = why;
  }
  if (trouble().is_new)
    Log(LogLevel::kError, "a session failed and decided nothing", {{"why", why}});
  if (on_failure) on_failure(trouble());
}

SessionHealth::Trouble SessionHealth::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

}  // namespace batholith
