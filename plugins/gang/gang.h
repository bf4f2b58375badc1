#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// All or nothing: a job starts with its minimum and is not cut below it.
std::unique_ptr<Plugin> MakeGang(const PluginContext& context);

}  // namespace batholith
