#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "framework/label_topology.h"
#include "framework/session.h"

namespace batholith {

// By which topology a job's pods are close to each other: the plugin's of the conf, or where its
// group names labels of nodes, one of these labels. Trees of labels are made when somebody first
// asks. Lives for one action.
class JobTopologies {
 public:
  explicit JobTopologies(Session& session) : session_(session) {}

  // nullptr: no plugin of the conf knows which nodes are close, or jobs have named more than
  // kMostTrees different labels, so that nobody looks at those of this one.
  TopologyOwner* Of(JobIndex job);

 private:
  static constexpr std::size_t kMostTrees = 64;

  // Without those that no node has.
  LabelKeys Known(LabelKeys keys);

  Session& session_;
  std::optional<std::set<std::string>> labels_;  // of nodes, once somebody asked
  std::map<LabelKeys, std::unique_ptr<LabelTopology>> of_labels_;
};

}  // namespace batholith
