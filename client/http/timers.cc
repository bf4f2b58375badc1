#include "client/http/timers.h"

namespace batholith {

void Timers::Add(Token token, TimePoint due, std::function<void()> work) {
  due_.emplace(token, due);
  queue_.emplace(std::pair(due, token), std::move(work));
}

void Timers::Cancel(Token token) {
  const auto entry = due_.find(token);
  if (entry == due_.end()) return;
  queue_.erase(std::pair(entry->second, token));
  due_.erase(entry);
}

std::optional<std::function<void()>> Timers::TakeDue(TimePoint now) {
  if (queue_.empty() || queue_.begin()->first.first > now) return std::nullopt;
  due_.erase(queue_.begin()->first.second);
  return std::move(queue_.extract(queue_.begin()).mapped());
}

std::optional<Timers::TimePoint> Timers::NextAt() const {
  if (queue_.empty()) return std::nullopt;
  return queue_.begin()->first.first;
}

}  // namespace batholith
