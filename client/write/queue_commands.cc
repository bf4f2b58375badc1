#include "client/write/queue_commands.h"

#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <utility>

#include "client/http/json_request.h"
#include "client/http/reply.h"
#include "client/write/queue_state.h"
#include "client/write/write_once.h"
#include "codec/kube_kinds.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr std::string_view kRoot = "root";

bool IsShut(const std::string& state) { return state == "Closed" || state == "Closing"; }

// Volcano's queue controller writes "false" where it opens a queue.
bool IsMarked(const SeenObject& queue) {
  return Field::Glance(queue.annotations)[kClosedByParent].Text() == "true";
}

}  // namespace

QueueCommands::QueueCommands(HttpClient& client, ServerState& state, Options options)
    : client_(client), state_(state), options_(std::move(options)) {}

void QueueCommands::Start() {
  WatchListener listener;
  listener.on_put = [this](json::value&& command) { OnPut(command); };
  listener.on_gone = [this](const std::string& key, const std::string&) {
    waiting_.erase(kCommandKind.path(key));
  };
  listener.on_state = [this](WatchState state, const std::string& why) {
    if (state == WatchState::kForbidden || state == WatchState::kFailing) Warn(why);
    // Readiness does not ask for this kind, so whoever looks there would not learn of it.
    if (state == WatchState::kForbidden)
      client_.RecordMissingRule("cannot watch resource \"" + std::string(kCommandKind.plural) +
                                "\" in API group \"" + std::string(kCommandKind.group()) + "\"");
  };
  watch_ = std::make_unique<Watch>(client_,
                                   WatchTarget{kCommandKind.name(), kCommandKind.list_path(), "",
                                               kCommandKind.resource(), /*built_in=*/false},
                                   options_.watch, std::move(listener));
  watch_->Start();
}

void QueueCommands::OnPut(const json::value& command) {
  const std::string action = TextIn(command, {"action"});
  const bool open = action == "OpenQueue";
  if (TextIn(command, {"target", "kind"}) != "Queue" || (!open && action != "CloseQueue")) return;
  const std::string path = kCommandKind.path(TextIn(command, {"metadata", "namespace"}),
                                             TextIn(command, {"metadata", "name"}));
  waiting_[path] = {TextIn(command, {"metadata", "uid"}),
                    {TextIn(command, {"target", "name"}), open}};
  if (ready_ && options_.may_send()) Pump(std::exchange(jobs_, {}));
}

void QueueCommands::Pump(const std::map<std::string, std::int32_t>& jobs) {
  ready_ = true;
  jobs_ = jobs;
  for (const auto& [path, command] : std::exchange(waiting_, {}))
    tasks_.Start(CarryOut(path, command.first, command.second));
  // What waited for its last pod group to go.
  for (const auto& [queue, count] : jobs_) {
    const SeenObject* seen = state_.Find("Queue", queue);
    if (count == 0 && seen != nullptr && Field::Glance(seen->status)["state"].Text() == "Closing")
      Write(queue, "Closed", std::nullopt);
  }
}

Task<> QueueCommands::CarryOut(std::string path, std::string uid, Wanted wanted) {
  Task<bool> deleting = Send(DeleteRequest(std::move(path), uid));
  const bool is_ours = co_await deleting;
  if (!is_ours) co_return;
  if (state_.Find("Queue", wanted.queue) == nullptr) {
    Warn("a command asks for queue " + wanted.queue + ", which is not there");
  } else if (wanted.open) {
    Open(wanted.queue);
  } else {
    Close(wanted.queue, /*by_parent=*/false);
  }
}

void QueueCommands::Open(const std::string& queue) {
  const SeenObject& seen = *state_.Find("Queue", queue);
  const SeenObject* parent = state_.Find("Queue", seen.parent);
  if (parent != nullptr && IsShut(Field::Glance(parent->status)["state"].Text()))
    return Warn(fmt::format("queue {} stays closed: its parent {} is; open that first", queue,
                            seen.parent));
  std::vector<std::string> opening{queue};
  for (std::size_t i = 0; i < opening.size(); ++i) {
    for (const std::string& child : state_.Below("Queue", opening[i])) {
      if (IsMarked(*state_.Find("Queue", child))) opening.push_back(child);
    }
    Write(opening[i], "Open", false);
  }
}

void QueueCommands::Close(const std::string& queue, bool by_parent) {
  if (queue == kRoot) return Warn("a command asks to close queue root, which stays open");
  const auto jobs = jobs_.find(queue);
  const bool is_used = jobs != jobs_.end() && jobs->second > 0;
  Write(queue, is_used ? "Closing" : "Closed",
        by_parent ? std::optional<bool>(true) : std::nullopt);
  for (const std::string& child : state_.Below("Queue", queue)) {
    const bool shut = IsShut(Field::Glance(state_.Find("Queue", child)->status)["state"].Text());
    if (!shut && child != queue) Close(child, /*by_parent=*/true);
  }
}

void QueueCommands::Write(const std::string& queue, const char* state,
                          std::optional<bool> closed_by_parent) {
  SeenObject& seen = *state_.Find("Queue", queue);
  if (closed_by_parent && *closed_by_parent != IsMarked(seen)) {
    json::object annotations{
        {kClosedByParent, *closed_by_parent ? json::value("true") : json::value()}};
    *closed_by_parent ? void(seen.annotations[kClosedByParent] = "true")
                      : void(seen.annotations.erase(kClosedByParent));
    const json::object meta{{"uid", seen.uid}, {"annotations", std::move(annotations)}};
    tasks_.Start(
        SendAlone(JsonRequest("PATCH", seen.path, json::object{{"metadata", meta}}, kMergePatch)));
  }
  if (Field::Glance(seen.status)["state"].Text() == state) return;
  const Patch patch = QueueStatePatch(seen, state);
  seen.status["state"] = state;
  tasks_.Start(SendAlone(JsonRequest("PATCH", patch.path, patch.body, patch.content_type.c_str())));
}

Task<bool> QueueCommands::Send(HttpRequest request) {
  const std::string what = request.method + " " + request.path;
  WriteRequest write{.request = std::move(request)};
  WritePolicy policy{.may_send = options_.may_send,
                     .first_backoff = options_.retry,
                     .max_backoff = options_.retry};
  Task<WriteOutcome> writing = WriteOnce(client_, std::move(write), std::move(policy));
  const WriteOutcome outcome = co_await writing;
  // 404 and 409: it is gone, or somebody else was quicker. No status: whoever leads now does it.
  if (outcome.status != 0 && outcome.status != kHttpNotFound && outcome.status != kHttpConflict)
    Warn(what + ": " + outcome.why);
  co_return outcome.done;
}

Task<> QueueCommands::SendAlone(HttpRequest request) {
  Task<bool> sending = Send(std::move(request));
  co_await sending;
}

void QueueCommands::Warn(const std::string& message) {
  if (options_.warn) options_.warn(message);
}

}  // namespace batholith
