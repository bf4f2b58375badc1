#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conf/plugin_args.h"

namespace batholith {

// What a conf may name. Held by whoever offers the plugins; the spans must outlive it.
struct PluginVocabulary {
  std::string name;
  std::span<const ArgSpec> args;
};

struct ConfVocabulary {
  std::vector<std::string> actions;
  std::vector<PluginVocabulary> plugins;
};

// The arguments of a built-in plugin or action; none for a name that takes none or is not known.
std::span<const ArgSpec> ArgSpecsOf(std::string_view plugin_or_action);

// Everything that this program brings itself.
ConfVocabulary BuiltinVocabulary();

}  // namespace batholith
