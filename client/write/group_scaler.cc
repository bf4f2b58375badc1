#include "client/write/group_scaler.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "api/node_group.h"
#include "client/http/json_request.h"
#include "client/http/reply.h"
#include "client/http/wait.h"
#include "client/write/write_once.h"
#include "codec/json/field.h"
#include "codec/kube_kinds.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr std::string_view kPrefix = "MachineDeployment/";
constexpr int kManyReverts = 3;

const char* CauseOf(const HttpResult& result) {
  if (!result) return "timeout";
  switch (result->status) {
    case 401:
    case 403:
      return "forbidden";
    case 404:
      return "gone";
    case 409:
      return "conflict";
    default:
      return KindOfReply(result) == ReplyKind::kRefused ? "refused" : "timeout";
  }
}

bool IsConflict(const HttpResult& result) { return result && result->status == kHttpConflict; }

// spec.replicas of a Scale, which leaves out a zero.
std::int32_t SizeOf(const json::value& scale) {
  return FieldIn(scale, {"spec", "replicas"}).Int32(0);
}

}  // namespace

struct GroupScaler::Job {
  struct MarkStep {
    std::string path;
    bool on = true;
  };

  NodeGroupOrder order;
  std::string path;             // of the scale
  std::vector<MarkStep> marks;  // to be set and taken off
  std::size_t marked = 0;       // how many of them are
  bool maybe = false;           // a write came back without its outcome
  std::string trouble;          // why it is tried again
};

GroupScaler::GroupScaler(HttpClient& client, ServerState& state, Options options)
    : client_(client), state_(state), options_(std::move(options)) {}

void GroupScaler::Add(NodeGroupOrder order) {
  Job job;
  job.order = std::move(order);
  const NodeGroupOrder& o = job.order;
  if (!busy_.insert(o.target).second) {
    // Decided on a size that is being changed.
    if (!o.removals.empty()) options_.failed({o.group, o.removals}, "conflict", "it is under way");
    return;
  }
  if (!o.target.starts_with(kPrefix))
    return Fail(job, "gone", "no MachineDeployment is its scaleTarget, so nothing sets its size");
  const SeenObject* seen = state_.Find("MachineDeployment", o.target.substr(kPrefix.size()));
  if (seen == nullptr) return Fail(job, "gone", o.target + " is not there");
  job.path = seen->path + "/scale";
  const KubeKind& machine = *FindKubeKind(seen->api_version, "Machine");
  for (const std::string& key : o.stale_marks) job.marks.push_back({machine.path(key), false});
  for (std::size_t i = 0; i < o.removals.size(); ++i) {
    if (o.machines[i].empty()) return Fail(job, "gone", o.removals[i] + " has no Machine");
    job.marks.push_back({machine.path(o.machines[i]), true});
  }
  tasks_.Start(Run(std::move(job)));
}

// A try that somebody or something was in the way of is followed by another: the size and its
// version are read anew, after a conflict at once.
Task<> GroupScaler::Run(Job job) {
  for (int tries = 1;; ++tries) {
    Task<std::optional<HttpResult>> trying = Try(job);
    const std::optional<HttpResult> obstacle = co_await trying;
    if (!obstacle) co_return;
    if (!options_.may_send()) {
      Fail(job, "refused", kNotLeading);
      co_return;
    }
    if (tries >= options_.tries) {
      Fail(job, CauseOf(*obstacle), job.trouble);
      co_return;
    }
    if (IsConflict(*obstacle)) continue;
    Wait<std::monostate> pause = Pause(client_, std::max(RetryAfterOf(*obstacle), options_.retry));
    co_await pause;
  }
}

Task<std::optional<HttpResult>> GroupScaler::Try(Job& job) {
  HttpRequest read;
  read.path = job.path;
  read.timeout = options_.timeout;
  Wait<HttpResult> reading = Reply(client_, std::move(read));
  const HttpResult seen = co_await reading;
  if (KindOfReply(seen) == ReplyKind::kRefused) {
    Fail(job, CauseOf(seen), "GET: " + TroubleOf(seen));
    co_return std::nullopt;
  }
  const Result<json::value> scale =
      KindOfReply(seen) == ReplyKind::kAccepted ? BodyOf(*seen) : Invalid("no answer");
  if (!scale) {
    if (job.trouble.empty()) job.trouble = "GET: " + TroubleOf(seen);
    co_return seen;
  }
  if (!IsToChange(job, SizeOf(*scale))) co_return std::nullopt;

  for (; job.marked < job.marks.size(); ++job.marked) {
    const Job::MarkStep& mark = job.marks[job.marked];
    Wait<HttpResult> marking = Reply(client_, MarkRequest(mark.path, mark.on));
    const HttpResult marked = co_await marking;
    const bool is_gone = marked && marked->status == kHttpNotFound;
    if (KindOfReply(marked) == ReplyKind::kAccepted || (!mark.on && is_gone)) continue;
    job.trouble = "PATCH of its Machine: " + TroubleOf(marked);
    if (KindOfReply(marked) != ReplyKind::kRefused) co_return marked;
    Fail(job, CauseOf(marked), job.trouble);
    co_return std::nullopt;
  }

  // Zero is said too.
  const json::object body{
      {"metadata",
       json::object{{"resourceVersion", TextIn(*scale, {"metadata", "resourceVersion"})}}},
      {"spec", json::object{{"replicas", job.order.to}}}};
  Wait<HttpResult> writing = Reply(client_, PatchRequest(job.path, body));
  const HttpResult written = co_await writing;
  if (KindOfReply(written) == ReplyKind::kAccepted) {
    Finish(job, /*wrote=*/true);
    co_return std::nullopt;
  }
  job.trouble = "PATCH: " + TroubleOf(written);
  // Whatever else is written on the object changes its version.
  if (KindOfReply(written) == ReplyKind::kRefused && !IsConflict(written)) {
    Fail(job, CauseOf(written), job.trouble);
    co_return std::nullopt;
  }
  job.maybe = job.maybe || KindOfReply(written) == ReplyKind::kUnknown;
  co_return written;
}

HttpRequest GroupScaler::PatchRequest(const std::string& path, const json::object& body) const {
  HttpRequest request = JsonRequest("PATCH", path, body, kMergePatch);
  request.may_send = options_.may_send;
  request.timeout = options_.timeout;
  return request;
}

HttpRequest GroupScaler::MarkRequest(const std::string& machine, bool on) const {
  const json::value value = on ? json::value(kMarkedByUs) : json::value();
  return PatchRequest(
      machine,
      {{"metadata", json::object{{"annotations", json::object{{kDeleteMachine, value}}}}}});
}

bool GroupScaler::IsToChange(const Job& job, std::int32_t size) {
  const NodeGroupOrder& order = job.order;
  RecordRead(job, size);
  if (size == order.to && (job.maybe || order.removals.empty())) {
    Finish(job, /*wrote=*/job.maybe);
    return false;
  }
  if (size == order.from) return true;
  if (order.removals.empty()) {
    Finish(job, /*wrote=*/false);  // somebody else was quicker: the next decision starts from that
  } else {
    Fail(job, "conflict", fmt::format("its size is {} and not {} any more", size, order.from));
  }
  return false;
}

// After a write of ours the size is what it was before it: somebody set it back.
void GroupScaler::RecordRead(const Job& job, std::int32_t size) {
  const auto it = written_.find(job.order.target);
  if (it == written_.end() || job.maybe) return;
  Written& last = it->second;
  if (size != last.from || last.from == last.to) return;
  if (++last.reverts == kManyReverts && options_.fought_over) options_.fought_over(job.order);
}

// Takes marks off that were set for nothing; nobody waits for it, as a mark alone removes nothing,
// and one that stays is taken off with the next order. A size that may have been written needs
// them.
void GroupScaler::Undo(const Job& job) {
  if (job.maybe) return;
  for (std::size_t i = 0; i < job.marked; ++i) {
    if (!job.marks[i].on) continue;
    client_.Send(MarkRequest(job.marks[i].path, false), [](const HttpResult&) {});
  }
}

void GroupScaler::Fail(const Job& job, const char* cause, const std::string& why) {
  Undo(job);
  busy_.erase(job.order.target);
  options_.failed({job.order.group, job.order.removals}, cause, why);
  if (options_.answered) options_.answered();
}

void GroupScaler::Finish(const Job& job, bool wrote) {
  const NodeGroupOrder& order = job.order;
  busy_.erase(order.target);
  if (wrote) {
    Written& last = written_[order.target];
    if (last.from != order.from) last.reverts = 0;
    last.from = order.from;
    last.to = order.to;
    options_.scaled(order);
  }
  if (options_.answered) options_.answered();
}

}  // namespace batholith
