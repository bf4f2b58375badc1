#include "codec/queue_tree.h"

#include <map>
#include <string_view>

#include "codec/json/field.h"

namespace batholith {
namespace {

using ByName = std::map<std::string_view, const QueueRecord*>;

const QueueRecord* ParentOf(const QueueRecord& queue, const ByName& by_name) {
  const auto it = by_name.find(queue.parent);
  return it == by_name.end() ? nullptr : it->second;
}

// "a -> b -> a". REQUIRES: `first` is in a cycle.
std::string Circle(const QueueRecord& first, const ByName& by_name) {
  std::string out = first.meta.name;
  const QueueRecord* at = &first;
  do {
    out += " -> " + at->parent;
    at = ParentOf(*at, by_name);
  } while (at != &first);
  return out;
}

}  // namespace

std::vector<std::string> QueueTreeProblems(const std::vector<QueueRecord>& queues,
                                           const std::set<std::string>& known) {
  ByName by_name;
  for (const QueueRecord& queue : queues) by_name.emplace(queue.meta.name, &queue);
  std::vector<std::string> out;
  std::set<std::string_view> told;
  std::map<std::string_view, std::string_view> seen;  // queue -> where the first way to it began
  for (const auto& [name, queue] : by_name) {
    const std::string field = "Queue " + Printable(name) + ": spec.parent: ";
    const bool found = by_name.contains(queue->parent) || known.contains(queue->parent);
    if (!queue->parent.empty() && !found && told.insert(queue->parent).second)
      out.push_back(field + "no queue " + Printable(queue->parent));
    const QueueRecord* at = queue;
    while (at != nullptr && seen.try_emplace(at->meta.name, name).second)
      at = ParentOf(*at, by_name);
    if (at != nullptr && seen.at(at->meta.name) == name)
      out.push_back(field + "a cycle: " + Printable(Circle(*at, by_name)));
  }
  return out;
}

}  // namespace batholith
