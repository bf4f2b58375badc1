#include "client/known_objects.h"

namespace batholith {

KnownObjects::Change KnownObjects::Put(const ObjectHead& head) {
  const auto [entry, is_new] = objects_.try_emplace(head.key);
  Known& known = entry->second;
  Change change;
  if (!is_new && known.uid != head.uid) change.gone.emplace_back(head.key, known.uid);
  change.is_news = is_new || known.version != head.version || !change.gone.empty();
  known = {head.uid, head.version, round_};
  return change;
}

KnownObjects::Gone KnownObjects::Remove(const std::string& key) {
  const auto entry = objects_.find(key);
  if (entry == objects_.end()) return {};
  Gone gone{{key, std::move(entry->second.uid)}};
  objects_.erase(entry);
  return gone;
}

KnownObjects::Gone KnownObjects::EndRound() {
  Gone gone;
  std::erase_if(objects_, [&](const auto& entry) {
    if (entry.second.round == round_) return false;
    gone.emplace_back(entry.first, entry.second.uid);
    return true;
  });
  return gone;
}

KnownObjects::Gone KnownObjects::RemoveAll() {
  BeginRound();
  return EndRound();
}

}  // namespace batholith
