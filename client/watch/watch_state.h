#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "client/http/backoff.h"
#include "client/watch/known_objects.h"
#include "client/watch/watch.h"
#include "client/watch/watch_events.h"
#include "client/watch/watch_frames.h"

namespace batholith {

// What a watch is at. One thing is on its way at a time: a page, a stream, or a wait for the next
// try. What is given to the client holds this weakly, and a lease: once the lease is gone, so is
// what was on its way, and perhaps the client.
class Watch::State : public std::enable_shared_from_this<State> {
 public:
  State(HttpClient& client, WatchTarget target, WatchOptions options, WatchListener listener)
      : client_(client),
        target_(std::move(target)),
        options_(options),
        listener_(std::move(listener)),
        backoff_(options.first_backoff, options.max_backoff, options.seed) {}

  void Start();
  void Stop();
  void Heard(const boost::json::value& object);

 private:
  // What a stream is for.
  enum class Phase { kInitial, kWatching };
  struct Stream {
    Phase phase = Phase::kWatching;
    long status = 0;
    std::optional<std::chrono::seconds> retry_after;
    WatchEncoding encoding = WatchEncoding::kJson;
    std::optional<WatchFrames> frames;  // of a stream that was not refused
    std::string refusal;
    std::chrono::steady_clock::time_point begun_at;
  };

  // Does nothing once the watch is stopped, also when it was gone before the client's turn came.
  template <typename Call>
  auto Guarded(Call call) {
    auto lease = lease_.lock();
    if (lease == nullptr) lease_ = lease = std::make_shared<int>();
    return [weak = weak_from_this(), lease, call](auto&&... arguments) {
      const std::shared_ptr<State> self = weak.lock();
      if (self != nullptr && !self->stopped_)
        call(*self, std::forward<decltype(arguments)>(arguments)...);
    };
  }
  void Abandon();

  // watch.cc: requests and their answers.
  void Begin();
  void List(const std::string& continue_token);
  void OnPage(const HttpResult& result, bool is_first);
  void Open(Phase phase);
  void OnBegin(const HttpReply& reply);
  void OnData(std::string_view data);
  void OnEnd(const std::optional<HttpFailure>& failure);
  void OnCleanEnd();
  void NoStreamList();

  // watch_state.cc: what the answers say. What gives a bool is false where the stream is not read
  // on.
  bool OnEvent(std::string_view frame);
  bool OnBookmark(const ObjectHead& head);
  void OnError(const KubeStatus& status);
  bool Put(boost::json::value&& object);
  void TellGone(const KnownObjects::Gone& gone);
  void Synced();

  void Refused(const KubeStatus& status, std::optional<std::chrono::seconds> retry_after);
  void Missing(const std::string& why);
  void Relist(WatchState state, const std::string& why);
  void Fail(const std::string& why, std::optional<std::chrono::seconds> retry_after = {});
  void LookAgain();
  void Wait(std::chrono::milliseconds delay);
  void SetState(WatchState state, const std::string& why);

  HttpClient& client_;
  const WatchTarget target_;
  WatchOptions options_;
  const WatchListener listener_;
  Backoff backoff_;
  KnownObjects known_;
  std::optional<WatchState> state_;
  std::string version_;      // to watch from; empty: a list is needed
  bool is_expired_ = false;  // a version that was known is gone: only the newest list will do
  bool missed_once_ = false;
  bool stopped_ = false;
  std::string verb_;  // of the request on its way, as a rule names it
  Stream stream_;
  HttpClient::Token token_ = 0;
  std::weak_ptr<void> lease_;
};

}  // namespace batholith
