#include "client/watch/server_state.h"

#include <algorithm>

#include "client/watch/version.h"

namespace batholith {

void ServerState::Record(const std::string& kind, const std::string& key, SeenObject object) {
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

std::vector<std::string> ServerState::Below(const std::string& kind,
                                            const std::string& parent) const {
  std::vector<std::string> out;
  for (auto it = seen_.lower_bound({kind, ""}); it != seen_.end() && it->first.first == kind;
       ++it) {
    if (it->second.parent == parent) out.push_back(it->first.second);
  }
  return out;
}

bool ServerState::Knows(const std::string& kind, const std::string& name) const {
  return std::ranges::any_of(seen_, [&](const auto& entry) {
    return entry.first.first == kind && entry.second.name == name;
  });
}

}  // namespace batholith
