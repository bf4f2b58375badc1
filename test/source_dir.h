#pragma once

namespace batholith {

// Where the project's files are. A function, so that the folder of a checkout is compiled into one
// small file and all other tests come from the compiler's cache, whichever checkout made them.
const char* SourceDir();

}  // namespace batholith
