#include "cmd/dump_taker.h"

#include <utility>

namespace batholith {
namespace {

std::unexpected<Error> NoSession(const std::string& why) {
  return std::unexpected(Error{ErrorCode::kUnavailable, why});
}

}  // namespace

void DumpTaker::Ask(Done done) {
  Error refusal;
  {
    const std::lock_guard lock(mutex_);
    if (closed_.empty() && turn_.expired()) {
      auto taken = std::make_shared<TakenSession>();
      taken->turn = std::make_shared<const int>();
      turn_ = taken->turn;
      waiting_ = std::move(taken);
      done_ = std::move(done);
      return;
    }
    refusal = closed_.empty()
                  ? Error{ErrorCode::kConflict, "another snapshot is under way; ask again later"}
                  : Error{ErrorCode::kUnavailable, closed_};
  }
  done(std::unexpected(refusal));
}

bool DumpTaker::is_asked() const {
  const std::lock_guard lock(mutex_);
  return done_ != nullptr;
}

void DumpTaker::Keep(SessionDump dump) {
  const std::lock_guard lock(mutex_);
  waiting_->dump = std::move(dump);
}

std::shared_ptr<TakenSession> DumpTaker::TakeAsked(Done& done) {
  const std::lock_guard lock(mutex_);
  done = std::exchange(done_, nullptr);
  return std::exchange(waiting_, nullptr);
}

void DumpTaker::Hand(std::shared_ptr<const CycleResult> result) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_ == nullptr || waiting_->dump.objects == nullptr) return;  // asked for just now
  }
  Done done;
  std::shared_ptr<TakenSession> taken = TakeAsked(done);
  taken->result = std::move(result);
  done(std::move(taken));
}

void DumpTaker::Refuse(const std::string& why) {
  Done done;
  if (const auto taken = TakeAsked(done)) done(NoSession(why));
}

void DumpTaker::Close(const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    closed_ = why;
  }
  Refuse(why);
}

}  // namespace batholith
