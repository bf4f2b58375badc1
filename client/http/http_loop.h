#pragma once

#include <curl/curl.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "client/access/credentials.h"
#include "client/http/http.h"
#include "client/http/rate_limit.h"
#include "client/http/timers.h"
#include "client/http/transfer.h"

namespace batholith {

// The client's thread. Other threads hand it work through `Post`; everything else is touched by it
// alone. A call goes from `limited_` or `ready_`, perhaps through `waiting_`, onto the wire; from
// its end or its cancellation on it is in `ended_`, which keeps it until curl is inside none of its
// hooks any more.
class HttpClient::Loop {
 public:
  Loop(ClusterAccess access, HttpOptions options);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Ends the thread and drops everything without a callback. REQUIRES: not on the client's thread.
  void Stop();

  Token Send(HttpRequest request, std::function<void(HttpResult)> done);
  Token Stream(HttpRequest request, HttpStream stream);
  Token After(std::chrono::milliseconds delay, std::function<void()> work);
  void Cancel(Token token);
  void Post(std::move_only_function<void()> work);

  bool on_thread() const { return std::this_thread::get_id() == thread_id_; }

 private:
  using TimePoint = std::chrono::steady_clock::time_point;
  struct Call;

  // libcurl opens another connection for each request that finds no room on those that are there
  // (100 streams each with an API server). So many and the watches fit on one.
  static constexpr int kMostAtOnce = 64;

  // http_loop.cc: the thread, its queue and its timers.
  static CURLM* NewMulti();
  void Run();
  void Perform();
  void RunPosted();
  void RunTimers();
  void OnThread(std::move_only_function<void()> work);
  int PollMilliseconds();

  // http_calls.cc: what becomes of a call.
  Token Enqueue(std::unique_ptr<Call> call);
  void StartReady();
  void Start(Call& call);
  void PutOnWire(Call& call, std::shared_ptr<const Credential> credential);
  void RunPlugin();
  void PluginEnded(Result<ExecCredential> fetched);
  bool OnBegin(Call& call);
  bool OnData(Call& call, std::string_view data);
  void OnFinished(Call& call, CURLcode code);
  bool TriesAgain(Call& call);
  void Succeed(Call& call);
  void Fail(Call& call, bool sent, const std::string& why);
  void End(Call& call);
  void DropEnded();
  Call* Find(Token token);

  // http_silence.cc: what is done where nothing comes.
  void SetDeadline(Call& call);
  void SetIdleTimer(Call& call);
  void ExpectHttp2();
  void CheckHttp2();
  void RenewConnections();

  const ClusterAccess access_;
  const HttpOptions options_;
  Credentials credentials_;
  RateLimit limit_;
  Timers timers_;
  std::map<Token, std::unique_ptr<Call>> calls_;
  std::vector<std::unique_ptr<Call>> ended_;
  std::deque<Token> limited_;   // wait for the rate limit, and while too many are on their way
  std::deque<Token> ready_;     // may start
  std::vector<Token> waiting_;  // for the plugin's credentials
  int counted_ = 0;             // of limited calls, those on their way
  bool plugin_runs_ = false;
  bool http2_is_checked_ = false;
  bool renew_connections_ = false;
  TimePoint heard_at_;  // a byte of any answer
  std::atomic<Token> next_token_{1};
  std::atomic<std::thread::id> thread_id_;

  std::mutex mutex_;  // of what follows; the thread itself may read multi_ without
  CURLM* multi_;
  std::vector<std::move_only_function<void()>> posted_;
  bool stopping_ = false;

  std::jthread plugin_;
  std::jthread thread_;
};

// One request of a user. A call of Send has `done`, one of Stream the rest.
struct HttpClient::Loop::Call {
  Token token = 0;
  HttpRequest request;
  std::function<void(HttpResult)> done;
  HttpStream stream;
  bool begun = false;    // the answer's headers are there
  bool refused = false;  // the answer is a 401 that will be tried again
  bool retried = false;
  bool ended = false;
  bool counted = false;
  Token timer = 0;  // the deadline, then the idle timer of a stream
  TimePoint heard_at;
  std::string body;
  std::unique_ptr<Transfer> transfer;

  bool is_stream() const { return done == nullptr; }
  bool is_on_http2() const { return begun && transfer != nullptr && transfer->is_http2(); }
};

}  // namespace batholith
