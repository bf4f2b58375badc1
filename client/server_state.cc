#include "client/server_state.h"

#include <charconv>
#include <cstdint>
#include <optional>

namespace batholith {
namespace {

// Versions are numbers of one sequence (kubernetes/enhancements 5504); what is none is not
// compared.
std::optional<std::uint64_t> NumberOf(const std::string& version) {
  std::uint64_t number = 0;
  const char* end = version.data() + version.size();
  const auto [stop, error] = std::from_chars(version.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

bool IsOlder(const std::string& a, const std::string& b) {
  const auto x = NumberOf(a);
  const auto y = NumberOf(b);
  return x && y && *x < *y;
}

}  // namespace

void ServerState::Note(const std::string& kind, const std::string& key, SeenObject object) {
  SeenObject& known = seen_[{kind, key}];
  if (known.uid == object.uid && IsOlder(object.version, known.version)) return;
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

}  // namespace batholith
