#include "client/write/volume_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/node_match.h"
#include "api/volumes.h"
#include "client/http/json_request.h"
#include "client/http/reply.h"
#include "client/http/wait.h"
#include "client/write/write_once.h"
#include "codec/kinds.h"
#include "codec/kube_kinds.h"

namespace batholith {
namespace {

namespace json = boost::json;

std::string ClaimPath(const std::string& key) {
  return FindKubeKind("v1", "PersistentVolumeClaim")->path(key);
}
std::string VolumePath(const std::string& name) {
  return FindKubeKind("v1", "PersistentVolume")->path(name);
}
std::string NodePath(const std::string& name) { return FindKubeKind("v1", "Node")->path(name); }

std::string ClaimText(const VolumeChoice& choice) {
  return "PersistentVolumeClaim " + choice.claim;
}

// Of objects that the server stores; what cannot be read of them is as the cache has it too.
template <typename Record>
Record RecordOf(Record (*read)(const Field&), const json::value& object) {
  Flaws flaws;
  return read(Field(&object, "", &flaws));
}

// An object inside another, made where it is missing or is something else.
json::object& Inner(json::object& outer, std::string_view name) {
  json::value& inner = outer[name];
  if (!inner.is_object()) inner.emplace_object();
  return inner.as_object();
}

void Annotate(json::value& object, std::string_view key, std::string_view value) {
  Inner(Inner(object.as_object(), "metadata"), "annotations")[key] = value;
}

// Between two looks or tries: longer each time.
class Backoff {
 public:
  Backoff(std::chrono::milliseconds first, std::chrono::milliseconds longest)
      : next_(first), longest_(longest) {}
  Wait<std::monostate> Rest(HttpClient& client, std::chrono::milliseconds at_least = {}) {
    const auto pause = std::exchange(next_, std::min(next_ * 2, longest_));
    return Pause(client, std::max(at_least, pause));
  }

 private:
  std::chrono::milliseconds next_;
  std::chrono::milliseconds longest_;
};

}  // namespace

VolumeBinder::VolumeBinder(HttpClient& client, Options options)
    : client_(client), options_(std::move(options)) {}

Task<VolumeBinder::Trouble> VolumeBinder::Write(Bind bind) {
  for (const VolumeChoice& choice : bind.volumes) {
    Task<Trouble> writing = WriteOne(choice, bind.node);
    Trouble trouble = co_await writing;
    if (trouble) co_return trouble;
  }
  co_return std::nullopt;
}

Task<VolumeBinder::Trouble> VolumeBinder::WriteOne(VolumeChoice choice, std::string node) {
  if (choice.volume.empty()) {
    Task<Trouble> asking = Update(ClaimText(choice), ClaimPath(choice.claim),
                                  [&](json::value& claim) { return AskFor(node, choice, claim); });
    Trouble trouble = co_await asking;
    co_return trouble;
  }
  Task<Result<json::value>> reading = Read(ClaimText(choice), ClaimPath(choice.claim));
  const Result<json::value> seen = co_await reading;
  if (!seen) co_return seen.error().message;
  const auto claim = RecordOf(ReadPersistentVolumeClaim, *seen);
  const Look look = JudgeClaim(choice, node, claim);
  if (look.kind == Look::Kind::kNever) co_return look.why;
  if (look.kind == Look::Kind::kBound) co_return std::nullopt;
  Task<Trouble> reserving =
      Update("PersistentVolume " + choice.volume, VolumePath(choice.volume),
             [&](json::value& volume) { return ReserveFor(claim, choice, volume); });
  Trouble trouble = co_await reserving;
  co_return trouble;
}

// Source: BindVolume of kube-scheduler's volume binder. A claim that the user named himself is made
// complete; only what was chosen here is marked as bound by a controller, so that the volume is
// free again once its claim is gone.
VolumeBinder::Change VolumeBinder::ReserveFor(const PersistentVolumeClaimRecord& claim,
                                              const VolumeChoice& choice, json::value& volume) {
  const auto record = RecordOf(ReadPersistentVolume, volume);
  const auto never = [&](const std::string& why) {
    return Change{Change::Kind::kNever, fmt::format("PersistentVolume {} {}", choice.volume, why)};
  };
  if (record.meta.deleting) return never("is being deleted");
  const std::optional<VolumeClaimRef>& ref = record.claim;
  if (ref && (ref->Key() != choice.claim || (!ref->uid.empty() && ref->uid != claim.meta.uid)))
    return never("was taken by PersistentVolumeClaim " + ref->Key());
  if (ref && ref->uid == claim.meta.uid) return {};
  if (!ref) Annotate(volume, kBoundByController, "yes");
  Inner(volume.as_object(), "spec")["claimRef"] =
      json::object{{"kind", "PersistentVolumeClaim"},
                   {"apiVersion", "v1"},
                   {"namespace", claim.meta.namespace_},
                   {"name", claim.meta.name},
                   {"uid", claim.meta.uid},
                   {"resourceVersion", claim.resource_version}};
  return {Change::Kind::kWrite};
}

VolumeBinder::Change VolumeBinder::AskFor(const std::string& node, const VolumeChoice& choice,
                                          json::value& claim) {
  const auto record = RecordOf(ReadPersistentVolumeClaim, claim);
  if (record.meta.deleting) return {Change::Kind::kNever, ClaimText(choice) + " is being deleted"};
  if (record.bound()) return {};
  if (const std::string* selected = record.selected_node(); selected != nullptr) {
    if (*selected == node) return {};
    return {Change::Kind::kNever,
            fmt::format("{} is being provisioned on node {}", ClaimText(choice), *selected)};
  }
  Annotate(claim, kSelectedNode, node);
  return {Change::Kind::kWrite};
}

Task<VolumeBinder::Trouble> VolumeBinder::Update(std::string what, std::string path,
                                                 Changer change) {
  std::string trouble = kNotLeading;
  Backoff backoff(options_.first_pause, options_.longest_pause);
  for (int tries = 0; tries < options_.tries && options_.may_send(); ++tries) {
    Task<Result<json::value>> reading = Read(what, path);
    Result<json::value> object = co_await reading;
    if (!object) co_return object.error().message;
    const Change wanted = change(*object);
    if (wanted.kind == Change::Kind::kStands) co_return std::nullopt;
    if (wanted.kind == Change::Kind::kNever) co_return wanted.why;
    HttpRequest request = JsonRequest("PUT", path, *object);
    request.may_send = options_.may_send;
    request.timeout = options_.timeout;
    Wait<HttpResult> writing = Reply(client_, std::move(request));
    const HttpResult written = co_await writing;
    const ReplyKind kind = KindOfReply(written);
    if (kind == ReplyKind::kAccepted) co_return std::nullopt;
    trouble = fmt::format("{} is not written: {}", what, TroubleOf(written));
    // Whatever else is written on the object changes its version.
    if (kind == ReplyKind::kRefused && written->status != kHttpConflict) co_return trouble;
    Wait<std::monostate> waiting = backoff.Rest(client_, RetryAfterOf(written));
    co_await waiting;
  }
  co_return trouble;
}

Task<Result<json::value>> VolumeBinder::Read(std::string what, std::string path) {
  Backoff backoff(options_.first_pause, options_.longest_pause);
  while (options_.may_send()) {
    HttpRequest request;
    request.path = path;
    request.timeout = options_.timeout;
    Wait<HttpResult> reading = Reply(client_, std::move(request));
    const HttpResult seen = co_await reading;
    if (seen && seen->status == kHttpNotFound) co_return Invalid(what + " is gone");
    const ReplyKind kind = KindOfReply(seen);
    if (kind == ReplyKind::kRefused)
      co_return Invalid(fmt::format("{} cannot be read: {}", what, TroubleOf(seen)));
    if (kind == ReplyKind::kAccepted) {
      // What has no name is nothing of the API server's.
      Result<json::value> object = BodyOf(*seen);
      if (object && !TextIn(*object, {"metadata", "name"}).empty()) co_return object;
    }
    Wait<std::monostate> waiting = backoff.Rest(client_, RetryAfterOf(seen));
    co_await waiting;
  }
  co_return Invalid(kNotLeading);
}

Task<VolumeBinder::Trouble> VolumeBinder::AwaitBound(Bind bind) {
  const std::chrono::milliseconds patience = options_.patience;
  const auto end = std::chrono::steady_clock::now() + patience;
  Backoff backoff(options_.first_pause, options_.longest_pause);
  for (std::size_t bound = 0; bound < bind.volumes.size();) {
    Task<Look> looking = LookAt(bind.volumes[bound], bind.node);
    const Look look = co_await looking;
    if (look.kind == Look::Kind::kNever) co_return look.why;
    if (look.kind == Look::Kind::kBound) {
      ++bound;
      continue;
    }
    if (std::chrono::steady_clock::now() >= end) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience);
      co_return fmt::format("{} is not bound after {} s", ClaimText(bind.volumes[bound]),
                            seconds.count());
    }
    Wait<std::monostate> waiting = backoff.Rest(client_);
    co_await waiting;
  }
  co_return std::nullopt;
}

// What must stay true while it waits. Source: checkBindings of kube-scheduler's volume binder.
VolumeBinder::Look VolumeBinder::JudgeClaim(const VolumeChoice& choice, const std::string& node,
                                            const PersistentVolumeClaimRecord& claim) {
  const auto never = [&](const std::string& why) {
    return Look{Look::Kind::kNever, ClaimText(choice) + " " + why};
  };
  if (claim.meta.deleting) return never("is being deleted");
  if (claim.phase == ClaimPhase::kLost) return never("has lost its volume");
  if (!choice.volume.empty() && !claim.volume.empty() && claim.volume != choice.volume)
    return never(fmt::format("was bound to {} and not to {}", claim.volume, choice.volume));
  if (claim.bound()) return {Look::Kind::kBound};
  const std::string* selected = claim.selected_node();
  if (choice.volume.empty() && claim.volume.empty() && (selected == nullptr || *selected != node))
    return never("got no volume on node " + node + ": its provisioner has given up there");
  return {};
}

Task<VolumeBinder::Look> VolumeBinder::LookAt(VolumeChoice choice, std::string node) {
  Task<Result<json::value>> reading = Read(ClaimText(choice), ClaimPath(choice.claim));
  const Result<json::value> seen = co_await reading;
  if (!seen) co_return Look{Look::Kind::kNever, seen.error().message};
  const auto claim = RecordOf(ReadPersistentVolumeClaim, *seen);
  Look look = JudgeClaim(choice, node, claim);
  if (look.kind == Look::Kind::kNever) co_return look;
  if (look.kind == Look::Kind::kBound) {
    if (!choice.volume.empty()) co_return look;
    Task<Look> made = LookAtMade(claim.volume, node);
    look = co_await made;
    co_return look;
  }
  if (choice.volume.empty()) co_return look;
  const std::string what = "PersistentVolume " + choice.volume;
  Task<Result<json::value>> fetching = Read(what, VolumePath(choice.volume));
  const Result<json::value> volume = co_await fetching;
  if (!volume) co_return Look{Look::Kind::kNever, volume.error().message};
  const auto record = RecordOf(ReadPersistentVolume, *volume);
  if (!record.claim || record.claim->uid != claim.meta.uid)
    co_return Look{Look::Kind::kNever, what + " was taken from " + ClaimText(choice)};
  co_return look;
}

Task<VolumeBinder::Look> VolumeBinder::LookAtMade(std::string volume, std::string node) {
  const std::string what = "PersistentVolume " + volume;
  Task<Result<json::value>> fetching = Read(what, VolumePath(volume));
  const Result<json::value> made = co_await fetching;
  if (!made) co_return Look{Look::Kind::kNever, made.error().message};
  const auto record = RecordOf(ReadPersistentVolume, *made);
  if (!record.node_affinity) co_return Look{Look::Kind::kBound};
  Task<Result<json::value>> reading = Read("Node " + node, NodePath(node));
  const Result<json::value> host = co_await reading;
  if (!host) co_return Look{Look::Kind::kNever, host.error().message};
  if (MatchesAnyTerm(*record.node_affinity, RecordOf(ReadNode, *host)))
    co_return Look{Look::Kind::kBound};
  co_return Look{Look::Kind::kNever,
                 fmt::format("{} was made where node {} cannot reach it", what, node)};
}

}  // namespace batholith
