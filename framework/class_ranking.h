#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "api/ids.h"

namespace batholith {

// Whether a node takes a task: as good as the number is high.
enum class Place : std::uint8_t { kNone, kReserved, kNow };

// A value for each of many, and which is the highest: blocks of 64 know their own highest, and so
// do blocks of blocks. Cost of Set: O(1); of Best: O(values / 4096 + 64), and O(64) for each block
// that was set.
template <typename Key>
class BlockedMaxima {
 public:
  static constexpr std::size_t kBlock = 64;

  explicit BlockedMaxima(std::size_t count);

  const Key& operator[](std::size_t i) const { return keys_[i]; }
  std::size_t size() const { return keys_.size(); }
  void Set(std::size_t i, const Key& key) {
    keys_[i] = key;
    stale_[i / kBlock] = 1;
  }
  // The lowest index of the highest value. REQUIRES: size() > 0.
  std::size_t Best();

 private:
  // Brings `highest_` of 64 blocks up to date, and tells the highest of them.
  void Rescan(std::size_t blocks);

  std::vector<Key> keys_;
  std::vector<Key> highest_;         // by block, unless it is stale
  std::vector<Key> top_;             // by 64 blocks, unless one of them is stale
  std::vector<std::uint8_t> stale_;  // by block, a multiple of 64 of them
};

// How good each node is for one class of tasks: a place for now before one to be reserved, then the
// higher score. Scores are whole numbers as a rule, and then an entry takes 4 bytes; the first that
// is none makes it 16 bytes for each node.
class ClassRanking {
 public:
  explicit ClassRanking(std::size_t nodes);

  void Set(NodeIndex node, Place place, double score);
  // Of nodes[i], one after the other.
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
  void Widen();

  BlockedMaxima<std::int32_t> narrow_;  // empty once it is wide
  BlockedMaxima<WideKey> wide_;
};

}  // namespace batholith
