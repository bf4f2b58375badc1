#include "client/write/group_scaler.h"

#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "api/node_group.h"
#include "client/http/reply.h"
#include "client/watch/kinds.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr std::string_view kPrefix = "MachineDeployment/";
constexpr const char* kMergePatch = "application/merge-patch+json";
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

// spec.replicas of a Scale, which leaves out a zero.
std::int32_t SizeOf(const json::value& scale) {
  const json::object* object = scale.if_object();
  const json::value* spec = object == nullptr ? nullptr : object->if_contains("spec");
  const json::value* size =
      spec == nullptr || !spec->is_object() ? nullptr : spec->get_object().if_contains("replicas");
  return size == nullptr || !size->is_int64() ? 0 : static_cast<std::int32_t>(size->get_int64());
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
  std::string version;          // of the scale that was read
  int tries = 0;
  bool maybe = false;  // a write came back without its outcome
  bool wrote = false;
  std::string trouble;
};

GroupScaler::GroupScaler(HttpClient& client, ServerState& state, Options options)
    : client_(client), state_(state), options_(std::move(options)) {}

GroupScaler::~GroupScaler() { *alive_ = false; }

void GroupScaler::Add(NodeGroupOrder order) {
  const auto job = std::make_shared<Job>();
  job->order = std::move(order);
  const NodeGroupOrder& o = job->order;
  if (!busy_.insert(o.target).second) {
    // Decided on a size that is being changed.
    if (!o.removals.empty()) options_.failed({o.group, o.removals}, "conflict", "it is under way");
    return;
  }
  if (!o.target.starts_with(kPrefix))
    return Fail(job, "gone", "no MachineDeployment is its scaleTarget, so nothing sets its size");
  const SeenObject* seen = state_.Find("MachineDeployment", o.target.substr(kPrefix.size()));
  if (seen == nullptr) return Fail(job, "gone", o.target + " is not there");
  job->path = seen->path + "/scale";
  const KubeKind& machine = *FindKubeKind(seen->api_version, "Machine");
  for (const std::string& key : o.stale_marks) job->marks.push_back({machine.path(key), false});
  for (std::size_t i = 0; i < o.removals.size(); ++i) {
    if (o.machines[i].empty()) return Fail(job, "gone", o.removals[i] + " has no Machine");
    job->marks.push_back({machine.path(o.machines[i]), true});
  }
  Read(job);
}

void GroupScaler::Send(const Ptr& job, HttpRequest request,
                       void (GroupScaler::*then)(const Ptr&, const HttpResult&)) {
  request.timeout = options_.timeout;
  client_.Send(std::move(request), [this, alive = alive_, job, then](const HttpResult& result) {
    if (*alive) (this->*then)(job, result);
  });
}

HttpRequest GroupScaler::PatchRequest(const std::string& path, const json::object& body) const {
  HttpRequest request;
  request.may_send = options_.may_send;
  request.method = "PATCH";
  request.path = path;
  request.content_type = kMergePatch;
  request.body = json::serialize(body);
  return request;
}

HttpRequest GroupScaler::MarkRequest(const std::string& machine, bool on) const {
  const json::value value = on ? json::value(kMarkedByUs) : json::value();
  return PatchRequest(
      machine,
      {{"metadata", json::object{{"annotations", json::object{{kDeleteMachine, value}}}}}});
}

void GroupScaler::Read(const Ptr& job) {
  HttpRequest request;
  request.path = job->path;
  ++job->tries;
  Send(job, std::move(request), &GroupScaler::OnRead);
}

void GroupScaler::OnRead(const Ptr& job, const HttpResult& result) {
  const ReplyKind kind = KindOfReply(result);
  if (kind == ReplyKind::kRefused) return Fail(job, CauseOf(result), "GET: " + TroubleOf(result));
  const Result<json::value> scale =
      kind == ReplyKind::kDone ? BodyOf(*result) : Result<json::value>(json::value());
  if (kind != ReplyKind::kDone || !scale) return Again(job, result);
  const std::int32_t size = SizeOf(*scale);
  job->version = TextIn(*scale, {"metadata", "resourceVersion"});
  const NodeGroupOrder& order = job->order;
  NoteRead(job, size);
  if (size == order.to && (job->maybe || order.removals.empty())) {
    job->wrote = job->maybe;
    return Finish(job);
  }
  if (size == order.from) return Mark(job);
  const std::string now = fmt::format("its size is {} and not {} any more", size, order.from);
  if (!order.removals.empty()) return Fail(job, "conflict", now);
  Finish(job);  // somebody else was quicker: the next decision starts from that
}

// After a write of ours the size is what it was before it: somebody set it back.
void GroupScaler::NoteRead(const Ptr& job, std::int32_t size) {
  const auto it = written_.find(job->order.target);
  if (it == written_.end() || job->maybe) return;
  Written& last = it->second;
  if (size != last.from || last.from == last.to) return;
  if (++last.reverts == kManyReverts && options_.fought_over) options_.fought_over(job->order);
}

void GroupScaler::Mark(const Ptr& job) {
  if (job->marked == job->marks.size()) return Write(job);
  const Job::MarkStep& mark = job->marks[job->marked];
  Send(job, MarkRequest(mark.path, mark.on), &GroupScaler::OnMarked);
}

void GroupScaler::OnMarked(const Ptr& job, const HttpResult& result) {
  const ReplyKind kind = KindOfReply(result);
  const bool stale = !job->marks[job->marked].on;
  const bool gone = result && result->status == 404;
  if (kind == ReplyKind::kDone || (stale && gone)) {
    ++job->marked;
    return Mark(job);
  }
  job->trouble = "PATCH of its Machine: " + TroubleOf(result);
  if (kind == ReplyKind::kRefused) return Fail(job, CauseOf(result), job->trouble);
  Again(job, result);
}

void GroupScaler::Write(const Ptr& job) {
  // Zero is said too.
  json::object body{{"metadata", json::object{{"resourceVersion", job->version}}},
                    {"spec", json::object{{"replicas", job->order.to}}}};
  Send(job, PatchRequest(job->path, body), &GroupScaler::OnWritten);
}

void GroupScaler::OnWritten(const Ptr& job, const HttpResult& result) {
  const ReplyKind kind = KindOfReply(result);
  if (kind == ReplyKind::kDone) {
    job->wrote = true;
    return Finish(job);
  }
  job->trouble = "PATCH: " + TroubleOf(result);
  // Whatever else is written on the object changes its version.
  const bool conflict = result && result->status == 409;
  if (kind == ReplyKind::kRefused && !conflict) return Fail(job, CauseOf(result), job->trouble);
  job->maybe = job->maybe || kind == ReplyKind::kUnknown;
  Again(job, result);
}

// From the start: the size and its version are read anew, after a conflict at once.
void GroupScaler::Again(const Ptr& job, const HttpResult& result) {
  if (job->trouble.empty()) job->trouble = "GET: " + TroubleOf(result);
  if (!options_.may_send()) return Fail(job, "refused", "this replica does not lead any more");
  if (job->tries >= options_.tries) return Fail(job, CauseOf(result), job->trouble);
  if (result && result->status == 409) return Read(job);
  const auto pause = std::max(RetryAfterOf(result), options_.retry);
  client_.After(pause, [this, alive = alive_, job] {
    if (*alive) Read(job);
  });
}

// Takes marks off that were set for nothing; nobody waits for it, as a mark alone removes nothing,
// and one that stays is taken off with the next order. A size that may have been written needs
// them.
void GroupScaler::Undo(const Ptr& job) {
  if (job->maybe) return;
  for (std::size_t i = 0; i < job->marked; ++i) {
    if (!job->marks[i].on) continue;
    client_.Send(MarkRequest(job->marks[i].path, false), [](const HttpResult&) {});
  }
}

void GroupScaler::Fail(const Ptr& job, const char* cause, const std::string& why) {
  Undo(job);
  busy_.erase(job->order.target);
  options_.failed({job->order.group, job->order.removals}, cause, why);
  if (options_.answered) options_.answered();
}

void GroupScaler::Finish(const Ptr& job) {
  const NodeGroupOrder& order = job->order;
  busy_.erase(order.target);
  if (job->wrote) {
    Written& last = written_[order.target];
    if (last.from != order.from) last.reverts = 0;
    last.from = order.from;
    last.to = order.to;
    options_.scaled(order);
  }
  if (options_.answered) options_.answered();
}

}  // namespace batholith
