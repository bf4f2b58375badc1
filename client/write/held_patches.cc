#include "client/write/held_patches.h"

#include <algorithm>
#include <utility>

namespace batholith {
HeldPatches::TimePoint HeldPatches::Held::due() const {
  return std::min(moved + pace.still, began + pace.most);
}

void HeldPatches::Renew(std::vector<Wanted> wanted, TimePoint now) {
  std::map<std::string, Held> renewed;
  for (auto& [item, pace] : wanted) {
    const std::string path = item.patch.path + item.patch.content_type;
    Held held{std::move(item), pace, now, now};
    if (const auto before = held_.find(path); before != held_.end()) {
      held.began = before->second.began;
      if (SayTheSame(before->second.item.patch, held.item.patch)) held.moved = before->second.moved;
    }
    renewed.insert_or_assign(path, std::move(held));
  }
  held_ = std::move(renewed);
}

std::vector<StatusItem> HeldPatches::TakeDue(TimePoint now) {
  std::vector<StatusItem> out;
  for (auto it = held_.begin(); it != held_.end();) {
    if (it->second.due() > now) {
      ++it;
      continue;
    }
    out.push_back(std::move(it->second.item));
    it = held_.erase(it);
  }
  return out;
}

std::vector<StatusItem> HeldPatches::TakeAll() {
  std::vector<StatusItem> out;
  for (auto& [path, held] : held_) out.push_back(std::move(held.item));
  held_.clear();
  return out;
}

std::optional<HeldPatches::TimePoint> HeldPatches::NextAt() const {
  std::optional<TimePoint> next;
  for (const auto& [path, held] : held_) next = std::min(next.value_or(held.due()), held.due());
  return next;
}

}  // namespace batholith
