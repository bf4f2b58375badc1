#include "scheduler/compile_conf.h"

#include <utility>

#include "actions/builtin.h"
#include "conf/compile.h"
#include "plugins/builtin.h"

namespace batholith {

Result<CompiledConf> CompileConf(std::string_view text, const std::string& file_name,
                                 MissingParts missing) {
  Result<SchedulerConf> conf =
      ParseConf(text, file_name, {BuiltinPlugins(), BuiltinActions()}, missing);
  if (!conf) return std::unexpected(conf.error());
  Result<Pipeline> pipeline = Compile(*conf);
  if (!pipeline) return std::unexpected(pipeline.error());
  return CompiledConf{std::make_shared<const Pipeline>(std::move(*pipeline)),
                      std::move(conf->warnings), std::move(conf->left_out)};
}

}  // namespace batholith
