#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "client/watch/watch_events.h"

namespace batholith {

// Which objects of a kind were told, so that a list after a gap shows what went away meanwhile, and
// the same version is told once. Pure.
class KnownObjects {
 public:
  using Gone = std::vector<std::pair<std::string, std::string>>;  // key and uid, by key

  struct Change {
    bool is_news = false;  // another version than the one that was told
    Gone gone;             // another object had the name before
  };

  bool empty() const { return objects_.empty(); }
  Change Put(const ObjectHead& head);
  // An object that came on another way. Whether it is news: one that is known, and newer. What Put
  // brings of it after that and is older is none.
  bool Hear(const ObjectHead& head);
  Gone Remove(const std::string& key);
  // What is not put between both is gone at the end. A round that never ended does not count.
  void BeginRound() { ++round_; }
  Gone EndRound();
  Gone RemoveAll();

 private:
  struct Known {
    std::string uid;
    std::string version;
    std::uint64_t round = 0;
    bool ahead = false;  // of the watch
  };

  std::map<std::string, Known> objects_;
  std::uint64_t round_ = 0;
};

}  // namespace batholith
