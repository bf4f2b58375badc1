#include "plugins/nodegroup/options.h"

namespace batholith {
namespace {

constexpr ArgumentSpec kArguments[] = {
    BoolArgument("strict", "true", "nodes without a group are for nobody"),
    BoolArgument("enablePreferredOrder", "false", "earlier preferred groups score higher"),
};

}  // namespace

std::span<const ArgumentSpec> NodegroupArguments() { return kArguments; }

NodegroupOptions ReadNodegroupOptions(const Arguments& arguments) {
  return {.strict = arguments.Bool("strict"),
          .preferred_order = arguments.Bool("enablePreferredOrder")};
}

}  // namespace batholith
