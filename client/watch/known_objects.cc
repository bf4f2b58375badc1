#include "client/watch/known_objects.h"

#include "client/watch/version.h"

namespace batholith {

KnownObjects::Change KnownObjects::Put(const ObjectHead& head) {
  const auto [entry, is_new] = objects_.try_emplace(head.key);
  Known& known = entry->second;
  Change change;
  if (known.ahead && known.uid == head.uid && IsOlderVersion(head.version, known.version)) {
    known.round = round_;
    return change;
  }
  if (!is_new && known.uid != head.uid) change.gone.emplace_back(head.key, known.uid);
  change.is_news = is_new || known.version != head.version || !change.gone.empty();
  known = {head.uid, head.version, round_};
  return change;
}

bool KnownObjects::Hear(const ObjectHead& head) {
  const auto entry = objects_.find(head.key);
  if (entry == objects_.end()) return false;
  Known& known = entry->second;
  if (known.uid != head.uid || !IsOlderVersion(known.version, head.version)) return false;
  known.version = head.version;
  known.ahead = true;
  return true;
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
