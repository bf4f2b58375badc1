#include "client/watch/watch.h"

#include <algorithm>
#include <utility>

#include "client/watch/watch_query.h"
#include "client/watch/watch_state.h"

namespace batholith {
namespace {

constexpr std::size_t kMostEvent = std::size_t{64} << 20U;
constexpr std::size_t kMostRefusal = std::size_t{64} << 10U;
constexpr std::chrono::seconds kListTimeout{120};

constexpr long kOk = 200;
constexpr long kBadRequest = 400;
constexpr long kUnprocessable = 422;

}  // namespace

void Watch::State::Start() {
  client_.Post(Guarded([](State& self) { self.Begin(); }));
}

void Watch::State::Stop() {
  stopped_ = true;
  Abandon();
}

void Watch::State::Abandon() {
  if (!lease_.expired()) client_.Cancel(token_);
  lease_.reset();
}

void Watch::State::Begin() {
  if (!version_.empty()) {
    Open(Phase::kWatching);
    return;
  }
  if (!state_) SetState(WatchState::kSyncing, "");
  if (stopped_) return;
  known_.BeginRound();
  if (options_.stream_list) {
    Open(Phase::kInitial);
  } else {
    List("");
  }
}

void Watch::State::List(const std::string& continue_token) {
  verb_ = "list";
  HttpRequest request;
  request.path = ListQuery(target_, options_.page_size, continue_token, is_expired_);
  request.accept = AcceptFor(options_.protobuf && target_.built_in, /*is_watch=*/false);
  request.timeout = kListTimeout;
  lease_.reset();
  token_ = 0;
  client_.Send(std::move(request),
               Guarded([is_first = continue_token.empty()](State& self, const HttpResult& result) {
                 self.OnPage(result, is_first);
               }));
}

void Watch::State::OnPage(const HttpResult& result, bool is_first) {
  if (!result) {
    Fail(result.error().message);
    return;
  }
  if (listener_.on_alive) listener_.on_alive();
  const WatchEncoding encoding = EncodingOf(result->content_type);
  if (result->status != kOk) {
    // Pages that take longer than the server keeps a version never end: then the whole at once.
    const KubeStatus status = ReadStatusBody(encoding, result->status, result->body);
    if (status.is_expired && !is_first) options_.page_size = 0;
    Refused(status, result->retry_after);
    return;
  }
  Result<KubeList> page = DecodeListPage(encoding, result->body);
  if (!page) {
    Fail("list: " + page.error().message);
    return;
  }
  for (boost::json::value& item : page->items) {
    if (!Put(std::move(item))) return;
  }
  if (!page->continue_token.empty()) {
    List(page->continue_token);
    return;
  }
  version_ = page->resource_version;
  Synced();
  if (!stopped_) Open(Phase::kWatching);
}

void Watch::State::Open(Phase phase) {
  verb_ = "watch";
  stream_ = Stream();
  stream_.phase = phase;
  const std::chrono::milliseconds least = options_.min_watch;
  const auto timeout = std::chrono::floor<std::chrono::seconds>(backoff_.Between(least, 2 * least));
  HttpRequest request;
  request.path = phase == Phase::kInitial ? InitialWatchQuery(target_, timeout)
                                          : WatchQuery(target_, version_, timeout);
  request.accept = AcceptFor(options_.protobuf && target_.built_in, /*is_watch=*/true);
  request.limited = false;
  lease_.reset();
  token_ = client_.Stream(
      std::move(request),
      {.on_begin = Guarded([](State& self, const HttpReply& reply) { self.OnBegin(reply); }),
       .on_data = Guarded([](State& self, std::string_view data) { self.OnData(data); }),
       .on_end = Guarded(
           [](State& self, const std::optional<HttpFailure>& failure) { self.OnEnd(failure); })});
}

void Watch::State::OnBegin(const HttpReply& reply) {
  stream_.status = reply.status;
  stream_.retry_after = reply.retry_after;
  stream_.encoding = EncodingOf(reply.content_type);
  stream_.begun_at = std::chrono::steady_clock::now();
  if (reply.status != kOk) return;
  stream_.frames.emplace(FramingOf(stream_.encoding), kMostEvent);
  if (listener_.on_alive) listener_.on_alive();
  if (!stopped_ && stream_.phase == Phase::kWatching) SetState(WatchState::kSynced, "");
}

void Watch::State::OnData(std::string_view data) {
  if (!stream_.frames) {
    stream_.refusal +=
        data.substr(0, kMostRefusal - std::min(kMostRefusal, stream_.refusal.size()));
    return;
  }
  if (listener_.on_alive) listener_.on_alive();
  if (stopped_) return;
  const Result<void> fed =
      stream_.frames->Feed(data, [this](std::string_view frame) { return OnEvent(frame); });
  if (!fed) Relist(WatchState::kFailing, "watch: " + fed.error().message);
}

void Watch::State::OnEnd(const std::optional<HttpFailure>& failure) {
  if (stream_.status != 0 && !stream_.frames) {
    const KubeStatus status = ReadStatusBody(stream_.encoding, stream_.status, stream_.refusal);
    const bool is_no_stream_list = status.code == kBadRequest || status.code == kUnprocessable;
    if (is_no_stream_list && stream_.phase == Phase::kInitial) {
      options_.stream_list = false;
      Begin();
      return;
    }
    Refused(status, stream_.retry_after);
    return;
  }
  if (stream_.frames) {
    const auto lasted = std::chrono::steady_clock::now() - stream_.begun_at;
    backoff_.Lasted(std::chrono::floor<std::chrono::milliseconds>(lasted));
  }
  if (failure) {
    Fail(failure->message);
  } else if (stream_.frames && stream_.frames->pending() > 0) {
    Fail("watch: the server ended it inside an event");
  } else {
    OnCleanEnd();
  }
}

// Servers end every watch in order when its time is over. One that ends them at once would be asked
// without a pause.
void Watch::State::OnCleanEnd() {
  if (stream_.phase == Phase::kInitial) {
    NoStreamList();
    return;
  }
  const auto lasted = std::chrono::steady_clock::now() - stream_.begun_at;
  Wait(lasted >= options_.first_backoff ? std::chrono::milliseconds(0) : backoff_.Next());
}

// The server took it for a watch, whose first events are no list.
void Watch::State::NoStreamList() {
  options_.stream_list = false;
  Wait(backoff_.Next());
}

Watch::Watch(HttpClient& client, WatchTarget target, WatchOptions options, WatchListener listener)
    : state_(std::make_shared<State>(client, std::move(target), options, std::move(listener))) {}

Watch::~Watch() { state_->Stop(); }

void Watch::Start() { state_->Start(); }

void Watch::Heard(const boost::json::value& object) { state_->Heard(object); }

const char* WatchStateName(WatchState state) {
  switch (state) {
    case WatchState::kSyncing:
      return "syncing";
    case WatchState::kSynced:
      return "synced";
    case WatchState::kMissing:
      return "missing";
    case WatchState::kForbidden:
      return "forbidden";
    case WatchState::kFailing:
      return "failing";
  }
  return "";
}

}  // namespace batholith
