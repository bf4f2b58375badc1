#include "cmd/file_times.h"

#include "codec/load.h"

namespace batholith {

FileTimes TimesOf(const std::vector<std::string>& paths) {
  FileTimes times;
  for (const std::string& path : paths) {
    for (const std::string& file : ListFiles(path, true).value_or(std::vector<std::string>())) {
      std::error_code error;
      times[file] = std::filesystem::last_write_time(file, error);
    }
  }
  return times;
}

}  // namespace batholith
