#include "plugins/nodelabel/options.h"

namespace batholith {
namespace {

constexpr ArgumentSpec kArguments[] = {
    {.name = "presentLabels",
     .type = ArgumentSpec::Type::kStringList,
     .summary = "labels that a node must have, whatever their values"},
};

}  // namespace

std::span<const ArgumentSpec> NodelabelArguments() { return kArguments; }

NodelabelOptions ReadNodelabelOptions(const Arguments& arguments) {
  return {.present = arguments.List("presentLabels")};
}

}  // namespace batholith
