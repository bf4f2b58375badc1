#include "client/write/event_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <utility>

#include "api/time_text.h"
#include "api/utf8.h"
#include "client/http/json_request.h"
#include "client/http/reply.h"
#include "client/http/wait.h"
#include "client/write/without_numbers.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr std::chrono::minutes kQuiet{10};
constexpr std::size_t kLongestMessage = 1024;  // the API server's limits
constexpr std::size_t kLongestName = 253;

// The first bytes of a text, and no half of a character.
std::string Cut(const std::string& text, std::size_t most) {
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t next = end + std::max<std::size_t>(SequenceLength(text, end), 1);
    if (next > most) break;
    end = next;
  }
  return text.substr(0, end);
}

// Begins with the object's name, as events do, and is unlike any other.
std::string EventName(const std::string& object, std::uint64_t count) {
  const auto stamp = std::chrono::system_clock::now().time_since_epoch().count();
  const std::string end = fmt::format(".{:x}.{:x}", stamp, count);
  return object.substr(0, kLongestName - end.size()) + end;
}

}  // namespace

EventRecorder::EventRecorder(HttpClient& client, Options options)
    : client_(client), options_(std::move(options)), tokens_(options_.burst) {}

bool EventRecorder::TakeToken() {
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - filled_).count();
  tokens_ = std::min<double>(options_.burst, tokens_ + seconds * options_.per_second);
  filled_ = now;
  if (tokens_ < 1) return false;
  tokens_ -= 1;
  return true;
}

void EventRecorder::Record(const ObjectEvent& event) {
  if (!options_.may_send()) return;
  const auto now = Clock::now();
  if (now - swept_ > kQuiet) {
    std::erase_if(sent_, [&](const auto& entry) { return now - entry.second > kQuiet; });
    swept_ = now;
  }
  const Key key{event.uid, event.reason,
                event.numbers_move ? WithoutNumbers(event.note) : event.note};
  const auto it = sent_.find(key);
  if (it != sent_.end() && now - it->second < kQuiet) return;
  if (!TakeToken()) {
    ++dropped_;
    return;
  }
  sent_[key] = now;
  const std::string namespace_ = event.namespace_.empty() ? "default" : event.namespace_;
  json::object regarding{{"apiVersion", event.api_version},
                         {"kind", event.kind},
                         {"name", event.name},
                         {"uid", event.uid}};
  if (!event.namespace_.empty()) regarding["namespace"] = event.namespace_;
  const json::object body{{"apiVersion", "events.k8s.io/v1"},
                          {"kind", "Event"},
                          {"metadata", json::object{{"name", EventName(event.name, ++count_)},
                                                    {"namespace", namespace_}}},
                          {"eventTime", NowMicroText()},
                          {"reportingController", options_.component},
                          {"reportingInstance", options_.instance},
                          {"action", event.action},
                          {"reason", event.reason},
                          {"type", event.warning ? "Warning" : "Normal"},
                          {"note", Cut(event.note, kLongestMessage)},
                          {"regarding", std::move(regarding)}};
  HttpRequest request =
      JsonRequest("POST", "/apis/events.k8s.io/v1/namespaces/" + namespace_ + "/events", body);
  request.may_send = options_.may_send;
  tasks_.Start(Send(key, std::move(request)));
}

Task<> EventRecorder::Send(Key key, HttpRequest request) {
  Wait<HttpResult> reply = Reply(client_, std::move(request));
  const HttpResult result = co_await reply;
  // What did not arrive may be said again; nobody waits for it.
  if (!result) sent_.erase(key);
  // 404: the namespace is gone; 409: the same event is there.
  const bool gone = result && (result->status == kHttpNotFound || result->status == kHttpConflict);
  if (KindOfReply(result) != ReplyKind::kRefused || gone || !options_.warn) co_return;
  const auto now = Clock::now();
  if (warned_ && now - *warned_ < kQuiet) co_return;
  warned_ = now;
  options_.warn("event: " + TroubleOf(result));
}

}  // namespace batholith
