#include "client/http/missing_rules.h"

#include <algorithm>

namespace batholith {
namespace {

constexpr std::chrono::minutes kKept{10};
// More rules than there are.
constexpr std::size_t kMost = 200;

}  // namespace

void MissingRules::Record(std::string_view message, Clock::time_point now) {
  const std::size_t begin = message.find("cannot ");
  if (begin == std::string_view::npos || !message.contains(" in API group \"")) return;
  const std::string_view rule = message.substr(begin);
  const std::size_t end =
      std::min(rule.find(" in the namespace"), rule.find(" at the cluster scope"));
  const std::lock_guard lock(mutex_);
  if (said_.size() < kMost) said_[std::string(rule.substr(0, end))] = now;
}

std::vector<std::string> MissingRules::Current(Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  for (const auto& [rule, when] : said_) {
    if (now - when < kKept) out.push_back(rule);
  }
  return out;
}

}  // namespace batholith
