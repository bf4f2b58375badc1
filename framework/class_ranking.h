#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "api/ids.h"

namespace batholith {

// Whether a node takes a task: as good as the number is high.
enum class Place : std::uint8_t { kNone, kReserved, kNow };

// A value for each of many, and which is the highest: blocks of 64 know their own highest. Cost of
// Set: O(1); of Best: O(values / 64), and O(64) for each block that was set.
template <typename Key>
class BlockedMaxima {
 public:
  explicit BlockedMaxima(std::size_t count);

  const Key& operator[](std::size_t i) const { return keys_[i]; }
  std::size_t size() const { return keys_.size(); }
  void Set(std::size_t i, const Key& key) {
    const std::size_t block = i / kBlock;
    keys_[i] = key;
    if (stale_[block] != 0) return;
    stale_[block] = 1;
    stale_blocks_.push_back(static_cast<std::uint32_t>(block));
  }
  // The lowest index of the highest value. REQUIRES: size() > 0.
  std::size_t Best();

 private:
  static constexpr std::size_t kBlock = 64;
  void Rescan(std::size_t block);

  std::vector<Key> keys_;
  std::vector<Key> highest_;  // by block, unless it is stale
  std::vector<std::uint8_t> stale_;
  std::vector<std::uint32_t> stale_blocks_;
};

// How good each node is for one class of tasks: a place for now before one to be reserved, then the
// higher score. Scores are whole numbers as a rule, and then an entry takes 4 bytes; the first that
// is none makes it 16 bytes for each node.
class ClassRanking {
 public:
  explicit ClassRanking(std::size_t nodes);

  void Set(NodeIndex node, Place place, double score);
  // Of nodes[i], which have a place.
  void Set(std::span<const NodeIndex> nodes, std::span<const Place> places,
           std::span<const double> scores);
  struct Best {
    NodeIndex node;  // the lowest of equals; none: no node takes it
    Place place = Place::kNone;
  };
  Best Find();

 private:
  struct WideKey {
    Place place = Place::kNone;
    double score = 0;
    bool operator<(const WideKey& o) const {
      return place != o.place ? place < o.place : score < o.score;
    }
  };
  // Of a node with a place; 0: its score is no whole number, or too high a one.
  static std::int32_t NarrowKey(Place place, double score);
  void Widen();

  BlockedMaxima<std::int32_t> narrow_;  // empty once it is wide
  BlockedMaxima<WideKey> wide_;
};

}  // namespace batholith
