#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "cmd/session_dump.h"
#include "cmd/terminal.h"

namespace batholith {

// Sessions that were decided again, as tables on standard output: those that differ, the last one,
// and with `all` every one; then what all came to.
class ReplayTables {
 public:
  explicit ReplayTables(bool all) : all_(all) {}

  void Print(SessionDump dump, ReplayedSession session);
  void End();

 private:
  std::string Summary() const;

  const bool all_;
  Progress progress_;
  std::size_t sessions_ = 0, recorded_ = 0, different_ = 0, binds_ = 0, evictions_ = 0;
  std::optional<std::pair<SessionDump, ReplayedSession>> last_;  // where it was not printed
};

}  // namespace batholith
