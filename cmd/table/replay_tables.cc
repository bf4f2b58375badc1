#include "cmd/table/replay_tables.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <iostream>

#include "api/time_text.h"
#include "cmd/output.h"
#include "codec/json/text.h"

namespace batholith {
namespace {

namespace json = boost::json;

void PrintTable(const SessionDump& dump, ReplayedSession session, bool all) {
  const std::size_t n = session.differences.size();
  const std::string verdict = dump.decisions.is_null() ? "nothing was recorded"
                              : n == 0                 ? "as recorded"
                              : n == 1                 ? "1 difference"
                                                       : std::to_string(n) + " differences";
  session.outcome.cycles = 1;
  std::cout << fmt::format("SESSION {} of {}: {}\n", dump.cycle, FormatTime(dump.now), verdict)
            << OutputTable(session.outcome, {.all = all, .ours = dump.scheduler_names});
  const auto shown = [](const std::optional<json::value>& value) {
    return value ? JsonText(*value) : "nothing";
  };
  if (n > 0) std::cout << "\nDIFFERENCES\n";
  for (const Difference& d : session.differences)
    std::cout << "  " << d.where << ": recorded " << shown(d.recorded) << ", now " << shown(d.now)
              << "\n";
  std::cout << "\n";
}

}  // namespace

void ReplayTables::Print(SessionDump dump, ReplayedSession session) {
  ++sessions_;
  recorded_ += dump.decisions.is_null() ? 0 : 1;
  different_ += session.differences.empty() ? 0 : 1;
  binds_ += session.outcome.binds.size();
  evictions_ += session.outcome.evictions.size();
  last_.reset();
  if (all_ || !session.differences.empty()) {
    progress_.Clear();
    PrintTable(dump, std::move(session), all_);
  } else {
    last_.emplace(std::move(dump), std::move(session));
    progress_.Tell(Summary());
  }
}

void ReplayTables::End() {
  progress_.Clear();
  if (last_) PrintTable(last_->first, std::move(last_->second), all_);
  std::cout << Summary() << "\n";
}

std::string ReplayTables::Summary() const {
  return fmt::format("{} session{}: {} as recorded, {} different; {} bound, {} evicted", sessions_,
                     sessions_ == 1 ? "" : "s", recorded_ - different_, different_, binds_,
                     evictions_);
}

}  // namespace batholith
