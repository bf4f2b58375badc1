#include "actions/slack/model/spread.h"

#include <algorithm>
#include <utility>

namespace batholith {

std::int64_t SlackSpread::Level::Least(const HardSpread& constraint) const {
  if (std::ssize(constraint.among) < constraint.min_domains) return 0;
  // Without any domain there is nothing to be level with.
  return by_count.empty() ? INT32_MAX : by_count.begin()->first;
}

SlackSpread::SlackSpread(std::vector<HardSpread> constraints)
    : constraints_(std::move(constraints)) {
  for (const HardSpread& c : constraints_) {
    Level& level = levels_.emplace_back();
    level.among.assign(c.pods.size(), false);
    for (const std::uint32_t domain : c.among) {
      level.among[domain] = true;
      ++level.by_count[c.pods[domain]];
    }
  }
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  std::vector<std::uint32_t> domains(constraints_.size());
  for (std::size_t n = 0; n < constraints_.front().domain.size(); ++n) {
    for (std::size_t k = 0; k < domains.size(); ++k) domains[k] = constraints_[k].domain[n];
    if (std::ranges::find(domains, HardSpread::kNoDomain) != domains.end()) {
      lane_of_.push_back(kNoLane);
      continue;
    }
    const auto next = static_cast<std::uint32_t>(domains_.size());
    const auto [it, fresh] = known.try_emplace(domains, next);
    if (fresh) domains_.push_back(domains);
    lane_of_.push_back(it->second);
  }
}

bool SlackSpread::IsClosed(std::size_t constraint, std::uint32_t domain) const {
  const HardSpread& c = constraints_[constraint];
  return c.pods[domain] + (c.self ? 1 : 0) - levels_[constraint].Least(c) > c.max_skew;
}

bool SlackSpread::IsOpen(std::uint32_t lane) const {
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    if (IsClosed(k, domains_[lane][k])) return false;
  }
  return true;
}

bool SlackSpread::IsLevel(std::uint32_t lane) const {
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    const HardSpread& c = constraints_[k];
    const std::int64_t now = c.pods[domains_[lane][k]] + (c.self ? 1 : 0) - (c.counted ? 1 : 0);
    if (now - levels_[k].Least(c) > c.max_skew) return false;
  }
  return true;
}

bool SlackSpread::Add(std::uint32_t lane) { return Change(lane, 1); }

void SlackSpread::Remove(std::uint32_t lane) { Change(lane, -1); }

bool SlackSpread::Change(std::uint32_t lane, std::int64_t by) {
  bool rose = false;
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    HardSpread& c = constraints_[k];
    const std::uint32_t domain = domains_[lane][k];
    if (!c.counted || !levels_[k].among[domain]) continue;
    std::map<std::int64_t, std::size_t>& by_count = levels_[k].by_count;
    const std::int64_t least = by_count.begin()->first;
    const auto it = by_count.find(c.pods[domain]);
    if (--it->second == 0) by_count.erase(it);
    c.pods[domain] += by;
    ++by_count[c.pods[domain]];
    rose = rose || by_count.begin()->first > least;
  }
  return rose;
}

}  // namespace batholith
