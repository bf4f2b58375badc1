#include "framework/class_ranking.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "api/wide_loops.h"

namespace batholith {
namespace {

constexpr std::size_t kBlock = BlockedMaxima<std::int32_t>::kBlock;

// A narrow key is 0 where there is no place, else 1 + score, and this more for a place for now.
constexpr std::int32_t kNowKeys = 1 << 30;

constexpr std::size_t Blocks(std::size_t count) { return (count + kBlock - 1) / kBlock; }

// REQUIRES: there is one.
template <typename Key>
Key HighestOf(std::span<const Key> keys) {
  Key highest = keys[0];
  for (const Key& key : keys) highest = highest < key ? key : highest;
  return highest;
}

BATHOLITH_WIDE_LOOPS
std::int32_t HighestOf(std::span<const std::int32_t> keys) {
  std::int32_t highest = keys[0];
  for (const std::int32_t key : keys) highest = highest < key ? key : highest;
  return highest;
}

// False: some score is no whole number from 0 on, or too high a one.
BATHOLITH_WIDE_LOOPS
bool NarrowKeys(const Place* places, const double* scores, std::size_t count, std::int32_t* keys) {
  constexpr double kTooHigh = kNowKeys - 1.5;
  std::int32_t signs = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double score = std::min(std::max(scores[i], -1.0), kTooHigh);
    keys[i] = static_cast<std::int32_t>(score);
    signs |= keys[i];
  }
  std::int64_t rests = 0;
  for (std::size_t i = 0; i < count; ++i)
    rests |= std::bit_cast<std::int64_t>(static_cast<double>(keys[i]) - scores[i]);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t base = places[i] == Place::kNow ? kNowKeys + 1 : 1;
    keys[i] = places[i] == Place::kNone ? 0 : base + keys[i];
  }
  return signs >= 0 && rests == 0;
}

}  // namespace

template <typename Key>
BlockedMaxima<Key>::BlockedMaxima(std::size_t count)
    : keys_(count),
      highest_(Blocks(count)),
      top_(Blocks(highest_.size())),
      stale_(top_.size() * kBlock) {}

template <typename Key>
void BlockedMaxima<Key>::Rescan(std::size_t blocks) {
  const std::size_t begin = blocks * kBlock;
  const std::size_t end = std::min(highest_.size(), begin + kBlock);
  for (std::size_t b = begin; b < end; ++b) {
    if (std::exchange(stale_[b], 0) == 0) continue;
    const std::size_t first = b * kBlock;
    highest_[b] = HighestOf(
        std::span<const Key>(keys_).subspan(first, std::min(kBlock, keys_.size() - first)));
  }
  top_[blocks] = HighestOf(std::span<const Key>(highest_).subspan(begin, end - begin));
}

template <typename Key>
std::size_t BlockedMaxima<Key>::Best() {
  for (std::size_t blocks = 0; blocks < top_.size(); ++blocks) {
    const auto stale = std::span(stale_).subspan(blocks * kBlock).template first<kBlock>();
    if (HighestOf<std::uint8_t>(stale) != 0) Rescan(blocks);
  }
  const Key highest = HighestOf(std::span<const Key>(top_));
  const auto find = [&](const std::vector<Key>& in, std::size_t from) {
    while (in[from] < highest) ++from;
    return from;
  };
  return find(keys_, find(highest_, find(top_, 0) * kBlock) * kBlock);
}

ClassRanking::ClassRanking(std::size_t nodes) : narrow_(nodes), wide_(0) {}

void ClassRanking::Set(NodeIndex node, Place place, double score) {
  if (wide_.size() == 0) {
    std::int32_t key = 0;
    if (NarrowKeys(&place, &score, 1, &key)) return narrow_.Set(node.value(), key);
    Widen();
  }
  wide_.Set(node.value(), {place, place == Place::kNone ? 0 : score});
}

void ClassRanking::Set(std::span<const NodeIndex> nodes, std::span<const Place> places,
                       std::span<const double> scores) {
  std::array<std::int32_t, kBlock> keys;
  for (std::size_t begin = 0; begin < nodes.size(); begin += kBlock) {
    const std::size_t end = std::min(nodes.size(), begin + kBlock);
    if (wide_.size() == 0 && NarrowKeys(&places[begin], &scores[begin], end - begin, keys.data())) {
      for (std::size_t i = begin; i < end; ++i) narrow_.Set(nodes[i].value(), keys[i - begin]);
    } else {
      for (std::size_t i = begin; i < end; ++i) Set(nodes[i], places[i], scores[i]);
    }
  }
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
