#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/console.h"

namespace batholith {

// Gangs, allocated where they fit.
inline constexpr std::string_view kGangConf =
    "actions: allocate\ntiers: [{plugins: [{name: gang}, {name: predicates}]}]\n";

// A folder of files that is gone at the end of a test.
class CommandFolder {
 public:
  CommandFolder()
      : path_(std::filesystem::temp_directory_path() / ("cmd_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  CommandFolder(const CommandFolder&) = delete;
  CommandFolder& operator=(const CommandFolder&) = delete;
  ~CommandFolder() { std::filesystem::remove_all(path_); }

  // The path of a new file with this text.
  std::string Write(const std::string& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

struct CommandResult {
  int status = 0;
  std::string out;
  std::string err;
};

// What a subcommand prints. Not for two threads at once: the streams are the program's.
inline CommandResult RunCommand(int (*command)(const std::vector<std::string>&),
                                const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  std::streambuf* const real_out = std::cout.rdbuf(out.rdbuf());
  std::streambuf* const real_err = std::cerr.rdbuf(err.rdbuf());
  int status = 0;
  {
    const SafeConsole console;  // as main has it
    status = command(arguments);
  }
  std::cout.rdbuf(real_out);
  std::cerr.rdbuf(real_err);
  return {status, out.str(), err.str()};
}

}  // namespace batholith
