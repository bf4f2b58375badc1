#include "sim/scenario/manifests.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <set>
#include <utility>

#include "codec/limits.h"
#include "codec/load.h"
#include "codec/yaml.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/short_forms.h"

namespace batholith {
namespace {

namespace json = boost::json;

std::unexpected<Error> TooMany(const std::string& path) {
  return Invalid(fmt::format("{}: makes more than {} objects", path, kMaxMadeObjects));
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

std::string TextAt(const json::value& value, std::string_view field) {
  if (!value.is_object()) return {};
  const json::value* found = value.get_object().if_contains(field);
  if (found == nullptr || !found->is_string()) return {};
  return std::string(found->get_string());
}

std::string MetaText(const json::value& object, std::string_view field) {
  if (!object.is_object()) return {};
  const json::value* meta = object.get_object().if_contains("metadata");
  return meta == nullptr ? std::string() : TextAt(*meta, field);
}

// A list of objects, or documents of a file: `kind: List` taken apart, so that `replicate` sees
// what is in it.
void Append(json::value value, std::string where, std::vector<Manifest>& out) {
  const std::string kind = TextAt(value, "kind");
  const bool list =
      kind == "List" || (kind.ends_with("List") && value.get_object().contains("items"));
  if (list) {
    if (json::value* items = value.get_object().if_contains("items"); items && items->is_array()) {
      std::size_t i = 0;
      for (json::value& item : items->get_array()) {
        Append(std::move(item), fmt::format("{}.items[{}]", where, i++), out);
      }
      return;
    }
  }
  out.push_back({std::move(value), std::move(where)});
}

Result<void> AppendFiles(const json::array& files, const std::string& folder,
                         const std::string& path, std::vector<Manifest>& out) {
  for (const json::value& entry : files) {
    const Result<std::string> name = AsText(entry, path + ".files");
    if (!name) return std::unexpected(name.error());
    const std::string file =
        name->starts_with('/') || folder.empty() ? *name : folder + "/" + *name;
    const Result<std::string> text = ReadText(file);
    if (!text) return std::unexpected(text.error());
    auto documents = ParseDocuments(*text, file);
    if (!documents) return std::unexpected(documents.error());
    std::size_t i = 0;
    for (auto& document : *documents) {
      Append(std::move(document), fmt::format("{}: document {}", file, ++i), out);
    }
  }
  return {};
}

Result<std::vector<Manifest>> Replicate(std::vector<Manifest> manifests,
                                        const json::object& replicate, const std::string& path) {
  if (replicate.empty()) return manifests;
  std::int64_t made = 0;
  std::set<std::string> unused;
  for (const auto& [key, count] : replicate) unused.emplace(key);
  std::vector<Manifest> out;
  for (Manifest& manifest : manifests) {
    const std::string reference = ReferenceOf(manifest.value);
    const json::value* count = replicate.if_contains(reference);
    if (count == nullptr) {
      out.push_back(std::move(manifest));
      continue;
    }
    unused.erase(reference);
    const std::string where = path + ".replicate." + reference;
    const Result<std::int64_t> n = AsInteger(*count, where);
    if (!n) return std::unexpected(n.error());
    if (*n < 0 || *n > kMaxCopies) {
      return Invalid(fmt::format("{}: expected 0 to {}, got {}", where, kMaxCopies, *n));
    }
    const Result<void> fits = CheckCopies(*n, manifest.value, where);
    if (!fits) return std::unexpected(fits.error());
    made += *n;
    if (made > kMaxMadeObjects) return TooMany(where);
    for (std::int64_t i = 0; i < *n; ++i) {
      out.push_back({Numbered(manifest.value, i), manifest.where, true});
    }
  }
  if (!unused.empty()) {
    return Invalid(path + ".replicate: no object " + *unused.begin() +
                   "; expected kind/name or kind/namespace/name");
  }
  return out;
}

}  // namespace

std::int64_t MadeOf(const std::vector<Manifest>& manifests) {
  return std::ranges::count(manifests, true, &Manifest::made);
}

std::string ReferenceOf(const json::value& object) {
  const std::string kind = TextAt(object, "kind");
  const std::string name = MetaText(object, "name");
  std::string space = MetaText(object, "namespace");
  static const std::set<std::string, std::less<>> kClusterScoped{
      "Node",      "Namespace",    "Queue",    "PriorityClass", "StorageClass", "PersistentVolume",
      "HyperNode", "Numatopology", "NodeGroup"};
  if (kClusterScoped.contains(kind)) return kind + "/" + name;
  if (space.empty()) space = "default";
  return kind + "/" + space + "/" + name;
}

Result<std::vector<Manifest>> CollectManifests(const json::object& block,
                                               std::string_view plain_field,
                                               const json::object& replicate,
                                               const std::string& folder, const std::string& path) {
  std::vector<Manifest> out;
  std::int64_t made = 0;
  for (const auto& [key, value] : block) {
    const std::string_view field = key;
    const bool is_short = std::ranges::find(kShortForms, field) != kShortForms.end();
    if ((field != plain_field && field != "files" && !is_short) || value.is_null()) continue;
    const std::string here = path + "." + std::string(field);
    const auto list = AsList(value, here);
    if (!list) return std::unexpected(list.error());
    if (field == "files") {
      const Result<void> read = AppendFiles(**list, folder, path, out);
      if (!read) return std::unexpected(read.error());
      continue;
    }
    for (std::size_t i = 0; i < (*list)->size(); ++i) {
      const std::string where = fmt::format("{}[{}]", here, i);
      if (!is_short) {
        Append((**list)[i], where, out);
        continue;
      }
      Result<std::vector<json::value>> objects = ExpandShortForm(field, (**list)[i], where);
      if (!objects) return std::unexpected(objects.error());
      for (json::value& object : *objects) out.push_back({std::move(object), where, true});
      made += std::ssize(*objects);
      if (made > kMaxMadeObjects) return TooMany(where);
    }
  }
  return Replicate(std::move(out), replicate, path);
}

std::vector<Manifest> ImpliedObjects(const json::object& block,
                                     const std::vector<Manifest>& declared) {
  std::set<std::string> known;
  for (const Manifest& manifest : declared) {
    const std::string kind = TextAt(manifest.value, "kind");
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
  const json::value* jobs = block.if_contains("jobs");
  if (jobs == nullptr || !jobs->is_array()) return out;
  for (const json::value& job : jobs->get_array()) {
    const std::string queue = TextAt(job, "queue");
    const std::string space = TextAt(job, "namespace");
    imply("Queue", queue.empty() ? "default" : queue);
    imply("Namespace", space.empty() ? "default" : space);
  }
  return out;
}

}  // namespace batholith
