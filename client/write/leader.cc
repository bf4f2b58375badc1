#include "client/write/leader.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <cstdint>
#include <utility>

#include "client/http/reply.h"
#include "codec/time_text.h"

namespace batholith {
namespace {

namespace json = boost::json;

// A number as the server admits it; else the fallback.
std::int64_t NumberIn(const json::object& spec, const char* field, std::int64_t least,
                      std::int64_t fallback) {
  const json::value* value = spec.if_contains(field);
  if (value == nullptr || !value->is_int64()) return fallback;
  const std::int64_t number = value->get_int64();
  return number < least || number > INT32_MAX ? fallback : number;
}

const json::object* SpecOf(const json::object& lease) {
  const json::value* spec = lease.if_contains("spec");
  return spec == nullptr ? nullptr : spec->if_object();
}

// Whole seconds, as a Lease has them. Never less than meant: others would take over too early.
std::int64_t WholeSeconds(std::chrono::milliseconds duration) {
  return std::chrono::ceil<std::chrono::seconds>(duration).count();
}

}  // namespace

Leader::Leader(HttpClient& client, LeaderOptions options, std::function<void(bool)> changed)
    : client_(client), options_(std::move(options)), changed_(std::move(changed)) {}

Leader::~Leader() { *alive_ = false; }

std::string Leader::path() const {
  return "/apis/coordination.k8s.io/v1/namespaces/" + options_.name_space + "/leases";
}

bool Leader::Leads() const { return Clock::now().time_since_epoch().count() < until_; }

void Leader::Start() {
  client_.Post([this, alive = alive_] {
    if (*alive) Look();
  });
}

void Leader::Notice() {
  if (Leads() == told_) return;
  told_ = !told_;
  changed_(told_);
}

void Leader::Later() {
  Notice();
  if (ended_) return;
  client_.After(options_.retry_period, [this, alive = alive_] {
    if (*alive && !ended_) Look();
  });
}

void Leader::Trouble(std::string text) {
  if (text != trouble_ && options_.warn) options_.warn(text);
  trouble_ = std::move(text);
}

void Leader::Look() {
  Notice();
  // The holder knows the record already, and its version has the server refuse a stale renewal.
  if (told_ && !stale_) return Take(&lease_);
  HttpRequest request;
  request.path = path() + "/" + options_.name;
  request.timeout = options_.renew_deadline;
  request.limited = false;
  client_.Send(std::move(request), [this, alive = alive_](const HttpResult& result) {
    if (*alive && !ended_) OnLook(result);
  });
}

void Leader::OnLook(const HttpResult& result) {
  if (result && result->status == 404) return Take(nullptr);
  if (!result || result->status != 200) {
    Trouble("GET of the lease: " + TroubleOf(result));
    return Later();
  }
  const Result<json::value> body = BodyOf(*result);
  if (!body || !body->is_object()) {
    Trouble("GET of the lease: no object");
    return Later();
  }
  Judge(body->get_object());
}

void Leader::Judge(const json::object& lease) {
  lease_ = lease;
  const json::object* found = SpecOf(lease);
  const json::object spec = found == nullptr ? json::object() : *found;
  const std::string text = json::serialize(spec);
  const Clock::time_point now = Clock::now();
  if (text != seen_) {
    seen_ = text;
    seen_at_ = now;
  }
  holder_ = TextIn(spec, {"holderIdentity"});
  Notice();  // the answer may have taken its time
  // A renewal that was done and not answered, or a stranger's edit: it is ours still.
  if (told_ && holder_ == options_.identity) return Take(&lease_);
  until_ = 0;
  Notice();
  const std::chrono::seconds duration(
      NumberIn(spec, "leaseDurationSeconds", 1, WholeSeconds(options_.lease_duration)));
  // Not even our own name is trusted: another process may have had it before this one started.
  if (!holder_.empty() && now - seen_at_ < duration) {
    trouble_.clear();
    return Later();
  }
  Take(&lease_);
}

void Leader::Take(const json::object* before) {
  json::object lease = before == nullptr ? json::object() : *before;
  lease["apiVersion"] = "coordination.k8s.io/v1";
  lease["kind"] = "Lease";
  if (before == nullptr)
    lease["metadata"] = json::object{{"name", options_.name}, {"namespace", options_.name_space}};
  json::value& place = lease["spec"];
  if (!place.is_object()) place = json::object();
  json::object& spec = place.get_object();
  const std::string now = NowMicroText();
  if (!told_ || before == nullptr) {
    spec["acquireTime"] = now;
    const bool changes = before != nullptr && TextIn(spec, {"holderIdentity"}) != options_.identity;
    spec["leaseTransitions"] = NumberIn(spec, "leaseTransitions", 0, 0) + (changes ? 1 : 0);
  }
  spec["holderIdentity"] = options_.identity;
  spec["leaseDurationSeconds"] = WholeSeconds(options_.lease_duration);
  spec["renewTime"] = now;
  Write(std::move(lease), before == nullptr);
}

void Leader::Write(json::object lease, bool create) {
  HttpRequest request;
  request.method = create ? "POST" : "PUT";
  request.path = path() + (create ? "" : "/" + options_.name);
  request.content_type = "application/json";
  request.body = json::serialize(lease);
  request.timeout = options_.renew_deadline / 2;
  request.limited = false;
  const Clock::time_point began = Clock::now();
  writing_ = true;
  client_.Send(std::move(request), [this, alive = alive_, began, create](const HttpResult& result) {
    if (*alive) OnWrite(began, create, result);
  });
}

void Leader::OnWrite(Clock::time_point began, bool create, const HttpResult& result) {
  writing_ = false;
  if (KindOfReply(result) == ReplyKind::kDone) {
    const Result<json::value> body = BodyOf(*result);
    if (body && body->is_object() && SpecOf(body->get_object()) != nullptr) {
      lease_ = body->get_object();
      holder_ = options_.identity;
      trouble_.clear();
      stale_ = false;
      if (ended_) return HandBack();
      Renewed(began);
      return Later();
    }
  }
  if (ended_) return HandBack();
  Trouble("write of the lease: " + TroubleOf(result));
  // 409: it is not what it was, by somebody else's write or by one of ours that nobody answered;
  // 404: it was deleted. Whoever leads looks at once, but not again and again.
  const bool changed = result && (result->status == 409 || result->status == 404);
  if (changed && create) until_ = 0;  // another one made it
  if (changed && told_ && !std::exchange(stale_, true)) return Look();
  Later();
}

void Leader::Renewed(Clock::time_point began) {
  // From before it was sent: others count from when they saw it, which is later.
  const Clock::time_point until = began + options_.renew_deadline;
  until_ = until.time_since_epoch().count();
  if (expiry_ != 0) client_.Cancel(expiry_);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
  expiry_ = client_.After(std::max(left, std::chrono::milliseconds(0)), [this, alive = alive_] {
    if (*alive) Notice();
  });
}

void Leader::Release(std::function<void()> done) {
  client_.Post([this, alive = alive_, done = std::move(done)] {
    if (!*alive) return;
    ended_ = true;
    until_ = 0;
    Notice();
    released_ = std::move(done);
    if (!writing_) HandBack();  // else once it is known what version it made
  });
}

void Leader::HandBack() {
  const auto done = std::exchange(released_, nullptr);
  const json::object* spec_now = SpecOf(lease_);
  if (spec_now == nullptr || TextIn(*spec_now, {"holderIdentity"}) != options_.identity)
    return done();
  json::object lease = lease_;
  json::object& spec = lease["spec"].get_object();
  spec["holderIdentity"] = "";
  spec["leaseDurationSeconds"] = 1;
  spec["renewTime"] = NowMicroText();
  HttpRequest request;
  request.method = "PUT";
  request.path = path() + "/" + options_.name;
  request.content_type = "application/json";
  request.body = json::serialize(lease);
  request.timeout = std::chrono::seconds(5);
  request.limited = false;
  client_.Send(std::move(request), [done](const HttpResult&) { done(); });
}

}  // namespace batholith
