#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/result.h"
#include "framework/pipeline.h"

namespace batholith {

struct CompiledConf {
  std::shared_ptr<const Pipeline> pipeline;
  std::vector<std::string> warnings;
};

// Reads and compiles a scheduler conf against everything that this program brings itself.
Result<CompiledConf> CompileConf(std::string_view text, const std::string& file_name);

}  // namespace batholith
