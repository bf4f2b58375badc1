#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "actions/common/spare_room.h"
#include "actions/slack/model/placement.h"
#include "framework/session.h"

namespace batholith {

// What decides where the placeholders of one source may stand, beside their size.
struct SlackClass {
  TaskIndex sample;  // a pod like them: the session's predicates are asked; none: no constraints
};

enum class SlackOrder : std::uint8_t {
  kPack,    // nodes on which real pods use most come first
  kSpread,  // those on which they use least
};

// The nodes as a session leaves them. Lives for one action.
class SessionRoom : public SlackRoom {
 public:
  // `takes_slack` by node, see TakesSlack. Both spans outlive the room.
  SessionRoom(Session& session, std::span<const SlackClass> classes,
              const std::vector<bool>& takes_slack, SlackOrder order);

  std::span<const NodeIndex> Order() override;
  ResourceVector Free(NodeIndex node) override;
  bool MayStay(std::uint32_t item_class, NodeIndex node) override;
  bool MayCome(std::uint32_t item_class, NodeIndex node) override;
  void OnPlaced(std::uint32_t item_class, NodeIndex node) override;
  SlackSpread* Spread(std::uint32_t item_class) override;
  // Topology labels of nodes to which the class's spread lets no more come, by now.
  std::set<std::pair<std::string, std::string>> ClosedDomains(std::uint32_t item_class) const;

 private:
  struct Alone {  // a topology of which a domain takes one placeholder of the class
    std::string key;
    std::set<std::string> taken;
  };
  struct ClassState {
    bool by_node = false;  // their ports clash: one a node
    std::set<NodeIndex> nodes;
    std::vector<Alone> alone;
    NodeChecks* checks = nullptr;         // of pods like them; none: no constraints
    std::unique_ptr<SlackSpread> spread;  // none: it has no hard topology spread
  };

  const std::string* Label(NodeIndex node, const std::string& key) const;

  const Session& session_;
  std::span<const SlackClass> classes_;
  const std::vector<bool>& takes_slack_;
  SlackOrder order_by_;
  std::vector<NodeIndex> order_;
  std::vector<ClassState> states_;
  SpareRoom spare_;
};

}  // namespace batholith
