// Gives every file of a corpus to its target, in a build without libFuzzer: fuzz_corpus FOLDER
// [TARGET…]. FOLDER/<target>/ are the inputs of one target, FOLDER/hostile/ those of all; where it
// is a file, that is the only input. A target without inputs is an error. An input may take 20
// seconds of this machine's time and 256 MB more than the ones before it, which is far more than
// any of them needs in a sanitizer build.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "test/fuzz/targets.h"

namespace {

using batholith::fuzz::Target;
namespace fs = std::filesystem;

constexpr int kMostSeconds = 20;
constexpr long kMostKilobytes = 256 << 10;

// The name of the input was printed before.
extern "C" void SayTooLong(int) {
  constexpr std::string_view kText = "takes too long\n";
  (void)!write(STDERR_FILENO, kText.data(), kText.size());
  _exit(1);
}

long PeakKilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

std::vector<fs::path> FilesOf(const fs::path& folder) {
  std::vector<fs::path> files;
  if (fs::is_regular_file(folder)) files.push_back(folder);
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string ContentOf(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool Run(const Target& target, const fs::path& file) {
  // Before the input runs: whatever ends the program, the last line names it.
  fmt::print("{} {}\n", target.name, file.string());
  std::fflush(stdout);
  const std::string content = ContentOf(file);
  const itimerval limit{{}, {kMostSeconds, 0}};
  const itimerval none{};
  const long before = PeakKilobytes();
  setitimer(ITIMER_PROF, &limit, nullptr);
  target.run(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
  setitimer(ITIMER_PROF, &none, nullptr);
  const long more = PeakKilobytes() - before;
  if (more > kMostKilobytes) fmt::print(stderr, "takes {} MB\n", more >> 10);
  return more <= kMostKilobytes;
}

bool RunAll(const Target& target, const fs::path& folder) {
  const bool one = fs::is_regular_file(folder);
  std::vector<fs::path> files = FilesOf(one ? folder : folder / target.name);
  if (files.empty()) {
    fmt::print(stderr, "{}: no inputs in {}\n", target.name, folder.string());
    return false;
  }
  std::ranges::copy(FilesOf(folder / "hostile"), std::back_inserter(files));
  return std::ranges::all_of(files, [&](const fs::path& file) { return Run(target, file); });
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.empty()) {
    fmt::print(stderr, "usage: fuzz_corpus FOLDER|FILE [TARGET…]\n");
    return 2;
  }
  std::signal(SIGPROF, SayTooLong);
  bool good = true;
  for (const Target& target : batholith::fuzz::Targets()) {
    if (arguments.size() > 1 && std::ranges::find(arguments, target.name) == arguments.end())
      continue;
    good &= RunAll(target, arguments.front());
  }
  return good ? 0 : 1;
}
