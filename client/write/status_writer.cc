#include "client/write/status_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <utility>

#include "client/http/json_request.h"
#include "client/http/reply.h"
#include "client/http/wait.h"

namespace batholith {

namespace {

namespace json = boost::json;

constexpr long kUnprocessable = 422;

std::string PathOf(const Patch& patch) { return patch.path + patch.content_type; }

std::string UidOf(const Patch& patch) { return TextIn(patch.body, {"metadata", "uid"}); }

// One patch that says both; the later one's word counts. A null in it is a word, too.
void Join(json::object& into, const json::object& later) {
  for (const auto& [key, value] : later) {
    json::object* below = into.contains(key) ? into[key].if_object() : nullptr;
    if (below != nullptr && value.is_object()) {
      Join(*below, value.get_object());
    } else {
      into[key] = value;
    }
  }
}

// A pod that was bound in the meantime may have no nominated node any more.
bool IsLateNomination(const Patch& patch, const HttpResult& result) {
  const json::value* status = patch.body.if_contains("status");
  return result && result->status == kUnprocessable && status != nullptr && status->is_object() &&
         status->get_object().contains("nominatedNodeName") &&
         TroubleOf(result).contains("nominatedNodeName");
}

// 404 and 409: the object is gone, or another one. The watch tells.
bool IsGone(const HttpResult& result) {
  return result && (result->status == kHttpNotFound || result->status == kHttpConflict);
}

}  // namespace

StatusWriter::StatusWriter(HttpClient& client, ServerState& state, Options options)
    : client_(client), state_(state), options_(std::move(options)) {}

void StatusWriter::Write(const std::string& kind, const std::string& key, Patch patch) {
  if (patch.keep) return Keep({kind, key, std::move(patch)});
  if (waiting_.size() >= options_.waiting) return;
  if (!paths_.insert(PathOf(patch)).second) return;
  waiting_.push_back({kind, key, std::move(patch)});
  Pump();
}

void StatusWriter::Keep(Item item) {
  const std::string path = PathOf(item.patch);
  const auto [it, added] = kept_.try_emplace(path);
  Kept& kept = it->second;
  if (!added && UidOf(kept.item.patch) == UidOf(item.patch)) {
    Join(kept.item.patch.body, item.patch.body);
    item.patch.body = std::move(kept.item.patch.body);
  }
  kept.item = std::move(item);
  kept.changed = true;
  if (!paths_.contains(path)) Queue(path);
  Pump();
}

void StatusWriter::Queue(const std::string& path) {
  Kept& kept = kept_.at(path);
  kept.changed = false;
  paths_.insert(path);
  waiting_.push_back(kept.item);
}

void StatusWriter::Pump() {
  while (!resting_ && running_ < options_.parallel && !waiting_.empty()) {
    Item item = std::move(waiting_.front());
    waiting_.pop_front();
    if (!options_.may_send()) {
      paths_.erase(PathOf(item.patch));
      continue;
    }
    ++running_;
    tasks_.Start(Send(std::move(item)));
  }
}

Task<> StatusWriter::Send(Item item) {
  HttpRequest request =
      JsonRequest("PATCH", item.patch.path, item.patch.body, item.patch.content_type.c_str());
  request.may_send = options_.may_send;
  Wait<HttpResult> reply = Reply(client_, std::move(request));
  const HttpResult result = co_await reply;
  --running_;
  const ReplyKind kind = KindOfReply(result);
  if (kind == ReplyKind::kAccepted) RecordDone(item, *result);
  const std::chrono::milliseconds rest = RestAfter(item, result);
  if (rest.count() == 0) Release(PathOf(item.patch));
  if (kind == ReplyKind::kLater && !std::exchange(resting_, true))
    tasks_.Start(Rest(std::max(RetryAfterOf(result), std::chrono::milliseconds(1000))));
  Pump();
  if (options_.answered) options_.answered();
  if (rest.count() == 0) co_return;
  Wait<std::monostate> pause = Pause(client_, rest);
  co_await pause;
  Release(PathOf(item.patch));
}

// What the server has now, so that the next session need not wait for the watch.
void StatusWriter::RecordDone(const Item& item, const HttpReply& reply) {
  SeenObject* seen = state_.Find(item.kind, item.key);
  if (seen == nullptr || seen->uid != UidOf(item.patch)) return;
  Apply(item.patch, *seen);
  const Result<json::value> body = BodyOf(reply);
  if (!body) return;
  const std::string now = TextIn(*body, {"metadata", "resourceVersion"});
  if (!now.empty()) seen->version = now;
}

Task<> StatusWriter::Rest(std::chrono::milliseconds pause) {
  Wait<std::monostate> rest = Pause(client_, pause);
  co_await rest;
  resting_ = false;
  Pump();
}

std::chrono::milliseconds StatusWriter::RestAfter(const Item& item, const HttpResult& result) {
  const ReplyKind kind = KindOfReply(result);
  const bool hushed = IsGone(result) || IsLateNomination(item.patch, result);
  const bool refused = kind == ReplyKind::kRefused && !hushed;
  if (refused && options_.warn)
    options_.warn(fmt::format("{} {}: PATCH {}: {}", item.kind, item.key, item.patch.path,
                              TroubleOf(result)));
  const auto kept = item.patch.keep ? kept_.find(PathOf(item.patch)) : kept_.end();
  // Each session would ask again, and be refused again.
  if (kept == kept_.end()) return refused ? options_.refused_rest : std::chrono::milliseconds(0);
  if (kind == ReplyKind::kAccepted || hushed) {
    kept->second.tries = 0;
    if (!kept->second.changed) kept_.erase(kept);
    return std::chrono::milliseconds(0);
  }
  if (kind == ReplyKind::kLater) return std::chrono::milliseconds(0);  // all of them rest
  const int times = std::min(kept->second.tries++, 10);
  return std::min(options_.refused_rest, options_.first_backoff * (1 << times));
}

void StatusWriter::Release(const std::string& path) {
  paths_.erase(path);
  if (kept_.contains(path)) Queue(path);
  Pump();
}

}  // namespace batholith
