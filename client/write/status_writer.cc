#include "client/write/status_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <utility>

#include "client/http/reply.h"

namespace batholith {

namespace {

namespace json = boost::json;

constexpr long kNotFound = 404;
constexpr long kConflict = 409;
constexpr long kUnprocessable = 422;

std::string PathOf(const Patch& patch) { return patch.path + patch.content_type; }

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
  return result && (result->status == kNotFound || result->status == kConflict);
}

}  // namespace

StatusWriter::StatusWriter(HttpClient& client, ServerState& state, Options options)
    : client_(client), state_(state), options_(std::move(options)) {}

StatusWriter::~StatusWriter() { *alive_ = false; }

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
  const auto uid_of = [](const Patch& patch) { return TextIn(patch.body, {"metadata", "uid"}); };
  if (!added && uid_of(kept.item.patch) == uid_of(item.patch)) {
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
    auto item = std::make_shared<Item>(std::move(waiting_.front()));
    waiting_.pop_front();
    if (!options_.may_send()) {
      paths_.erase(PathOf(item->patch));
      continue;
    }
    ++running_;
    HttpRequest request;
    request.may_send = options_.may_send;
    request.method = "PATCH";
    request.path = item->patch.path;
    request.content_type = item->patch.content_type;
    request.body = boost::json::serialize(item->patch.body);
    client_.Send(std::move(request), [this, alive = alive_, item](const HttpResult& result) {
      if (*alive) OnReply(*item, result);
    });
  }
}

void StatusWriter::OnReply(const Item& item, const HttpResult& result) {
  --running_;
  const std::string path = PathOf(item.patch);
  const ReplyKind kind = KindOfReply(result);
  SeenObject* seen = state_.Find(item.kind, item.key);
  if (kind == ReplyKind::kDone && seen != nullptr && seen->uid == item.patch.after.uid) {
    const std::string version = seen->version;
    *seen = item.patch.after;
    seen->version = version;
    if (const auto body = BodyOf(*result)) {
      const std::string now = TextIn(*body, {"metadata", "resourceVersion"});
      if (!now.empty()) seen->version = now;
    }
  }
  const std::chrono::milliseconds rest = RestAfter(item, result);
  if (rest.count() > 0) {
    client_.After(rest, [this, alive = alive_, path] {
      if (*alive) Release(path);
    });
  } else {
    Release(path);
  }
  if (kind == ReplyKind::kLater && !resting_) {
    resting_ = true;
    const auto pause = std::max(RetryAfterOf(result), std::chrono::milliseconds(1000));
    client_.After(pause, [this, alive = alive_] {
      if (!*alive) return;
      resting_ = false;
      Pump();
    });
  }
  Pump();
  if (options_.answered) options_.answered();
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
  if (kind == ReplyKind::kDone || hushed) {
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
