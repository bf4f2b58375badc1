#pragma once

#include <string>
#include <string_view>

#include "api/result.h"
#include "conf/read_document.h"
#include "conf/scheduler_conf.h"
#include "framework/pipeline.h"

namespace batholith {

// What becomes of a plugin or action that is known and not part of this build.
enum class MissingParts { kRefused, kLeftOut };

// Reads a scheduler conf in Volcano's format. Whatever is unknown, of a wrong shape or out of range
// is an error: `file:line: ` and what it is, with a "did you mean". What is known but without
// effect goes to `warnings`; so does what is left out. The text may be a ConfigMap with the conf in
// it, as it is handed to an API server. Errors: kInvalid, the first one found. Hostile input is
// bounded: 1 MiB, 100 levels.
Result<SchedulerConf> ParseConf(std::string_view yaml_text, const std::string& file_name,
                                const Registry& registry,
                                MissingParts missing = MissingParts::kRefused);

}  // namespace batholith
