#include "cmd/kube_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "api/printable.h"
#include "client/http/escape.h"
#include "client/http/json_request.h"
#include "client/http/reply.h"
#include "codec/json/field.h"
#include "codec/json/text.h"

namespace batholith {

namespace json = boost::json;

namespace {

std::string PathOf(const json::value& object, const KubeKind& kind) {
  return kind.path(Escape(TextIn(object, {"metadata", "namespace"})),
                   Escape(TextIn(object, {"metadata", "name"})));
}

std::unexpected<Error> NoWrites() {
  return Invalid("manifests (-f) cannot be changed; leave -f out to change a cluster");
}

}  // namespace

Kinds KindsNamed(std::initializer_list<const char*> names) {
  Kinds out;
  for (const KubeKind& kind : KubeKinds()) {
    if (std::ranges::any_of(names,
                            [&](const char* name) { return name == std::string(kind.kind); }))
      out.push_back(&kind);
  }
  return out;
}

std::string ListPath(const KubeKind& kind, const std::string& namespace_) {
  if (namespace_.empty() || !kind.namespaced) return kind.list_path();
  std::string path = kind.path(Escape(namespace_), "");
  path.pop_back();
  return path;
}

std::string CellAt(const json::value& value, std::initializer_list<const char*> path,
                   const std::string& otherwise) {
  const Field at = FieldIn(value, path);
  if (!at.present()) return otherwise;
  if (!at.is_text()) return JsonText(*at.value());
  return at.Text().empty() ? otherwise : OneLine(at.Text());
}

std::string AmountsAt(const json::value& value, std::initializer_list<const char*> path) {
  std::string out;
  for (const auto& [name, amount] : FieldIn(value, path).Object())
    out += (out.empty() ? "" : ",") + OneLine(name) + "=" + CellAt(amount, {});
  return out.empty() ? "-" : out;
}

std::string KeyOfObject(const json::value& object) {
  const std::string namespace_ = TextIn(object, {"metadata", "namespace"});
  return (namespace_.empty() ? "" : namespace_ + "/") + TextIn(object, {"metadata", "name"});
}

Result<json::value> ClusterApi::Create(const KubeKind&, const std::string&, const json::value&) {
  return NoWrites();
}
Result<json::value> ClusterApi::Patch(const json::value&, const KubeKind&, const std::string&,
                                      const json::value&) {
  return NoWrites();
}
Result<json::value> ClusterApi::Delete(const json::value&, const KubeKind&) { return NoWrites(); }

void SortByKey(Objects& objects) {
  std::ranges::stable_sort(objects, {}, [](const json::value& object) {
    return std::tuple(TextIn(object, {"metadata", "namespace"}),
                      TextIn(object, {"metadata", "name"}));
  });
}

Result<json::value> KubeApi::Ask(HttpRequest request, const std::string& what) {
  request.timeout = timeout_;
  const bool writes = request.method != "GET";
  const HttpResult reply = client_.SendAndWait(std::move(request));
  const auto fail = [&](ErrorCode code, const std::string& why) {
    return std::unexpected(Error{code, what + ": " + why});
  };
  switch (KindOfReply(reply)) {
    case ReplyKind::kAccepted:
      break;
    case ReplyKind::kRefused:
      return fail(reply->status == kHttpNotFound ? ErrorCode::kNotFound : ErrorCode::kConflict,
                  TroubleOf(reply));
    case ReplyKind::kLater:
    case ReplyKind::kNotSent:
      return fail(ErrorCode::kUnavailable, TroubleOf(reply));
    case ReplyKind::kUnknown:
      return fail(ErrorCode::kUnavailable,
                  TroubleOf(reply) + (writes ? "; it may have been done" : ""));
  }
  Result<json::value> body = BodyOf(*reply);
  if (!body)
    return fail(ErrorCode::kUnavailable, "the answer is not JSON: " + body.error().message);
  return body;
}

Result<json::value> KubeApi::Get(const KubeKind& kind, const std::string& namespace_,
                                 const std::string& name) {
  HttpRequest request;
  request.path = kind.path(Escape(namespace_), Escape(name));
  return Ask(std::move(request),
             kind.name() + " " + (kind.namespaced ? namespace_ + "/" : "") + name);
}

Result<json::value> ClusterApi::Find(const Kinds& kinds, const std::string& namespace_,
                                     const std::string& name) {
  bool served = false;
  for (const KubeKind* kind : kinds) {
    Result<json::value> object = Get(*kind, namespace_, name);
    if (object || object.error().code != ErrorCode::kNotFound) return object;
    if (served) continue;
    const Result<bool> is = IsServed(*kind);
    if (!is) return std::unexpected(is.error());
    served = *is;
  }
  const KubeKind& first = *kinds.front();
  const std::string key = (first.namespaced ? namespace_ + "/" : "") + name;
  return std::unexpected(Error{
      ErrorCode::kNotFound, served
                                ? fmt::format("{} {} not found", first.kind, key)
                                : fmt::format("{} {}: this cluster does not serve that kind ({})",
                                              first.kind, key, first.api_version)});
}

Result<bool> KubeApi::IsServed(const KubeKind& kind) {
  HttpRequest request;
  request.path = kind.list_path() + "?limit=1";
  const Result<json::value> page = Ask(std::move(request), kind.name());
  if (!page && page.error().code == ErrorCode::kNotFound) return false;
  // Who may not list it in all namespaces still knows by that that it is there.
  if (!page && page.error().code != ErrorCode::kConflict) return std::unexpected(page.error());
  return true;
}

Result<Objects> KubeApi::List(const Kinds& kinds, const std::string& namespace_,
                              const std::string& query) {
  Objects out;
  std::set<std::pair<std::string_view, std::string_view>> served;  // versions and kinds
  for (const KubeKind* kind : kinds) {
    if (kind->newer != nullptr && served.contains({kind->newer, kind->kind})) {
      served.emplace(kind->api_version, kind->kind);  // of the same objects
      continue;
    }
    HttpRequest request;
    request.path = ListPath(*kind, namespace_) + (query.empty() ? "" : "?" + query);
    Result<json::value> list = Ask(std::move(request), "list of " + kind->name());
    if (!list && list.error().code == ErrorCode::kNotFound) continue;
    if (!list) return std::unexpected(list.error());
    served.emplace(kind->api_version, kind->kind);
    for (const Field& item : FieldIn(*list, {"items"}).Items()) {
      // Those of built-in kinds come without.
      json::object object{{"apiVersion", kind->api_version}, {"kind", kind->kind}};
      object.insert(item.Object().begin(), item.Object().end());
      out.emplace_back(std::move(object));
    }
  }
  if (served.empty())
    return std::unexpected(Error{ErrorCode::kNotFound,
                                 fmt::format("this cluster does not serve {} ({})",
                                             kinds.front()->plural, kinds.front()->api_version)});
  SortByKey(out);
  return out;
}

Result<json::value> KubeApi::Create(const KubeKind& kind, const std::string& namespace_,
                                    const json::value& object) {
  HttpRequest request = JsonRequest("POST", ListPath(kind, namespace_), object);
  return Ask(std::move(request), kind.name() + " " + KeyOfObject(object));
}

Result<json::value> KubeApi::Patch(const json::value& object, const KubeKind& kind,
                                   const std::string& sub, const json::value& patch) {
  HttpRequest request = JsonRequest("PATCH", PathOf(object, kind) + sub, patch, kMergePatch);
  return Ask(std::move(request), kind.name() + " " + KeyOfObject(object));
}

Result<json::value> KubeApi::Delete(const json::value& object, const KubeKind& kind) {
  HttpRequest request;
  request.method = "DELETE";
  request.path = PathOf(object, kind);
  return Ask(std::move(request), kind.name() + " " + KeyOfObject(object));
}

}  // namespace batholith
