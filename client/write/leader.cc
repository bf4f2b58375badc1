#include "client/write/leader.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <cstdint>
#include <utility>

#include "api/time_text.h"
#include "client/http/json_request.h"
#include "client/http/reply.h"
#include "client/http/wait.h"

namespace batholith {
namespace {

namespace json = boost::json;

// A number as the server admits it; else the fallback.
std::int64_t NumberIn(const json::object& spec, const char* field, std::int64_t least,
                      std::int64_t fallback) {
  return Field::Glance(spec)[field].Int(fallback, least, INT32_MAX);
}

Field SpecOf(const json::object& lease) { return Field::Glance(lease)["spec"]; }

// Whole seconds, as a Lease has them. Never less than meant: others would take over too early.
std::int64_t WholeSeconds(std::chrono::milliseconds duration) {
  return std::chrono::ceil<std::chrono::seconds>(duration).count();
}

}  // namespace

Leader::Leader(HttpClient& client, LeaderOptions options, std::function<void(bool)> changed)
    : client_(client), options_(std::move(options)), changed_(std::move(changed)) {}

std::string Leader::path() const {
  return "/apis/coordination.k8s.io/v1/namespaces/" + options_.namespace_ + "/leases";
}

bool Leader::Leads() const { return Clock::now().time_since_epoch().count() < until_; }

void Leader::Start() {
  client_.Post(tasks_.Guard([this] { tasks_.Start(Follow()); }));
}

void Leader::Notice() {
  if (Leads() == told_) return;
  told_ = !told_;
  changed_(told_);
}

Task<> Leader::Follow() {
  while (true) {
    Task<bool> trying = Try();
    const bool at_once = co_await trying;
    Notice();
    if (at_once) continue;
    if (ended_) co_return;
    Wait<std::monostate> pause = Pause(client_, options_.retry_period);
    co_await pause;
    if (ended_) co_return;
  }
}

void Leader::Trouble(std::string text) {
  if (text != trouble_ && options_.warn) options_.warn(text);
  trouble_ = std::move(text);
}

Task<bool> Leader::Try() {
  Notice();
  bool create = false;
  // The holder knows the record already, and its version has the server refuse a stale renewal.
  if (!told_ || stale_) {
    HttpRequest request;
    request.path = path() + "/" + options_.name;
    request.timeout = options_.renew_deadline;
    request.limited = false;
    Wait<HttpResult> reply = Reply(client_, std::move(request));
    const HttpResult result = co_await reply;
    if (ended_) co_return false;
    create = result && result->status == kHttpNotFound;
    if (!create && !IsToTake(result)) co_return false;
  }
  Task<bool> writing = Write(create);
  const bool at_once = co_await writing;
  co_return at_once;
}

bool Leader::IsToTake(const HttpResult& result) {
  if (!result || result->status != 200) {
    Trouble("GET of the lease: " + TroubleOf(result));
    return false;
  }
  const Result<json::value> body = BodyOf(*result);
  if (body && body->is_object()) return IsToTake(body->get_object());
  Trouble("GET of the lease: no object");
  return false;
}

bool Leader::IsToTake(const json::object& lease) {
  lease_ = lease;
  const json::object& spec = SpecOf(lease).Object();
  const std::string text = json::serialize(spec);
  const Clock::time_point now = Clock::now();
  if (text != seen_) {
    seen_ = text;
    seen_at_ = now;
  }
  holder_ = SpecOf(lease)["holderIdentity"].Text();
  Notice();  // the answer may have taken its time
  // A renewal that was done and not answered, or a stranger's edit: it is ours still.
  if (told_ && holder_ == options_.identity) return true;
  until_ = 0;
  Notice();
  const std::chrono::seconds duration(
      NumberIn(spec, "leaseDurationSeconds", 1, WholeSeconds(options_.lease_duration)));
  // Not even our own name is trusted: another process may have had it before this one started.
  if (!holder_.empty() && now - seen_at_ < duration) {
    trouble_.clear();
    return false;
  }
  return true;
}

json::object Leader::Taken(bool create) const {
  json::object lease = create ? json::object() : lease_;
  lease["apiVersion"] = "coordination.k8s.io/v1";
  lease["kind"] = "Lease";
  if (create)
    lease["metadata"] = json::object{{"name", options_.name}, {"namespace", options_.namespace_}};
  json::value& place = lease["spec"];
  if (!place.is_object()) place = json::object();
  json::object& spec = place.get_object();
  const std::string now = NowMicroText();
  if (!told_ || create) {
    spec["acquireTime"] = now;
    const bool changes =
        !create && Field::Glance(spec)["holderIdentity"].Text() != options_.identity;
    spec["leaseTransitions"] = NumberIn(spec, "leaseTransitions", 0, 0) + (changes ? 1 : 0);
  }
  spec["holderIdentity"] = options_.identity;
  spec["leaseDurationSeconds"] = WholeSeconds(options_.lease_duration);
  spec["renewTime"] = now;
  return lease;
}

HttpRequest Leader::Request(const json::object& lease, bool create) const {
  HttpRequest request =
      JsonRequest(create ? "POST" : "PUT", path() + (create ? "" : "/" + options_.name), lease);
  request.limited = false;
  return request;
}

Task<bool> Leader::Write(bool create) {
  HttpRequest request = Request(Taken(create), create);
  request.timeout = options_.renew_deadline / 2;
  const Clock::time_point began = Clock::now();
  writing_ = true;
  Wait<HttpResult> reply = Reply(client_, std::move(request));
  const HttpResult result = co_await reply;
  writing_ = false;
  const bool done = Keep(result);
  if (ended_) {
    tasks_.Start(HandBack());
    co_return false;
  }
  if (done) {
    Renewed(began);
    co_return false;
  }
  Trouble("write of the lease: " + TroubleOf(result));
  // 409: it is not what it was, by somebody else's write or by one of ours that nobody answered;
  // 404: it was deleted. Whoever leads looks at once, but not again and again.
  const bool changed =
      result && (result->status == kHttpConflict || result->status == kHttpNotFound);
  if (changed && create) until_ = 0;  // another one made it
  const bool at_once = changed && told_ && !std::exchange(stale_, true);
  co_return at_once;
}

bool Leader::Keep(const HttpResult& result) {
  if (KindOfReply(result) != ReplyKind::kAccepted) return false;
  const Result<json::value> body = BodyOf(*result);
  if (!body || !body->is_object() || !SpecOf(body->get_object()).is_object()) return false;
  lease_ = body->get_object();
  holder_ = options_.identity;
  trouble_.clear();
  stale_ = false;
  return true;
}

void Leader::Renewed(Clock::time_point began) {
  // From before it was sent: others count from when they saw it, which is later.
  const Clock::time_point until = began + options_.renew_deadline;
  until_ = until.time_since_epoch().count();
  if (expiry_ != 0) client_.Cancel(expiry_);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
  expiry_ = client_.After(std::max(left, std::chrono::milliseconds(0)),
                          tasks_.Guard([this] { Notice(); }));
}

void Leader::Release(std::function<void()> done) {
  client_.Post(tasks_.Guard([this, done = std::move(done)] {
    ended_ = true;
    until_ = 0;
    Notice();
    released_ = done;
    if (!writing_) tasks_.Start(HandBack());  // else once it is known what version it made
  }));
}

Task<> Leader::HandBack() {
  const auto done = std::exchange(released_, nullptr);
  if (SpecOf(lease_)["holderIdentity"].Text() == options_.identity) {
    json::object lease = lease_;
    json::object& spec = lease["spec"].get_object();
    spec["holderIdentity"] = "";
    spec["leaseDurationSeconds"] = 1;
    spec["renewTime"] = NowMicroText();
    HttpRequest request = Request(lease, /*create=*/false);
    request.timeout = std::chrono::seconds(5);
    Wait<HttpResult> reply = Reply(client_, std::move(request));
    co_await reply;
  }
  done();
}

}  // namespace batholith
