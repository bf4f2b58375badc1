#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace batholith {

// What has happened to the records of one kind since a snapshot was taken of them: where each one
// of the snapshot stands now, which are others than then, and which have gone. Cost: O(1) a change.
class ChangedPlaces {
 public:
  enum class State : std::uint8_t {
    kSame,
    kMoved,    // the same record at another place
    kChanged,  // it says something else
    kNew,      // it is not in the snapshot
  };
  static constexpr std::uint32_t kNone = 0xffffffffU;

  // A record came to the end.
  void Add();
  void Change(std::size_t place);
  // Another object stands where one was, of the same name or from now on elsewhere in the order.
  void Replace(std::size_t place);
  // It goes, and the last one takes its place.
  void Remove(std::size_t place);

  // All records are in the snapshot as they are; `index` tells where each of them stands there.
  void Reset(std::vector<std::uint32_t> index);

  std::size_t size() const { return index_.size(); }
  State state(std::size_t place) const { return states_[place]; }
  // Place of the record in the snapshot; kNone: it is not there.
  std::uint32_t index(std::size_t place) const { return index_[place]; }
  void Put(std::size_t place, std::uint32_t index) { index_[place] = index; }
  // Places in the snapshot of what has gone.
  const std::vector<std::uint32_t>& removed() const { return removed_; }
  // Places whose state is not kSame. Cost: a look at each, where anything has happened.
  std::vector<std::uint32_t> Touched() const;
  // What has happened is in the snapshot now.
  void Settle();

 private:
  std::vector<std::uint32_t> index_;  // by place
  std::vector<State> states_;         // by place
  std::vector<std::uint32_t> removed_;
  bool quiet_ = true;  // nothing has happened
};

}  // namespace batholith
