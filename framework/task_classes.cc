#include "framework/task_classes.h"

#include <string>
#include <unordered_map>

#include "framework/chains.h"

namespace batholith {

TaskClasses::TaskClasses(const Snapshot& snapshot, const Chains& chains, const SlackGuard& guard)
    : snapshot_(snapshot), size_(snapshot.base_classes) {
  if (!chains.signs() && !guard.on()) return;
  of_.reserve(snapshot.tasks.size());
  std::unordered_map<std::string, ClassIndex> known;  // looked up only, never walked
  std::string key;
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    key = std::to_string(snapshot.tasks[t].base_class.value());
    chains.Sign(TaskIndex(t), key);
    if (guard.on()) key += guard.MayUse(TaskIndex(t)) ? "\x1f+" : "\x1f-";
    of_.push_back(known.try_emplace(key, ClassIndex(known.size())).first->second);
  }
  size_ = known.size();
}

}  // namespace batholith
