#pragma once

#include "framework/options/argument_spec.h"

namespace batholith {

// Volcano's actions can remember the nodes that refused one task of a role and spare the others the
// attempt. Here tasks of one class are always judged once, so the argument changes nothing.
constexpr ArgumentSpec ErrorCacheArgument() {
  ArgumentSpec spec =
      BoolArgument("predicateErrorCacheEnable", "true", "remembers nodes that refused a role",
                   "pods of one class are judged once, whatever it says");
  spec.warns = ArgumentSpec::Warns::kAlways;
  return spec;
}

}  // namespace batholith
