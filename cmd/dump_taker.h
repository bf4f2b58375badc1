#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "api/effect.h"
#include "api/result.h"
#include "codec/dump.h"

namespace batholith {

// One session, kept for somebody who writes it down elsewhere: nothing in it changes any more.
// While it lives no other one is taken.
struct TakenSession {
  SessionDump dump;  // without decisions
  std::shared_ptr<const CycleResult> result;
  std::shared_ptr<const void> turn;
};

// Who wants to have the next session, one at a time. Asked from any thread; all else is for the
// thread that schedules, which copies the records and does no more: what is made of them is made by
// whoever asked.
class DumpTaker {
 public:
  // Called once, on the asking or on the scheduling thread; must not block.
  using Done = std::function<void(Result<std::shared_ptr<TakenSession>>)>;

  // Errors, by `done`: kConflict (another one is under way), kUnavailable (there is no session).
  void Ask(Done done);
  bool is_asked() const;

  // What the next session started from. REQUIRES: is_asked(); nothing else changes its objects.
  void Keep(SessionDump dump);
  // What came of the session that was kept, if one was.
  void Hand(std::shared_ptr<const CycleResult> result);
  // There will be no session for who waits.
  void Refuse(const std::string& why);
  // Neither for those to come.
  void Close(const std::string& why);

 private:
  std::shared_ptr<TakenSession> TakeAsked(Done& done);

  mutable std::mutex mutex_;
  Done done_;                              // of who waits; empty: nobody does
  std::shared_ptr<TakenSession> waiting_;  // what they will have
  std::weak_ptr<const void> turn_;         // of the one that is under way
  std::string closed_;                     // why
};

}  // namespace batholith
