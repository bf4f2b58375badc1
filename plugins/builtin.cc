#include "plugins/builtin.h"

#include "plugins/binpack/binpack.h"
#include "plugins/capacity/capacity.h"
#include "plugins/cdp/cdp.h"
#include "plugins/conformance/conformance.h"
#include "plugins/drf/drf.h"
#include "plugins/elasticquota/elasticquota.h"
#include "plugins/gang/gang.h"
#include "plugins/network_topology_aware/network_topology_aware.h"
#include "plugins/nodegroup/nodegroup.h"
#include "plugins/nodelabel/nodelabel.h"
#include "plugins/nodeorder/nodeorder.h"
#include "plugins/overcommit/overcommit.h"
#include "plugins/pdb/pdb.h"
#include "plugins/predicates/predicates.h"
#include "plugins/priority/priority.h"
#include "plugins/proportion/proportion.h"
#include "plugins/resource_strategy_fit/resource_strategy_fit.h"
#include "plugins/resourcequota/resourcequota.h"
#include "plugins/sla/sla.h"
#include "plugins/tdm/tdm.h"

namespace batholith {

std::span<const PluginDescriptor> BuiltinPlugins() {
  static const PluginDescriptor kPlugins[] = {
      BinpackPlugin(),
      CapacityPlugin(),
      CdpPlugin(),
      ConformancePlugin(),
      DrfPlugin(),
      ElasticQuotaPlugin(),
      GangPlugin(),
      NetworkTopologyAwarePlugin(),
      NodegroupPlugin(),
      NodelabelPlugin(),
      NodeorderPlugin(),
      OvercommitPlugin(),
      PdbPlugin(),
      PredicatesPlugin(),
      PriorityPlugin(),
      ProportionPlugin(),
      ResourceStrategyFitPlugin(),
      ResourcequotaPlugin(),
      SlaPlugin(),
      TdmPlugin(),
  };
  return kPlugins;
}

}  // namespace batholith
