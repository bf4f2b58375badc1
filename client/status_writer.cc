#include "client/status_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <utility>

#include "client/reply.h"

namespace batholith {

StatusWriter::StatusWriter(HttpClient& client, ServerState& state, Options options)
    : client_(client), state_(state), options_(std::move(options)) {}

StatusWriter::~StatusWriter() { *alive_ = false; }

void StatusWriter::Write(const std::string& kind, const std::string& key, Patch patch) {
  if (waiting_.size() >= options_.waiting) return;
  if (!paths_.insert(patch.path + patch.content_type).second) return;
  waiting_.push_back({kind, key, std::move(patch)});
  Pump();
}

void StatusWriter::Pump() {
  while (!resting_ && running_ < options_.parallel && !waiting_.empty()) {
    auto item = std::make_shared<Item>(std::move(waiting_.front()));
    waiting_.pop_front();
    if (!options_.may_send()) {
      paths_.erase(item->patch.path + item->patch.content_type);
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
  const std::string path = item.patch.path + item.patch.content_type;
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
  // 404 and 409: the object is gone, or another one; 422: the pod was bound in the meantime, and
  // may have no nominated node any more. The watch tells.
  const bool bound = result && result->status == 422 && item.kind == "Pod";
  const bool gone = bound || (result && (result->status == 404 || result->status == 409));
  if (kind == ReplyKind::kRefused && !gone) {
    // Each session would ask again, and be refused again.
    client_.After(options_.refused_rest, [this, alive = alive_, path] {
      if (*alive) paths_.erase(path);
    });
    if (options_.warn)
      options_.warn(fmt::format("{} {}: PATCH {}: {}", item.kind, item.key, item.patch.path,
                                TroubleOf(result)));
  } else {
    paths_.erase(path);
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

}  // namespace batholith
