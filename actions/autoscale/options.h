#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actions/autoscale/model/conf.h"
#include "api/objects.h"
#include "api/result.h"
#include "framework/options/arguments.h"

namespace batholith {

// A group that the conf names.
struct ConfNodeGroup {
  std::string name;
  Labels selector;  // of its nodes
  std::int32_t min = 0;
  std::int32_t max = 0;
  std::optional<NodeRecord> node_template;
  std::string scale_target;  // name of the NodeGroupRecord that is scaled for it; empty: nobody
};

struct AutoscaleOptions {
  AutoscaleConf conf;
  bool cluster_api = false;
  std::string cluster_api_namespace;  // empty: all
  std::string cluster_name;           // empty: all
  Labels cluster_api_selector;        // labels of the MachineDeployments
  std::vector<ConfNodeGroup> groups;
};

std::span<const ArgumentSpec> AutoscaleArguments();

// Errors name the argument: an expander or pattern that is none, a group without a name or
// selector, bounds that cross, an amount that is none.
OptionResult<AutoscaleOptions> ReadAutoscaleOptions(const Arguments& arguments);

}  // namespace batholith
