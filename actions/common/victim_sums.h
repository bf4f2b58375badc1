#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "api/resource_table.h"
#include "framework/session.h"

namespace batholith {

// The room that each node would have if everybody left who may fall for the reclaimers of one
// queue and whose job nobody spares. A node whose room of that kind is too small for a class of
// tasks stays so until its sum rises, so the next one of the class starts behind it. Kept as tasks
// move: a node is added up anew when something on it has moved or a job on it is spared or no
// longer is. Lives for one action. Memory: a row of the schema's width a node.
class VictimSums {
 public:
  // What a reclaimer asks for; it refers to it.
  struct Asker {
    const ResourceVector* request = nullptr;
    std::span<const std::size_t> wanted;  // resources that it asks for
    bool guarded = false;                 // what placeholders hold is no room for it
  };

  explicit VictimSums(const Session& session);

  // Takes up what moved since the last call; from now on for reclaimers of this queue. Cost: what
  // moved; for another queue than before all is forgotten.
  void Refresh(QueueIndex reclaimers);
  // Where to begin: nodes before it cannot take tasks of this class.
  NodeIndex FirstFor(ClassIndex class_);
  // Whether the asker would fit, by its resources, if everybody fell. Cost: O(dimensions), or the
  // tasks on the node where these have to be added up. REQUIRES: no trial is under way.
  bool CouldHold(NodeIndex node, const Asker& asker);
  // The node cannot take tasks of this class: as CouldHold says, or `refused` by what changes only
  // when something on the node moves.
  void PassOver(NodeIndex node, ClassIndex class_, bool refused);

 private:
  enum class Sum : std::uint8_t {
    kUnknown,
    kOutdated,  // what is written was true, and risen_ says if it may have been raised
    kCurrent,
  };
  struct Progress {                // of a class
    std::uint32_t reclaimers = 0;  // see reclaimers_changed_
    NodeIndex first;
    std::uint32_t cursor = 0;  // into risen_
  };

  bool MayFall(TaskIndex task);
  bool IsSpared(JobIndex job);
  void LookAtJobs();
  void LookAtNodes();
  void AddUp(NodeIndex node);

  const Session& session_;
  const Snapshot& snapshot_;
  const std::size_t width_;
  QueueIndex reclaimers_;                 // of which queue
  std::uint32_t reclaimers_changed_ = 0;  // so often
  std::size_t moved_;                     // cursors into the session's logs
  std::size_t touched_;
  std::vector<std::int8_t> spared_;  // by JobIndex; -1: not asked yet
  std::vector<Sum> known_;           // by NodeIndex
  std::vector<bool> refused_;        // by NodeIndex: some class passed over it for that
  ResourceTable rooms_;              // by NodeIndex
  std::vector<NodeIndex> risen_;     // nodes that may take what they could not, oldest first
  std::vector<Progress> progress_;   // by ClassIndex
};

}  // namespace batholith
