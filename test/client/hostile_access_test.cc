// Kubeconfigs and watches that cost a careless reader more than their size.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "client/access/kubeconfig.h"
#include "client/watch/watch_frames.h"
#include "test/cost.h"
#include "test/hostile_yaml.h"

namespace batholith {
namespace {

TEST(HostileAccess, a_kubeconfig_is_read_in_time_and_memory_of_its_size) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("kubeconfig_" + std::to_string(getpid()));
  for (const std::size_t size : {std::size_t{64} << 10U, std::size_t{256} << 10U}) {
    for (const auto& [name, text] : HostileYamls(size)) {
      std::ofstream(path, std::ios::binary) << text;
      const Cost cost = ExpectBounded(name, size, [&path] {
        const auto access = LoadKubeconfig({path}, "");
        return access ? std::string("is a kubeconfig") : access.error().message;
      });
      EXPECT_TRUE(cost.said.starts_with(path) || cost.said.contains("must be an object"))
          << name << ": " << cost.said.substr(0, 300);
    }
  }
  std::filesystem::remove(path);
}

// Byte by byte, as a network may bring them.
TEST(HostileAccess, frames_are_cut_in_time_and_memory_of_their_size) {
  using Framing = WatchFrames::Framing;
  for (const std::size_t size : {std::size_t{256} << 10U, std::size_t{1} << 20U}) {
    for (const Framing framing : {Framing::kLines, Framing::kLengths}) {
      for (const std::string& bytes :
           {UpTo(size, "x"), UpTo(size, "\n"), UpTo(size, std::string_view("\0", 1)),
            UpTo(size, "\xff"), UpTo(size, std::string_view("\0\x0f\xff\xff", 4)),
            UpTo(size, std::string_view("\0\0\0\1x", 5)), UpTo(size, "\r\n"), UpTo(size, "{}\n")}) {
        ExpectBounded(bytes.substr(0, 5), size, [&bytes, framing] {
          WatchFrames frames(framing, std::size_t{16} << 20U);
          for (const char& c : bytes) {
            if (!frames.Feed({&c, 1}, [](std::string_view) { return true; })) return "refused";
          }
          return "";
        });
      }
    }
  }
}

}  // namespace
}  // namespace batholith
