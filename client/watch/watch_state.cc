#include "client/watch/watch_state.h"

#include <algorithm>

namespace batholith {
namespace {

constexpr std::chrono::seconds kLongestRetryAfter{300};

constexpr long kBadRequest = 400;
constexpr long kForbidden = 403;
constexpr long kUnprocessable = 422;
constexpr long kTooMany = 429;

}  // namespace

bool Watch::State::OnEvent(std::string_view frame) {
  Result<KubeWatchEvent> event = DecodeWatchEvent(stream_.encoding, frame);
  if (!event) {
    Relist(WatchState::kFailing, "watch: " + event.error().message);
    return false;
  }
  if (event->type == "ERROR") {
    OnError(ReadStatus(event->object));
    return false;
  }
  const bool is_bookmark = event->type == "BOOKMARK";
  const Result<ObjectHead> head = ReadHead(event->object, is_bookmark);
  if (!head) {
    Relist(WatchState::kFailing, "watch: " + event->type + ": " + head.error().message);
    return false;
  }
  if (is_bookmark) {
    if (!OnBookmark(*head)) return false;
  } else if (event->type == "DELETED") {
    TellGone(known_.Remove(head->key));
  } else if (event->type == "ADDED" || event->type == "MODIFIED") {
    if (!Put(std::move(event->object))) return false;
  } else {
    Relist(WatchState::kFailing, "watch: \"" + event->type + "\" is not a type of an event");
    return false;
  }
  // Initial events are in no order of their versions.
  if (stream_.phase == Phase::kWatching) version_ = head->version;
  return !stopped_;
}

bool Watch::State::OnBookmark(const ObjectHead& head) {
  if (stream_.phase == Phase::kWatching) return true;
  if (!head.ends_initial_events) {
    Abandon();
    NoStreamList();
    return false;
  }
  stream_.phase = Phase::kWatching;
  version_ = head.version;
  Synced();
  return !stopped_;
}

// Whatever ended the stream may come again at the same version.
void Watch::State::OnError(const KubeStatus& status) {
  Abandon();
  if (status.code != kTooMany) version_.clear();
  Refused(status, std::nullopt);
}

// False where the watch is stopped, or starts over because this is no object.
bool Watch::State::Put(boost::json::value&& object) {
  const Result<ObjectHead> head = ReadHead(object, /*is_bookmark=*/false);
  if (!head) {
    Relist(WatchState::kFailing, verb_ + ": " + head.error().message);
    return false;
  }
  const KnownObjects::Change change = known_.Put(*head);
  TellGone(change.gone);
  if (!stopped_ && change.is_news) listener_.on_put(std::move(object));
  return !stopped_;
}

void Watch::State::Heard(const boost::json::value& object) {
  if (stopped_) return;
  const Result<ObjectHead> head = ReadHead(object, /*is_bookmark=*/false);
  if (head && known_.Hear(*head)) listener_.on_put(boost::json::value(object));
}

void Watch::State::TellGone(const KnownObjects::Gone& gone) {
  for (const auto& [key, uid] : gone) {
    if (!stopped_) listener_.on_gone(key, uid);
  }
}

void Watch::State::Synced() {
  is_expired_ = false;
  missed_once_ = false;
  TellGone(known_.EndRound());
  if (!stopped_) SetState(WatchState::kSynced, "");
}

// What a request other than 200, or an ERROR event, leads to.
void Watch::State::Refused(const KubeStatus& status,
                           std::optional<std::chrono::seconds> retry_after) {
  const std::string said = std::to_string(status.code) + ": " + status.message;
  if (status.is_expired) {
    is_expired_ = true;
    Relist(WatchState::kSyncing, verb_ + ": " + said);
  } else if (status.code == kHttpNotFound) {
    Missing(said);
  } else if (status.code == kForbidden) {
    SetState(WatchState::kForbidden, "may not " + verb_ + " " + target_.resource +
                                         " (rules need get, list and watch): " + status.message);
    // A server that has just started says so too, until it has read its rules.
    if (!stopped_) Wait(backoff_.Next());
  } else {
    if (status.code == kBadRequest || status.code == kUnprocessable) version_.clear();
    Fail(verb_ + ": " + said, retry_after);
  }
}

// A server that has just started may not know its custom resources for a moment; all objects would
// seem to go away. So a kind that had some must be missing twice in a row.
void Watch::State::Missing(const std::string& why) {
  version_.clear();
  if (!known_.empty() && !std::exchange(missed_once_, true)) {
    Fail(verb_ + ": " + why);
    return;
  }
  TellGone(known_.RemoveAll());
  if (!stopped_) SetState(WatchState::kMissing, target_.path + " is not served: " + why);
  if (!stopped_) LookAgain();
}

void Watch::State::Relist(WatchState state, const std::string& why) {
  Abandon();
  version_.clear();
  SetState(state, why);
  if (!stopped_) Wait(backoff_.Next());
}

void Watch::State::Fail(const std::string& why, std::optional<std::chrono::seconds> retry_after) {
  SetState(WatchState::kFailing, why);
  if (stopped_) return;
  const std::chrono::milliseconds delay = backoff_.Next();
  const std::chrono::milliseconds asked =
      std::min(retry_after.value_or(std::chrono::seconds(0)), kLongestRetryAfter);
  // Whoever was told the same time does not come back at the same time.
  const auto later = backoff_.Between(std::chrono::milliseconds(0), options_.first_backoff);
  Wait(asked.count() > 0 ? std::max(delay, asked + later) : delay);
}

void Watch::State::LookAgain() {
  const std::chrono::milliseconds least =
      std::max<std::chrono::milliseconds>(options_.look_again, options_.first_backoff);
  Wait(backoff_.Between(least, least + least / 10));
}

void Watch::State::Wait(std::chrono::milliseconds delay) {
  lease_.reset();
  token_ = client_.After(delay, Guarded([](State& self) { self.Begin(); }));
}

void Watch::State::SetState(WatchState state, const std::string& why) {
  if (state_ == state) return;
  state_ = state;
  if (listener_.on_state) listener_.on_state(state, why.empty() ? "" : target_.kind + ": " + why);
}

}  // namespace batholith
