#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cmd/decision_text.h"
#include "cmd/dump_taker.h"
#include "cmd/status_request.h"
#include "codec/dump_text.h"
#include "scheduler/run_outcome.h"

namespace batholith {

// The text of a taken session, part by part. All that costs is done by Next, on the thread of
// whoever sends it.
class SnapshotText {
 public:
  explicit SnapshotText(std::shared_ptr<TakenSession> session) : session_(std::move(session)) {}
  SnapshotText(const SnapshotText&) = delete;
  SnapshotText& operator=(const SnapshotText&) = delete;

  // Empty: that was all.
  std::string Next(std::size_t bytes);

 private:
  std::shared_ptr<TakenSession> session_;
  RunOutcome outcome_;
  std::optional<DecisionText> decisions_;
  std::optional<DumpText> text_;
};

// How /debug/snapshot answers whoever asked the taker.
DumpTaker::Done AnswerWithSnapshot(std::function<void(StatusReply)> answer);

}  // namespace batholith
