#pragma once

#include <string>

namespace batholith {

// Whether a resourceVersion is older than another. Versions are numbers of one sequence
// (kubernetes/enhancements 5504); what is none is not compared.
bool IsOlderVersion(const std::string& a, const std::string& b);

}  // namespace batholith
