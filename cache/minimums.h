#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/snapshot.h"

namespace batholith {

// Reads spec.minResources of pod groups. Names that are no resource of a node are left out and told
// together.
class Minimums {
 public:
  // Which names of a group were left out; Volcano's controllers write the same ones into all.
  using LeftOut = std::uint32_t;
  static constexpr LeftOut kNothing = 0;

  // REQUIRES: the snapshot has its schema.
  LeftOut Read(const ResourceList& list, Snapshot& snapshot, ResourcePool& amounts,
               JobFacts& facts);
  // A group that was read is not there any more, or is read again.
  void Forget(LeftOut names);
  void Tell(Snapshot& snapshot) const;

  // Whether reading the list would give the snapshot one more uncounted resource.
  static bool HasUnserved(const ResourceList& list, const ResourceSchema& schema);

 private:
  std::map<std::vector<std::string>, LeftOut> known_;
  std::vector<std::int64_t> groups_{0};  // by LeftOut, how many have it
};

}  // namespace batholith
