#pragma once

#include <algorithm>
#include <span>

#include "framework/pipeline.h"

namespace batholith {

// The options of the plugin that takes these arguments, which it reads into `Options`; nullptr
// where the conf does not have it.
template <typename Options>
const Options* OptionsIn(const Pipeline& pipeline, std::span<const ArgumentSpec> arguments) {
  const auto entry =
      std::ranges::find_if(pipeline.plugins, [&](const Pipeline::PluginEntry& plugin) {
        return plugin.descriptor->arguments.data() == arguments.data();
      });
  return entry == pipeline.plugins.end() ? nullptr
                                         : static_cast<const Options*>(entry->options.get());
}

}  // namespace batholith
