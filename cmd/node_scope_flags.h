#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "api/node_scope.h"

namespace batholith {

// The flags that say which nodes a scheduler uses.
struct NodeScopeFlags {
  std::vector<std::string> selectors;
  std::string sharding = "none";
  std::string shard = "volcano";

  void Describe(boost::program_options::options_description& flags);
  Result<NodeScope> Read() const { return ReadNodeScope(selectors, sharding, shard); }
};

}  // namespace batholith
