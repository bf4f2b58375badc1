#include <algorithm>
#include <utility>

#include "client/http/http_loop.h"
#include "codec/json/field.h"

namespace batholith {
namespace {

constexpr std::size_t kMostBody = std::size_t{1} << 30U;
constexpr long kUnauthorized = 401;

}  // namespace

HttpClient::Token HttpClient::Loop::Enqueue(std::unique_ptr<Call> call) {
  const Token token = next_token_++;
  call->token = token;
  OnThread([this, call = std::move(call)]() mutable {
    (call->request.limited ? limited_ : ready_).push_back(call->token);
    calls_.emplace(call->token, std::move(call));
  });
  return token;
}

HttpClient::Loop::Call* HttpClient::Loop::Find(Token token) {
  const auto entry = calls_.find(token);
  return entry == calls_.end() ? nullptr : entry->second.get();
}

void HttpClient::Loop::StartReady() {
  const TimePoint now = std::chrono::steady_clock::now();
  while (!limited_.empty() && counted_ < kMostAtOnce) {
    if (Call* const call = Find(limited_.front())) {
      if (!limit_.Take(now)) break;
      call->counted = true;
      ++counted_;
      ready_.push_back(call->token);
    }
    limited_.pop_front();
  }
  // A callback of one that fails at once may add others.
  for (std::size_t n = ready_.size(); n > 0; --n) {
    Call* const call = Find(ready_.front());
    ready_.pop_front();
    if (call != nullptr) Start(*call);
  }
}

void HttpClient::Loop::Start(Call& call) {
  if (call.request.may_send && !call.request.may_send()) return Fail(call, false, kNotLeading);
  if (call.timer == 0) SetDeadline(call);
  Result<std::shared_ptr<const Credential>> credential =
      credentials_.Current(std::chrono::system_clock::now());
  if (!credential) {
    Fail(call, false, credential.error().message);
  } else if (*credential != nullptr) {
    PutOnWire(call, *std::move(credential));
  } else {
    waiting_.push_back(call.token);
    RunPlugin();
  }
}

void HttpClient::Loop::PutOnWire(Call& call, std::shared_ptr<const Credential> credential) {
  Transfer::Hooks hooks{.on_begin = [this, &call] { return OnBegin(call); },
                        .on_data = [this, &call](std::string_view d) { return OnData(call, d); }};
  call.transfer = std::make_unique<Transfer>(access_, options_, call.request, std::move(credential),
                                             std::move(hooks));
  curl_easy_setopt(call.transfer->handle(), CURLOPT_PRIVATE, &call);
  const CURLMcode code = curl_multi_add_handle(multi_, call.transfer->handle());
  if (code != CURLM_OK) Fail(call, false, curl_multi_strerror(code));
}

// A program may take seconds; answers are read meanwhile.
void HttpClient::Loop::RunPlugin() {
  if (std::exchange(plugin_runs_, true)) return;
  plugin_ = std::jthread([this](const std::stop_token& stop) {
    std::stop_source either;
    const std::stop_callback client_ends(stop, [&either] { either.request_stop(); });
    const std::stop_callback process_ends(options_.stop_plugin,
                                          [&either] { either.request_stop(); });
    auto fetched =
        std::make_shared<Result<ExecCredential>>(RunExecPlugin(access_, either.get_token()));
    Post([this, fetched] { PluginEnded(*std::move(fetched)); });
  });
}

void HttpClient::Loop::PluginEnded(Result<ExecCredential> fetched) {
  plugin_runs_ = false;
  if (fetched) credentials_.Store(*std::move(fetched), std::chrono::system_clock::now());
  for (const Token token : std::exchange(waiting_, {})) {
    Call* const call = Find(token);
    if (call == nullptr) continue;
    if (fetched) {
      ready_.push_back(token);
    } else {
      Fail(*call, false, fetched.error().message);
    }
  }
}

bool HttpClient::Loop::OnBegin(Call& call) {
  if (call.ended) return false;
  heard_at_ = call.heard_at = std::chrono::steady_clock::now();
  call.refused =
      call.transfer->reply().status == kUnauthorized && !call.retried && credentials_.renewable();
  if (call.refused) return true;
  call.begun = true;
  if (call.is_on_http2()) ExpectHttp2();
  if (!call.is_stream()) return true;
  timers_.Cancel(std::exchange(call.timer, 0));
  SetIdleTimer(call);
  call.stream.on_begin(call.transfer->reply());
  return !call.ended;
}

bool HttpClient::Loop::OnData(Call& call, std::string_view data) {
  if (call.ended) return false;
  heard_at_ = call.heard_at = std::chrono::steady_clock::now();
  if (call.is_stream()) {
    if (!call.refused) call.stream.on_data(data);
    return !call.ended;
  }
  if (call.body.size() + data.size() > kMostBody) return false;
  call.body += data;
  return true;
}

void HttpClient::Loop::OnFinished(Call& call, CURLcode code) {
  if (call.refused && TriesAgain(call)) return;
  if (code == CURLE_OK || call.refused) {
    Succeed(call);
  } else if (code == CURLE_WRITE_ERROR && !call.is_stream()) {
    Fail(call, true, "the answer is larger than 1 GB");
  } else {
    Fail(call, call.transfer->sent(), call.transfer->Describe(code));
  }
}

bool HttpClient::Loop::TriesAgain(Call& call) {
  call.retried = true;
  if (!credentials_.Refused(call.transfer->credential(), std::chrono::system_clock::now()))
    return false;
  call.refused = false;
  call.body.clear();
  curl_multi_remove_handle(multi_, call.transfer->handle());
  call.transfer.reset();
  ready_.push_back(call.token);
  return true;
}

void HttpClient::Loop::Succeed(Call& call) {
  HttpReply reply = std::move(call.transfer->reply());
  if (!call.is_stream()) reply.body = std::move(call.body);
  const bool begins_late = call.is_stream() && !call.begun;  // a 401 that nothing can mend
  End(call);
  if (!call.is_stream()) {
    call.done(std::move(reply));
    return;
  }
  if (begins_late) call.stream.on_begin(reply);
  call.stream.on_end(std::nullopt);
}

void HttpClient::Loop::Fail(Call& call, bool sent, const std::string& why) {
  const std::string path = call.request.path.substr(0, call.request.path.find('?'));
  HttpFailure failure{sent,
                      call.request.method + " " + access_.server + Printable(path) + ": " + why};
  End(call);
  if (call.is_stream()) {
    call.stream.on_end(std::move(failure));
  } else {
    call.done(std::unexpected(std::move(failure)));
  }
}

void HttpClient::Loop::End(Call& call) {
  call.ended = true;
  if (call.counted) --counted_;
  timers_.Cancel(call.timer);
  const auto entry = calls_.find(call.token);
  ended_.push_back(std::move(entry->second));
  calls_.erase(entry);
}

// REQUIRES: curl is not at work. What a callback holds may end others while it goes away.
void HttpClient::Loop::DropEnded() {
  while (!ended_.empty()) {
    for (const std::unique_ptr<Call>& call : std::exchange(ended_, {})) {
      if (call->transfer != nullptr) curl_multi_remove_handle(multi_, call->transfer->handle());
    }
  }
}

}  // namespace batholith
