#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/result.h"
#include "conf/load.h"
#include "framework/pipeline.h"

namespace batholith {

struct CompiledConf {
  std::shared_ptr<const Pipeline> pipeline;
  std::vector<std::string> warnings;
  std::vector<LeftOut> left_out;
};

// Reads and compiles a scheduler conf against everything that this program brings itself.
Result<CompiledConf> CompileConf(std::string_view text, const std::string& file_name,
                                 MissingParts missing = MissingParts::kRefused);

}  // namespace batholith
