#include "plugins/nodelabel/options.h"

namespace batholith {
namespace {

constexpr ArgumentSpec kArguments[] = {
    {.name = "presentLabels",
     .type = ArgumentSpec::Type::kStringList,
     .summary = "labels that a node must have, whatever their values"},
    {.name = "absentLabels",
     .type = ArgumentSpec::Type::kStringList,
     .summary = "labels that a node must not have"},
};

}  // namespace

std::span<const ArgumentSpec> NodelabelArguments() { return kArguments; }

NodelabelOptions ReadNodelabelOptions(const Arguments& arguments) {
  return {.present = arguments.List("presentLabels"), .absent = arguments.List("absentLabels")};
}

}  // namespace batholith
