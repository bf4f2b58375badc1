#include "plugins/overcommit/options.h"

namespace batholith {
namespace {

constexpr ArgumentSpec kArguments[] = {
    {.name = "overcommit-factor",
     .type = ArgumentSpec::Type::kFloat,
     .default_text = "1.2",
     .min = 1,
     .max = 1e6,
     .summary = "jobs are admitted up to this multiple of the cluster",
     .below_min_is_default = true},
};

}  // namespace

std::span<const ArgumentSpec> OvercommitArguments() { return kArguments; }

OvercommitOptions ReadOvercommitOptions(const Arguments& arguments) {
  return {arguments.Float("overcommit-factor")};
}

}  // namespace batholith
