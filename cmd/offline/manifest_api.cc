#include "cmd/offline/manifest_api.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "client/http/reply.h"
#include "cmd/status_request.h"
#include "codec/json/field.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr const char* kSelector = "labelSelector";

// One requirement of a selector.
struct LabelRule {
  std::string key, value;
  bool equal = true;           // else it must be another value, or none
  bool only_presence = false;  // the key alone decides
};

Result<std::vector<LabelRule>> ParseSelector(std::string_view text) {
  std::vector<LabelRule> out;
  while (!text.empty()) {
    std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    LabelRule one;
    if (part.contains('(') || part.contains(' '))
      return Invalid("--selector with -f: must be of the form team=a,tier!=test,has,!has-not");
    const std::size_t equals = part.find('=');
    one.only_presence = equals == std::string_view::npos;
    if (one.only_presence) {
      one.equal = !part.starts_with('!');
      one.key = part.substr(one.equal ? 0 : 1);
    } else {
      one.value = part.substr(part.find_last_of('=') + 1);
      one.equal = equals == 0 || part[equals - 1] != '!';
      one.key = part.substr(0, one.equal ? equals : equals - 1);
    }
    out.push_back(std::move(one));
  }
  return out;
}

bool Matches(const json::value& object, const LabelRule& one) {
  const Field label = FieldIn(object, {"metadata", "labels", one.key.c_str()});
  const bool is = label.is_text() && (one.only_presence || label.Text() == one.value);
  return is == one.equal;
}

bool IsOf(const json::value& object, const KubeKind& kind) {
  return TextIn(object, {"apiVersion"}) == kind.api_version &&
         TextIn(object, {"kind"}) == kind.kind;
}

}  // namespace

ManifestApi::ManifestApi(Objects objects) : objects_(std::move(objects)) { SortByKey(objects_); }

Result<json::value> ManifestApi::Get(const KubeKind& kind, const std::string& namespace_,
                                     const std::string& name) {
  for (const json::value& object : objects_) {
    if (IsOf(object, kind) && TextIn(object, {"metadata", "name"}) == name &&
        (!kind.namespaced || TextIn(object, {"metadata", "namespace"}) == namespace_))
      return object;
  }
  return std::unexpected(Error{ErrorCode::kNotFound, kind.name() + " " +
                                                         (kind.namespaced ? namespace_ + "/" : "") +
                                                         name + ": is not among the manifests"});
}

Result<Objects> ManifestApi::List(const Kinds& kinds, const std::string& namespace_,
                                  const std::string& query) {
  std::vector<LabelRule> wanted;
  if (const auto asked = ParseTarget("/?" + query); asked && asked->query.contains(kSelector)) {
    auto parsed = ParseSelector(asked->query.at(kSelector));
    if (!parsed) return std::unexpected(parsed.error());
    wanted = *std::move(parsed);
  }
  Objects out;
  for (const json::value& object : objects_) {
    const bool of_kind =
        std::ranges::any_of(kinds, [&](const KubeKind* kind) { return IsOf(object, *kind); });
    const bool here = namespace_.empty() || TextIn(object, {"metadata", "namespace"}) == namespace_;
    const bool matches =
        std::ranges::all_of(wanted, [&](const LabelRule& one) { return Matches(object, one); });
    if (of_kind && here && matches) out.push_back(object);
  }
  return out;
}

// What the simulator makes something of.
Result<bool> ManifestApi::IsServed(const KubeKind& kind) {
  return std::string_view(kind.api_version) != kJobKind.api_version;
}

}  // namespace batholith
