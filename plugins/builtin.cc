#include "plugins/builtin.h"

#include "plugins/binpack/binpack.h"
#include "plugins/capacity/capacity.h"
#include "plugins/cdp/cdp.h"
#include "plugins/conformance/conformance.h"
#include "plugins/drf/drf.h"
#include "plugins/elasticquota/elasticquota.h"
#include "plugins/gang/gang.h"
#include "plugins/nodegroup/nodegroup.h"
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
namespace {

constexpr PluginDescriptor kPlugins[] = {
    {"binpack", MakeBinpack, "fills nodes up before it opens the next"},
    {"capacity", MakeCapacity, "gives queues, flat or in a tree, what they deserve"},
    {"cdp", MakeCdp, "spares pods that have just been scheduled"},
    {"conformance", MakeConformance, "spares pods that the cluster itself needs"},
    {"drf", MakeDrf, "orders jobs and namespaces by dominant resource share"},
    {"elasticquota", MakeElasticQuota, "guarantees and lends by elastic quotas of three dialects"},
    {"gang", MakeGang, "starts a job with its whole minimum or not at all"},
    {"nodegroup", MakeNodegroup, "ties queues to groups of nodes"},
    {"nodeorder", MakeNodeorder, "scores nodes as kube-scheduler does"},
    {"overcommit", MakeOvercommit, "admits jobs up to a multiple of the cluster"},
    {"pdb", MakePdb, "keeps victims within pod disruption budgets"},
    {"predicates", MakePredicates, "filters nodes as kube-scheduler does"},
    {"priority", MakePriority, "orders by priority, and lets higher preempt lower"},
    {"proportion", MakeProportion, "divides the cluster among queues by weight"},
    {"resource-strategy-fit", MakeResourceStrategyFit, "packs or spreads per resource"},
    {"resourcequota", MakeResourcequota, "admits jobs within the quotas of their namespace"},
    {"sla", MakeSla, "orders and admits jobs by their waiting time"},
    {"tdm", MakeTdm, "lends nodes of a revocable zone for a part of the day"},
};

}  // namespace

std::span<const PluginDescriptor> BuiltinPlugins() { return kPlugins; }

}  // namespace batholith
