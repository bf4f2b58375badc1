#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace batholith {

// When each file of some files and folders was last written.
using FileTimes = std::map<std::string, std::filesystem::file_time_type>;

FileTimes TimesOf(const std::vector<std::string>& paths);

}  // namespace batholith
