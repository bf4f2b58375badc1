#include "test/source_dir.h"

namespace batholith {

const char* SourceDir() { return BATHOLITH_SOURCE_DIR; }

}  // namespace batholith
