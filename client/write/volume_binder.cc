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

bool IsGoing(const json::value& object) {
  return !TextIn(object, {"metadata", "deletionTimestamp"}).empty();
}

// An object inside another, made where it is missing or is something else.
json::object& Inner(json::object& outer, std::string_view name) {
  json::value& inner = outer[name];
  if (!inner.is_object()) inner.emplace_object();
  return inner.as_object();
}

std::string AnnotationOf(const json::value& object, std::string_view key) {
  return FieldIn(object, {"metadata", "annotations"})[key].Text();
}

bool IsBound(const json::value& claim) {
  return !TextIn(claim, {"spec", "volumeName"}).empty() &&
         FieldIn(claim, {"metadata", "annotations"})[kBindCompleted].present();
}

// Whether a volume can be used on the node, as far as its affinity says.
bool Reaches(const json::value& volume, const json::value& node) {
  Flaws flaws;  // of objects that the server stores; what cannot be read matches nothing
  const PersistentVolumeRecord record = ReadPersistentVolume(Field(&volume, "", &flaws));
  const NodeRecord there = ReadNode(Field(&node, "", &flaws));
  return !record.node_affinity ||
         std::ranges::any_of(*record.node_affinity, [&](const NodeSelectorTerm& term) {
           return MatchesTerm(term, there);
         });
}

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
                                  [&](json::object& claim) { return AskFor(node, choice, claim); });
    Trouble trouble = co_await asking;
    co_return trouble;
  }
  Task<Result<json::value>> reading = Read(ClaimText(choice), ClaimPath(choice.claim));
  const Result<json::value> claim = co_await reading;
  if (!claim) co_return claim.error().message;
  const Look look = JudgeClaim(choice, node, *claim);
  if (look.kind == Look::Kind::kNever) co_return look.why;
  if (look.kind == Look::Kind::kBound) co_return std::nullopt;
  Task<Trouble> reserving =
      Update("PersistentVolume " + choice.volume, VolumePath(choice.volume),
             [&](json::object& volume) { return ReserveFor(*claim, choice, volume); });
  Trouble trouble = co_await reserving;
  co_return trouble;
}

// Source: BindVolume of kube-scheduler's volume binder. A claim that the user named himself is made
// complete; only what was chosen here is marked as bound by a controller, so that the volume is
// free again once its claim is gone.
VolumeBinder::Change VolumeBinder::ReserveFor(const json::value& claim, const VolumeChoice& choice,
                                              json::object& volume) {
  const json::value whole = volume;
  const auto never = [&](const std::string& why) {
    return Change{Change::Kind::kNever, fmt::format("PersistentVolume {} {}", choice.volume, why)};
  };
  if (IsGoing(whole)) return never("is being deleted");
  const std::string uid = TextIn(claim, {"metadata", "uid"});
  const std::string named = TextIn(whole, {"spec", "claimRef", "name"});
  const std::string key = TextIn(whole, {"spec", "claimRef", "namespace"}) + "/" + named;
  const std::string known = TextIn(whole, {"spec", "claimRef", "uid"});
  if (!named.empty() && (key != choice.claim || (!known.empty() && known != uid)))
    return never("was taken by PersistentVolumeClaim " + key);
  if (!named.empty() && known == uid) return {};
  if (named.empty()) Inner(Inner(volume, "metadata"), "annotations")[kBoundByController] = "yes";
  const std::size_t slash = choice.claim.find('/');
  Inner(volume, "spec")["claimRef"] =
      json::object{{"kind", "PersistentVolumeClaim"},
                   {"apiVersion", "v1"},
                   {"namespace", choice.claim.substr(0, slash)},
                   {"name", choice.claim.substr(slash + 1)},
                   {"uid", uid},
                   {"resourceVersion", TextIn(claim, {"metadata", "resourceVersion"})}};
  return {Change::Kind::kWrite};
}

VolumeBinder::Change VolumeBinder::AskFor(const std::string& node, const VolumeChoice& choice,
                                          json::object& claim) {
  const json::value whole = claim;
  if (IsGoing(whole)) return {Change::Kind::kNever, ClaimText(choice) + " is being deleted"};
  if (IsBound(whole)) return {};
  const std::string selected = AnnotationOf(whole, kSelectedNode);
  if (selected == node) return {};
  if (!selected.empty())
    return {Change::Kind::kNever,
            fmt::format("{} is being provisioned on node {}", ClaimText(choice), selected)};
  Inner(Inner(claim, "metadata"), "annotations")[kSelectedNode] = node;
  return {Change::Kind::kWrite};
}

Task<VolumeBinder::Trouble> VolumeBinder::Update(std::string what, std::string path,
                                                 Changer change) {
  std::string trouble = kNotLeading;
  std::chrono::milliseconds pause = options_.first_pause;
  for (int tries = 0; tries < options_.tries && options_.may_send(); ++tries) {
    Task<Result<json::value>> reading = Read(what, path);
    Result<json::value> object = co_await reading;
    if (!object) co_return object.error().message;
    const Change wanted = change(object->as_object());
    if (wanted.kind == Change::Kind::kStands) co_return std::nullopt;
    if (wanted.kind == Change::Kind::kNever) co_return wanted.why;
    HttpRequest request = JsonRequest("PUT", path, *object);
    request.may_send = options_.may_send;
    request.timeout = options_.timeout;
    Wait<HttpResult> writing = Reply(client_, std::move(request));
    const HttpResult written = co_await writing;
    const ReplyKind kind = KindOfReply(written);
    if (kind == ReplyKind::kDone) co_return std::nullopt;
    trouble = fmt::format("{} is not written: {}", what, TroubleOf(written));
    // Whatever else is written on the object changes its version.
    if (kind == ReplyKind::kRefused && written->status != 409) co_return trouble;
    Wait<std::monostate> waiting = Pause(client_, std::max(RetryAfterOf(written), pause));
    co_await waiting;
    pause = std::min(pause * 2, options_.longest_pause);
  }
  co_return trouble;
}

Task<Result<json::value>> VolumeBinder::Read(std::string what, std::string path) {
  std::chrono::milliseconds pause = options_.first_pause;
  while (options_.may_send()) {
    HttpRequest request;
    request.path = path;
    request.timeout = options_.timeout;
    Wait<HttpResult> reading = Reply(client_, std::move(request));
    const HttpResult seen = co_await reading;
    if (seen && seen->status == 404) co_return Invalid(what + " is gone");
    const ReplyKind kind = KindOfReply(seen);
    if (kind == ReplyKind::kRefused)
      co_return Invalid(fmt::format("{} cannot be read: {}", what, TroubleOf(seen)));
    if (kind == ReplyKind::kDone) {
      Result<json::value> object = BodyOf(*seen);
      if (object && object->is_object()) co_return object;
    }
    Wait<std::monostate> waiting = Pause(client_, std::max(RetryAfterOf(seen), pause));
    co_await waiting;
    pause = std::min(pause * 2, options_.longest_pause);
  }
  co_return Invalid(kNotLeading);
}

Task<VolumeBinder::Trouble> VolumeBinder::AwaitBound(Bind bind) {
  const auto end = std::chrono::steady_clock::now() + options_.patience;
  std::chrono::milliseconds pause = options_.first_pause;
  for (std::size_t bound = 0; bound < bind.volumes.size();) {
    Task<Look> looking = LookAt(bind.volumes[bound], bind.node);
    const Look look = co_await looking;
    if (look.kind == Look::Kind::kNever) co_return look.why;
    if (look.kind == Look::Kind::kBound) {
      ++bound;
      continue;
    }
    if (std::chrono::steady_clock::now() >= end) {
      const auto patience = std::chrono::duration_cast<std::chrono::seconds>(options_.patience);
      co_return fmt::format("{} is not bound after {} s", ClaimText(bind.volumes[bound]),
                            patience.count());
    }
    Wait<std::monostate> waiting = Pause(client_, pause);
    co_await waiting;
    pause = std::min(pause * 2, options_.longest_pause);
  }
  co_return std::nullopt;
}

// What must stay true while it waits. Source: checkBindings of kube-scheduler's volume binder.
VolumeBinder::Look VolumeBinder::JudgeClaim(const VolumeChoice& choice, const std::string& node,
                                            const json::value& claim) {
  const auto never = [&](const std::string& why) {
    return Look{Look::Kind::kNever, ClaimText(choice) + " " + why};
  };
  if (IsGoing(claim)) return never("is being deleted");
  if (TextIn(claim, {"status", "phase"}) == "Lost") return never("has lost its volume");
  const std::string volume = TextIn(claim, {"spec", "volumeName"});
  if (!choice.volume.empty() && !volume.empty() && volume != choice.volume)
    return never(fmt::format("was bound to {} and not to {}", volume, choice.volume));
  if (IsBound(claim)) return {Look::Kind::kBound};
  if (choice.volume.empty() && volume.empty() && AnnotationOf(claim, kSelectedNode) != node)
    return never("got no volume on node " + node + ": its provisioner has given up there");
  return {};
}

Task<VolumeBinder::Look> VolumeBinder::LookAt(VolumeChoice choice, std::string node) {
  Task<Result<json::value>> reading = Read(ClaimText(choice), ClaimPath(choice.claim));
  const Result<json::value> claim = co_await reading;
  if (!claim) co_return Look{Look::Kind::kNever, claim.error().message};
  Look look = JudgeClaim(choice, node, *claim);
  if (look.kind == Look::Kind::kNever) co_return look;
  if (look.kind == Look::Kind::kBound) {
    if (!choice.volume.empty()) co_return look;
    Task<Look> made = LookAtMade(TextIn(*claim, {"spec", "volumeName"}), node);
    look = co_await made;
    co_return look;
  }
  if (choice.volume.empty()) co_return look;
  const std::string what = "PersistentVolume " + choice.volume;
  Task<Result<json::value>> fetching = Read(what, VolumePath(choice.volume));
  const Result<json::value> volume = co_await fetching;
  if (!volume) co_return Look{Look::Kind::kNever, volume.error().message};
  const std::string uid = TextIn(*volume, {"spec", "claimRef", "uid"});
  if (uid != TextIn(*claim, {"metadata", "uid"}))
    co_return Look{Look::Kind::kNever, what + " was taken from " + ClaimText(choice)};
  co_return look;
}

Task<VolumeBinder::Look> VolumeBinder::LookAtMade(std::string volume, std::string node) {
  const std::string what = "PersistentVolume " + volume;
  Task<Result<json::value>> fetching = Read(what, VolumePath(volume));
  const Result<json::value> made = co_await fetching;
  if (!made) co_return Look{Look::Kind::kNever, made.error().message};
  if (!FieldIn(*made, {"spec", "nodeAffinity"}).present()) co_return Look{Look::Kind::kBound};
  Task<Result<json::value>> reading = Read("Node " + node, NodePath(node));
  const Result<json::value> host = co_await reading;
  if (!host) co_return Look{Look::Kind::kNever, host.error().message};
  if (Reaches(*made, *host)) co_return Look{Look::Kind::kBound};
  co_return Look{Look::Kind::kNever,
                 fmt::format("{} was made where node {} cannot reach it", what, node)};
}

}  // namespace batholith
