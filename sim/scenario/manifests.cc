#include "sim/scenario/manifests.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <set>
#include <utility>

#include "codec/limits.h"
#include "codec/load.h"
#include "codec/yaml.h"
#include "sim/scenario/short_forms.h"

namespace batholith {
namespace {

namespace json = boost::json;

[[noreturn]] void TooMany(const Field& where) {
  where.Fail(fmt::format("makes more than {} objects", kMaxMadeObjects));
}

std::string Numbered(std::string_view text, std::int64_t number) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t hit = text.find("{i}", at);
    out += text.substr(at, hit == text.npos ? hit : hit - at);
    if (hit == text.npos) break;
    out += std::to_string(number);
    at = hit + 3;
  }
  return out;
}

json::value Numbered(const json::value& value, std::int64_t number) {
  if (value.is_string()) return json::value(Numbered(std::string_view(value.get_string()), number));
  if (value.is_array()) {
    json::array out;
    for (const json::value& element : value.get_array()) out.push_back(Numbered(element, number));
    return out;
  }
  if (value.is_object()) {
    json::object out;
    for (const auto& [key, element] : value.get_object()) {
      out[Numbered(std::string_view(key), number)] = Numbered(element, number);
    }
    return out;
  }
  return value;
}

// A list of objects, or documents of a file: `kind: List` taken apart, so that `replicate` sees
// what is in it.
void Append(json::value value, const std::string& where, std::vector<Manifest>& out) {
  const Field glance = Field::Glance(value);
  const std::string kind = glance["kind"].Text();
  const bool is_list = kind == "List" || kind.ends_with("List");
  if (!is_list || !glance["items"].is_list()) {
    out.push_back({std::move(value), where});
    return;
  }
  std::size_t i = 0;
  for (json::value& item : value.get_object()["items"].get_array())
    Append(std::move(item), fmt::format("{}.items[{}]", where, i++), out);
}

// Errors of the files themselves name the file, not the field.
template <typename T>
T Unwrap(Result<T> result, const Field& name) {
  if (!result) name.Fail(result.error().message);
  return std::move(*result);
}

void AppendFile(const Field& name, const std::string& folder, std::vector<Manifest>& out) {
  const std::string text = name.Scalar();
  const std::string file = text.starts_with('/') || folder.empty() ? text : folder + "/" + text;
  std::size_t i = 0;
  for (json::value& document : Unwrap(ParseDocuments(Unwrap(ReadText(file), name), file), name))
    Append(std::move(document), fmt::format("{}: document {}", file, ++i), out);
}

std::vector<Manifest> Replicate(std::vector<Manifest> manifests, const Field& replicate) {
  if (replicate.Object().empty()) return manifests;
  std::int64_t made = 0;
  std::set<std::string> unused;
  for (const auto& [reference, count] : replicate.Entries()) unused.insert(reference);
  std::vector<Manifest> out;
  for (Manifest& manifest : manifests) {
    const std::string reference = ReferenceOf(manifest.value);
    const Field count = replicate[reference];
    if (count.value() == nullptr) {
      out.push_back(std::move(manifest));
      continue;
    }
    unused.erase(reference);
    const std::int64_t n = count.Int(-1, 0, kMaxCopies);
    if (n < 0) count.Fail("must be a whole number, not nothing");
    CheckCopies(n, manifest.value, count);
    made += n;
    if (made > kMaxMadeObjects) TooMany(count);
    for (std::int64_t i = 0; i < n; ++i)
      out.push_back({Numbered(manifest.value, i), manifest.where, true});
  }
  if (!unused.empty())
    replicate.Fail("no object " + *unused.begin() + "; expected kind/name or kind/namespace/name");
  return out;
}

}  // namespace

std::int64_t MadeOf(const std::vector<Manifest>& manifests) {
  return std::ranges::count(manifests, true, &Manifest::made);
}

std::string ReferenceOf(const json::value& object) {
  const std::string kind = TextIn(object, {"kind"});
  const std::string name = TextIn(object, {"metadata", "name"});
  std::string space = TextIn(object, {"metadata", "namespace"});
  static const std::set<std::string, std::less<>> kClusterScoped{
      "Node",          "Namespace",    "Queue",
      "PriorityClass", "StorageClass", "PersistentVolume",
      "CSINode",       "CSIDriver",    "VolumeAttachment",
      "HyperNode",     "Numatopology", "NodeGroup",
      "DeviceClass",   "ResourceSlice"};
  if (kClusterScoped.contains(kind)) return kind + "/" + name;
  if (space.empty()) space = "default";
  return kind + "/" + space + "/" + name;
}

std::vector<Manifest> CollectManifests(const Field& block, std::string_view plain_field,
                                       const Field& replicate, const std::string& folder) {
  std::vector<Manifest> out;
  std::int64_t made = 0;
  for (const auto& [field, list] : block.Entries()) {
    const bool is_short = std::ranges::find(kShortForms, field) != kShortForms.end();
    if (field != plain_field && field != "files" && !is_short) continue;
    for (const Field& item : list.Items()) {
      if (field == "files") {
        AppendFile(item, folder, out);
      } else if (!is_short) {
        Append(*item.value(), item.path(), out);
      } else {
        const std::size_t before = out.size();
        for (json::value& object : ExpandShortForm(field, item))
          out.push_back({std::move(object), item.path(), true});
        made += static_cast<std::int64_t>(out.size() - before);
        if (made > kMaxMadeObjects) TooMany(item);
      }
    }
  }
  return Replicate(std::move(out), replicate);
}

std::vector<Manifest> ImpliedObjects(const Field& block, const std::vector<Manifest>& declared) {
  std::set<std::string> known;
  for (const Manifest& manifest : declared) {
    const std::string kind = TextIn(manifest.value, {"kind"});
    if (kind == "Queue" || kind == "Namespace") known.insert(ReferenceOf(manifest.value));
  }
  std::vector<Manifest> out;
  const auto imply = [&](std::string_view kind, const std::string& name) {
    if (!known.insert(std::string(kind) + "/" + name).second) return;
    json::object object;
    object["apiVersion"] = kind == "Queue" ? "scheduling.volcano.sh/v1beta1" : "v1";
    object["kind"] = kind;
    object["metadata"] = json::object{{"name", name}};
    if (kind == "Queue") {
      object["spec"] = json::object{{"weight", 1}};
      object["status"] = json::object{{"state", "Open"}};
    }
    out.push_back({std::move(object), std::string(kind) + " " + name});
  };
  for (const Field& job : block["jobs"].Items()) {
    imply("Queue", job["queue"].Scalar("default"));
    imply("Namespace", job["namespace"].Scalar("default"));
  }
  return out;
}

}  // namespace batholith
