#include "client/leader.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <utility>

#include "client/reply.h"
#include "codec/time_text.h"

namespace batholith {
namespace {

namespace json = boost::json;

std::string MicroNow() {
  using namespace std::chrono;
  const auto now = duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
  std::string text = FormatTime(now / 1'000'000 * 1'000'000'000);
  text.pop_back();
  return fmt::format("{}.{:06}Z", text, now % 1'000'000);
}

std::int64_t NumberIn(const json::object& spec, const char* field, std::int64_t fallback) {
  const json::value* value = spec.if_contains(field);
  return value != nullptr && value->is_int64() ? value->get_int64() : fallback;
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
  if (told_ && !doubt_) return Take(&lease_);
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
  const json::value* found = lease.if_contains("spec");
  const json::object spec =
      found != nullptr && found->is_object() ? found->get_object() : json::object();
  const std::string text = json::serialize(spec);
  const Clock::time_point now = Clock::now();
  if (text != seen_) {
    seen_ = text;
    seen_at_ = now;
  }
  holder_ = TextIn(spec, {"holderIdentity"});
  if (told_) {
    if (holder_ == options_.identity) return Take(&lease_);
    until_ = 0;
    return Later();
  }
  const std::chrono::seconds duration(NumberIn(spec, "leaseDurationSeconds", 15));
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
  const std::string now = MicroNow();
  if (!told_ || before == nullptr) {
    spec["acquireTime"] = now;
    const bool changes = before != nullptr && TextIn(spec, {"holderIdentity"}) != options_.identity;
    spec["leaseTransitions"] = NumberIn(spec, "leaseTransitions", 0) + (changes ? 1 : 0);
  }
  spec["holderIdentity"] = options_.identity;
  spec["leaseDurationSeconds"] =
      std::chrono::duration_cast<std::chrono::seconds>(options_.lease_duration).count();
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
  client_.Send(std::move(request), [this, alive = alive_, began](const HttpResult& result) {
    if (*alive && !ended_) OnWrite(began, result);
  });
}

void Leader::OnWrite(Clock::time_point began, const HttpResult& result) {
  if (KindOfReply(result) == ReplyKind::kDone) {
    const Result<json::value> body = BodyOf(*result);
    if (body && body->is_object()) {
      lease_ = body->get_object();
      holder_ = options_.identity;
      trouble_.clear();
      doubt_ = false;
      // From before it was sent: others count from when they saw it, which is later.
      until_ = (began + options_.renew_deadline).time_since_epoch().count();
      return Later();
    }
  }
  Trouble("write of the lease: " + TroubleOf(result));
  // Somebody wrote it or took it away, maybe this replica itself by a request whose answer was
  // lost. Nobody else may lead before `until_`, so there is time to look who it was.
  const bool changed = result && (result->status == 409 || result->status == 404);
  if (!changed || !told_ || doubt_) return Later();
  doubt_ = true;
  Look();
}

void Leader::Release(std::function<void()> done) {
  client_.Post([this, alive = alive_, done = std::move(done)] {
    if (!*alive) return;
    ended_ = true;
    const bool led = Leads();
    until_ = 0;
    Notice();
    if (!led) return done();
    json::object lease = lease_;
    json::object& spec = lease["spec"].as_object();
    spec["holderIdentity"] = "";
    spec["leaseDurationSeconds"] = 1;
    spec["renewTime"] = MicroNow();
    HttpRequest request;
    request.method = "PUT";
    request.path = path() + "/" + options_.name;
    request.content_type = "application/json";
    request.body = json::serialize(lease);
    request.timeout = std::chrono::seconds(5);
    request.limited = false;
    client_.Send(std::move(request), [done](const HttpResult&) { done(); });
  });
}

}  // namespace batholith
