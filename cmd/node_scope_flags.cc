#include "cmd/node_scope_flags.h"

namespace batholith {

namespace po = boost::program_options;

void NodeScopeFlags::Describe(po::options_description& flags) {
  auto add = flags.add_options();
  add("node-selector", po::value(&selectors),
      "KEY:VALUE: only nodes with one of these labels are used (repeat)");
  add("scheduler-sharding-mode", po::value(&sharding)->default_value(sharding),
      "nodes outside of the NodeShard: hard: not used; soft: used last; none: there are no shards");
  add("scheduler-sharding-name", po::value(&shard)->default_value(shard), "of the NodeShard");
}

}  // namespace batholith
