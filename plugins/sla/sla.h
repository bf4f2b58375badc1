#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Jobs with a waiting time go by their deadline, and are let in when it has passed.
std::unique_ptr<Plugin> MakeSla(const PluginContext& context);

}  // namespace batholith
