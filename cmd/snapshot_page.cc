#include "cmd/snapshot_page.h"

#include <utility>

#include "cmd/session_dump.h"

namespace batholith {
namespace {

// What a client is sent at once; a part takes about a millisecond to make.
constexpr std::size_t kPartBytes = 64 << 10;

}  // namespace

std::string SnapshotText::Next(std::size_t bytes) {
  if (!text_) {
    outcome_ = OutcomeOf(session_->dump.cycle, session_->dump.objects, *session_->result);
    decisions_.emplace(outcome_);
    text_.emplace(session_->dump, [this](std::size_t more) { return decisions_->Next(more); });
  }
  return text_->Next(bytes);
}

DumpTaker::Done AnswerWithSnapshot(std::function<void(StatusReply)> answer) {
  return [answer = std::move(answer)](Result<std::shared_ptr<TakenSession>> session) {
    if (!session) {
      const bool busy = session.error().code == ErrorCode::kConflict;
      return answer({.status = busy ? 429 : 503, .text = session.error().message + "\n"});
    }
    const auto text = std::make_shared<SnapshotText>(*std::move(session));
    answer({.content_type = "application/x-ndjson",
            .more = [text] { return text->Next(kPartBytes); }});
  };
}

}  // namespace batholith
