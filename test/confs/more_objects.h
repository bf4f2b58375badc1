#pragma once

#include <string>

#include "api/cluster_objects.h"
#include "test/property/draws.h"

namespace batholith::property {

// Metadata of an object that is younger than all that MixedCluster makes of its kind.
ObjectMeta NewMeta(const ClusterObjects& objects, std::string name, std::string namespace_);

// The kinds that random clusters do not bring: budgets, resource quotas, groups of nodes, buffers
// and what they read, pods of others that are done or wait; and elastic quotas where they are
// asked for.
void AddMoreObjects(ClusterObjects& objects, bool elastic_quotas, Draws& draws);

}  // namespace batholith::property
