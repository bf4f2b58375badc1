#include "codec/limits.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <string>

#include "codec/json/field.h"

namespace batholith {
namespace {

namespace json = boost::json;

std::string Child(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}
std::string Child(const std::string& path, std::size_t i) { return fmt::format("{}[{}]", path, i); }

// Calls `visit(child, key or place)` for each entry of a list or mapping.
template <typename Visit>
void ForEachEntry(const json::value& value, Visit visit) {
  if (const json::array* list = value.if_array()) {
    for (std::size_t i = 0; i < list->size(); ++i) visit((*list)[i], i);
  } else if (const json::object* mapping = value.if_object()) {
    for (const auto& entry : *mapping) visit(entry.value(), std::string_view(entry.key()));
  }
}

// How many entries a list or mapping may have.
std::size_t MostEntries(const json::value& value) {
  const json::array* list = value.if_array();
  return list != nullptr && !list->empty() && !list->front().is_primitive() ? kMaxItems
                                                                            : kMaxEntries;
}

std::size_t Entries(const json::value& value) {
  if (const json::array* list = value.if_array()) return list->size();
  if (const json::object* mapping = value.if_object()) return mapping->size();
  return 0;
}

struct Size {
  std::size_t bytes = 0;
  bool crowded = false;  // somewhere there are too many entries
};

// Every value counts for one byte at least, so that lists of nothing have a size too.
Size SizeOf(const json::value& value) {
  Size size{1, Entries(value) > MostEntries(value)};
  if (value.is_string()) size.bytes += value.get_string().size();
  ForEachEntry(value, [&](const json::value& child, auto key) {
    const Size more = SizeOf(child);
    size.bytes += more.bytes;
    size.crowded = size.crowded || more.crowded;
    if constexpr (std::is_same_v<decltype(key), std::string_view>) size.bytes += key.size();
  });
  return size;
}

[[noreturn]] void FailCrowded(const json::value& value, const std::string& path) {
  if (Entries(value) > MostEntries(value)) {
    throw FieldError(
        path.empty() ? "object" : path,
        fmt::format("has {} entries, at most {} may be", Entries(value), MostEntries(value)));
  }
  const json::value* crowded = nullptr;
  std::string where;
  ForEachEntry(value, [&](const json::value& child, auto key) {
    if (crowded != nullptr || !SizeOf(child).crowded) return;
    crowded = &child;
    where = Child(path, key);
  });
  FailCrowded(*crowded, where);
}

// The part that has most of the text is the one to look at.
[[noreturn]] void FailLong(const json::value& value, std::size_t bytes, const std::string& path) {
  const json::value* most = nullptr;
  std::string where;
  ForEachEntry(value, [&](const json::value& child, auto key) {
    if (most != nullptr || SizeOf(child).bytes <= bytes / 2) return;
    most = &child;
    where = Child(path, key);
  });
  if (most != nullptr) FailLong(*most, bytes, where);
  throw FieldError(path.empty() ? "object" : path,
                   fmt::format("makes the object {:.1f} MB long, at most {} MB may be",
                               static_cast<double>(bytes) / (1U << 20U), kMaxObjectBytes >> 20U));
}

}  // namespace

std::size_t TextBytes(const json::value& value) { return SizeOf(value).bytes; }

void CheckSize(const json::value& object) {
  const Field meta = Field(&object, "")["metadata"];
  for (const char* name : {"name", "namespace"}) {
    if (const std::size_t n = meta[name].Text().size(); n > kMaxNameBytes) {
      meta[name].Fail(fmt::format("has {} bytes, at most {} may be", n, kMaxNameBytes));
    }
  }
  const Size size = SizeOf(object);
  if (size.crowded) FailCrowded(object, "");
  if (size.bytes > kMaxObjectBytes) FailLong(object, size.bytes, "");
}

std::size_t MadeBytes(const PodRecord& pod) {
  constexpr std::size_t kMapEntryBytes = 96;  // a node of a map with two texts
  // A name stands in the uid and in the books of the reader, too.
  std::size_t bytes = 3 * (pod.meta.name.size() + pod.meta.namespace_.size()) +
                      pod.meta.owner->name.size() + pod.group.size() + pod.task_role.size();
  for (const Labels* labels : {&*pod.meta.labels, &*pod.meta.annotations}) {
    for (const auto& [key, value] : *labels) bytes += key.size() + value.size() + kMapEntryBytes;
  }
  return bytes;
}

}  // namespace batholith
