#include "conf/compile.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>

namespace batholith {
namespace {

// Of a plugin or an action.
template <typename Descriptor>
Result<CompiledOptions> ReadOptions(const std::string& file, const Descriptor& descriptor,
                                    const ConfValue& arguments, const char* kind) {
  OptionResult<CompiledOptions> options =
      descriptor.read(Arguments(arguments, descriptor.arguments));
  if (options) return *std::move(options);
  const OptionError& error = options.error();
  return Invalid(
      fmt::format("{}:{}: {} {}: {}", file, error.line, kind, descriptor.name, error.message));
}

}  // namespace

Result<Pipeline> Compile(const SchedulerConf& conf) {
  Pipeline out;
  for (const ActionConf& action : conf.actions) {
    Result<CompiledOptions> options =
        ReadOptions(conf.file, *action.descriptor, action.arguments, "action");
    if (!options) return std::unexpected(options.error());
    out.needs.Add(action.descriptor->needs(options->get()));
    out.actions.push_back({action.descriptor, *std::move(options)});
  }
  out.tiers = conf.tiers.size();
  out.ignored = conf.ignored;
  for (std::size_t tier = 0; tier < conf.tiers.size(); ++tier) {
    for (const PluginConf& plugin : conf.tiers[tier].plugins) {
      Result<CompiledOptions> options =
          ReadOptions(conf.file, *plugin.descriptor, plugin.arguments, "plugin");
      if (!options) return std::unexpected(options.error());
      out.plugins.push_back({plugin.descriptor, plugin.points, *std::move(options), tier});
    }
  }
  return out;
}

}  // namespace batholith
