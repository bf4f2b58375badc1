#include "client/http/http_loop.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include "api/check.h"

namespace batholith {
namespace {

constexpr long kMostStreams = 1000;  // on one connection, if the server allows as many
constexpr std::chrono::minutes kLongestPoll{1};

// Signals go to the program's own threads; a connection that breaks while it is written to must not
// end the program.
void BlockSignals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

HttpClient::Loop::Loop(ClusterAccess access, HttpOptions options)
    : access_(std::move(access)),
      options_(std::move(options)),
      credentials_(access_),
      limit_(options_.qps, options_.burst) {
  static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
  CHECK(initialised == CURLE_OK);
  multi_ = NewMulti();
  thread_ = std::jthread([this] { Run(); });
}

HttpClient::Loop::~Loop() {
  Stop();
  curl_multi_cleanup(multi_);
}

CURLM* HttpClient::Loop::NewMulti() {
  CURLM* const multi = curl_multi_init();
  CHECK(multi != nullptr);
  curl_multi_setopt(multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
  curl_multi_setopt(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, kMostStreams);
  return multi;
}

void HttpClient::Loop::Stop() {
  CHECK(!on_thread());
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    curl_multi_wakeup(multi_);
  }
  if (thread_.joinable()) thread_.join();
  plugin_.request_stop();
  if (plugin_.joinable()) plugin_.join();
  // What the callbacks hold goes away with them, and may still call Cancel.
  std::vector<std::move_only_function<void()>> posted;
  {
    const std::lock_guard lock(mutex_);
    posted.swap(posted_);
  }
  timers_ = Timers();
  while (!calls_.empty()) End(*calls_.begin()->second);
  DropEnded();
}

HttpClient::Token HttpClient::Loop::Send(HttpRequest request,
                                         std::function<void(HttpResult)> done) {
  auto call = std::make_unique<Call>();
  call->request = std::move(request);
  call->done = std::move(done);
  return Enqueue(std::move(call));
}

HttpClient::Token HttpClient::Loop::Stream(HttpRequest request, HttpStream stream) {
  auto call = std::make_unique<Call>();
  call->request = std::move(request);
  call->stream = std::move(stream);
  return Enqueue(std::move(call));
}

HttpClient::Token HttpClient::Loop::After(std::chrono::milliseconds delay,
                                          std::function<void()> work) {
  const Token token = next_token_++;
  const TimePoint due = std::chrono::steady_clock::now() + delay;
  OnThread([this, token, due, work = std::move(work)]() mutable {
    timers_.Add(token, due, std::move(work));
  });
  return token;
}

void HttpClient::Loop::Cancel(Token token) {
  OnThread([this, token] {
    timers_.Cancel(token);
    if (Call* const call = Find(token)) End(*call);
  });
}

void HttpClient::Loop::Post(std::move_only_function<void()> work) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;
  posted_.push_back(std::move(work));
  if (!on_thread()) curl_multi_wakeup(multi_);
}

// At once on the client's thread, so that what a callback does holds when its call returns.
void HttpClient::Loop::OnThread(std::move_only_function<void()> work) {
  if (on_thread()) {
    work();
  } else {
    Post(std::move(work));
  }
}

void HttpClient::Loop::Run() {
  thread_id_ = std::this_thread::get_id();
  BlockSignals();
  while (true) {
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) break;
    }
    RunPosted();
    RunTimers();
    StartReady();
    Perform();
    DropEnded();
    if (std::exchange(renew_connections_, false)) RenewConnections();
    curl_multi_poll(multi_, nullptr, 0, PollMilliseconds(), nullptr);
  }
  thread_id_ = std::thread::id();
}

void HttpClient::Loop::Perform() {
  int running = 0;
  curl_multi_perform(multi_, &running);
  int left = 0;
  while (const CURLMsg* const message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;
    Call* call = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &call);
    if (!call->ended) OnFinished(*call, code);
  }
}

void HttpClient::Loop::RunPosted() {
  std::vector<std::move_only_function<void()>> work;
  {
    const std::lock_guard lock(mutex_);
    work.swap(posted_);
  }
  for (std::move_only_function<void()>& one : work) one();
}

// Work that adds work which is due at once waits for the next round, so that answers are read too.
void HttpClient::Loop::RunTimers() {
  const TimePoint now = std::chrono::steady_clock::now();
  while (std::optional<std::function<void()>> work = timers_.TakeDue(now)) (*work)();
}

int HttpClient::Loop::PollMilliseconds() {
  {
    const std::lock_guard lock(mutex_);
    if (!posted_.empty() || stopping_) return 0;
  }
  if (!ready_.empty()) return 0;
  const TimePoint now = std::chrono::steady_clock::now();
  TimePoint until = now + kLongestPoll;
  if (!limited_.empty() && counted_ < kMostAtOnce) until = std::min(until, limit_.NextAt());
  if (const std::optional<TimePoint> due = timers_.NextAt()) until = std::min(until, *due);
  return static_cast<int>(
      std::chrono::ceil<std::chrono::milliseconds>(std::max(until, now) - now).count());
}

}  // namespace batholith
