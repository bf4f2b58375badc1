#include "client/server_state.h"

#include <algorithm>

#include "client/version.h"

namespace batholith {

void ServerState::Note(const std::string& kind, const std::string& key, SeenObject object) {
  SeenObject& known = seen_[{kind, key}];
  if (known.uid == object.uid && IsOlderVersion(object.version, known.version)) return;
  known = std::move(object);
}

void ServerState::Forget(const std::string& kind, const std::string& key, const std::string& uid) {
  const auto it = seen_.find({kind, key});
  if (it != seen_.end() && (uid.empty() || it->second.uid == uid)) seen_.erase(it);
}

SeenObject* ServerState::Find(const std::string& kind, const std::string& key) {
  const auto it = seen_.find({kind, key});
  return it == seen_.end() ? nullptr : &it->second;
}

bool ServerState::Knows(const std::string& kind, const std::string& name) const {
  return std::ranges::any_of(seen_, [&](const auto& entry) {
    return entry.first.first == kind && entry.second.name == name;
  });
}

}  // namespace batholith
