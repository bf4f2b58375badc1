#include "client/write/write_once.h"

#include <algorithm>
#include <utility>

#include "client/http/reply.h"
#include "client/http/wait.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr long kBusy = 429;

// What was sent so far.
struct Sent {
  int writes = 0;
  int looks = 0;
  int refused_looks = 0;
};

WriteOutcome Done() { return {.done = true}; }

WriteOutcome NotDone(std::string why, long status = 0) {
  return {.why = std::move(why), .status = status};
}

Finding Never(std::string why) { return {Finding::Kind::kNever, std::move(why)}; }

bool IsLast(const WritePolicy& policy, int tries) {
  return policy.tries > 0 && tries >= policy.tries;
}

bool IsBusy(const HttpResult& result) { return result && result->status == kBusy; }

std::chrono::milliseconds PauseAfter(const WritePolicy& policy, const Sent& sent,
                                     std::chrono::milliseconds at_least) {
  const int times = std::min(sent.writes + sent.looks, 10);
  const auto backoff = std::min(policy.max_backoff, policy.first_backoff * (1 << times));
  return std::max(backoff, at_least);
}

// Reads the object until the server shows it, or says that it never will.
Task<Finding> LookUp(HttpClient& client, const WriteRequest& write, const WritePolicy& policy,
                     Sent& sent, const std::string& trouble) {
  while (policy.may_send()) {
    HttpRequest request;
    request.path = write.look_at;
    request.timeout = policy.timeout;
    ++sent.looks;
    Wait<HttpResult> reply = Reply(client, std::move(request));
    const HttpResult result = co_await reply;
    if (result && result->status == kHttpNotFound) co_return write.judge(nullptr);
    // Who may not read the object will not know it later either: events tell what became of it.
    if (KindOfReply(result) == ReplyKind::kRefused && IsLast(policy, ++sent.refused_looks))
      co_return Never(trouble + "; GET: " + TroubleOf(result));
    const bool is_shown = result && result->status == 200;
    if (is_shown) {
      const Result<json::value> object = BodyOf(*result);
      if (object) co_return write.judge(&*object);
    }
    const auto at_least = is_shown ? std::chrono::milliseconds(0) : RetryAfterOf(result);
    Wait<std::monostate> pause = Pause(client, PauseAfter(policy, sent, at_least));
    co_await pause;
  }
  co_return Never(kNotLeading);
}

enum class Next : std::uint8_t { kAgain, kLook, kGiveUp };

// What follows a write that was not answered with success. `maybe`: one of the writes so far came
// back without its outcome.
Next NextAfter(const WriteRequest& write, ReplyKind kind, bool is_last, bool maybe) {
  if (write.look_at.empty())
    return kind == ReplyKind::kRefused || is_last ? Next::kGiveUp : Next::kAgain;
  // 404: the object is gone, or its namespace. 409 says any of: done already, being deleted,
  // another uid. And a time-out says nothing at all.
  if (kind == ReplyKind::kRefused || kind == ReplyKind::kUnknown) return Next::kLook;
  if (!is_last) return Next::kAgain;
  return maybe ? Next::kLook : Next::kGiveUp;
}

}  // namespace

Task<WriteOutcome> WriteOnce(HttpClient& client, WriteRequest write, WritePolicy policy) {
  Sent sent;
  bool maybe = false;  // a write came back without its outcome
  // A leader that lost its lease sends nothing more. What it sent already is looked up by whoever
  // leads next, from the objects themselves.
  while (policy.may_send()) {
    HttpRequest request = write.request;
    request.may_send = policy.may_send;
    request.timeout = policy.timeout;
    ++sent.writes;
    const auto began = std::chrono::steady_clock::now();
    Wait<HttpResult> reply = Reply(client, std::move(request));
    const HttpResult result = co_await reply;
    if (result && write.took)
      write.took(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    const ReplyKind kind = KindOfReply(result);
    if (kind == ReplyKind::kAccepted) co_return Done();
    const std::string trouble = TroubleOf(result);
    if (write.busy_is_no && IsBusy(result)) co_return NotDone(trouble);
    // A 503 may come from a proxy that had passed the request on.
    if (kind == ReplyKind::kUnknown || (kind == ReplyKind::kLater && !IsBusy(result))) maybe = true;
    const bool is_last = IsLast(policy, sent.writes);
    const Next next = NextAfter(write, kind, is_last, maybe);
    const long refused = kind == ReplyKind::kRefused ? result->status : 0;
    if (next == Next::kGiveUp) co_return NotDone(trouble, refused);
    std::chrono::milliseconds at_least = RetryAfterOf(result);
    if (next == Next::kLook) {
      Task<Finding> look = LookUp(client, write, policy, sent, trouble);
      const Finding finding = co_await look;
      if (finding.kind == Finding::Kind::kWritten) co_return Done();
      if (finding.kind == Finding::Kind::kNever) co_return NotDone(finding.why);
      // A uid in the write makes a second try safe.
      if (refused != 0 || is_last) co_return NotDone(trouble, refused);
      at_least = std::chrono::milliseconds(0);
    }
    Wait<std::monostate> pause = Pause(client, PauseAfter(policy, sent, at_least));
    co_await pause;
  }
  co_return NotDone(kNotLeading);
}

}  // namespace batholith
