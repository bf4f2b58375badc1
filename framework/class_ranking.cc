#include "framework/class_ranking.h"

#include <algorithm>

namespace batholith {
namespace {

// A narrow key is 0 where there is no place, else 1 + score, and this more for a place for now.
constexpr std::int32_t kNowKeys = 1 << 30;

}  // namespace

template <typename Key>
BlockedMaxima<Key>::BlockedMaxima(std::size_t count)
    : keys_(count),
      highest_((count + kBlock - 1) / kBlock),
      stale_((count + kBlock - 1) / kBlock) {}

template <typename Key>
void BlockedMaxima<Key>::Rescan(std::size_t block) {
  const std::size_t end = std::min(keys_.size(), (block + 1) * kBlock);
  Key highest = keys_[block * kBlock];
  for (std::size_t i = block * kBlock; i < end; ++i)
    highest = highest < keys_[i] ? keys_[i] : highest;
  highest_[block] = highest;
  stale_[block] = 0;
}

template <typename Key>
std::size_t BlockedMaxima<Key>::Best() {
  for (const std::uint32_t block : stale_blocks_) Rescan(block);
  stale_blocks_.clear();
  Key highest = highest_[0];
  for (const Key& key : highest_) highest = highest < key ? key : highest;
  const auto is_highest = [&](const Key& key) { return !(key < highest); };
  const auto block = std::ranges::find_if(highest_, is_highest) - highest_.begin();
  const auto begin = keys_.begin() + block * static_cast<std::ptrdiff_t>(kBlock);
  return static_cast<std::size_t>(std::find_if(begin, keys_.end(), is_highest) - keys_.begin());
}

ClassRanking::ClassRanking(std::size_t nodes) : narrow_(nodes), wide_(0) {}

std::int32_t ClassRanking::NarrowKey(Place place, double score) {
  if (!(score >= 0 && score < kNowKeys - 1)) return 0;
  const auto whole = static_cast<std::int32_t>(score);
  if (static_cast<double>(whole) != score) return 0;
  return (place == Place::kNow ? kNowKeys : 0) + 1 + whole;
}

void ClassRanking::Set(NodeIndex node, Place place, double score) {
  if (wide_.size() == 0) {
    const std::int32_t key = place == Place::kNone ? 0 : NarrowKey(place, score);
    if (key != 0 || place == Place::kNone) return narrow_.Set(node.value(), key);
    Widen();
  }
  wide_.Set(node.value(), {place, place == Place::kNone ? 0 : score});
}

void ClassRanking::Set(std::span<const NodeIndex> nodes, std::span<const Place> places,
                       std::span<const double> scores) {
  std::size_t i = 0;
  for (; i < nodes.size() && wide_.size() == 0; ++i) {
    const std::int32_t key = NarrowKey(places[i], scores[i]);
    if (key == 0) break;
    narrow_.Set(nodes[i].value(), key);
  }
  for (; i < nodes.size(); ++i) Set(nodes[i], places[i], scores[i]);
}

void ClassRanking::Widen() {
  wide_ = BlockedMaxima<WideKey>(narrow_.size());
  for (std::size_t i = 0; i < narrow_.size(); ++i) {
    const std::int32_t key = narrow_[i];
    if (key == 0) continue;
    const Place place = key > kNowKeys ? Place::kNow : Place::kReserved;
    const std::int32_t base = place == Place::kNow ? kNowKeys : 0;
    wide_.Set(i, {place, static_cast<double>(key - base - 1)});
  }
  narrow_ = BlockedMaxima<std::int32_t>(0);
}

ClassRanking::Best ClassRanking::Find() {
  if (wide_.size() > 0) {
    const std::size_t i = wide_.Best();
    return wide_[i].place == Place::kNone ? Best{} : Best{NodeIndex(i), wide_[i].place};
  }
  if (narrow_.size() == 0) return {};
  const std::size_t i = narrow_.Best();
  const std::int32_t key = narrow_[i];
  if (key == 0) return {};
  return {NodeIndex(i), key > kNowKeys ? Place::kNow : Place::kReserved};
}

}  // namespace batholith
