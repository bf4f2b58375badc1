#pragma once

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/access/access.h"
#include "client/http/http.h"

namespace batholith {

// How long a test waits for what must come before it fails. Long, because a sanitizer makes some
// waits twenty times as long; a test that passes never waits longer than it has to.
inline constexpr std::chrono::seconds kPatience{60};

inline ClusterAccess AccessTo(const std::string& url) {
  ClusterAccess access;
  access.server = url;
  return access;
}

inline HttpRequest Get(const std::string& path) {
  HttpRequest request;
  request.path = path;
  return request;
}

// A folder of files that is gone at the end of a test.
class TestFolder {
 public:
  TestFolder() {
    static std::atomic<int> count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("client_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() { std::filesystem::remove_all(path_); }

  // The path of a file that has this text from one moment on, as a volume changes its files.
  std::string Write(const std::string& name, std::string_view text) const {
    std::ofstream(path_ / "new", std::ios::binary) << text;
    std::filesystem::rename(path_ / "new", path_ / name);
    return path_ / name;
  }
  std::string Path(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// What was told on another thread, in order; a test waits for what it expects.
class Record {
 public:
  void Add(std::string line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
    changed_.notify_all();
  }
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  // False where it did not come to that in time.
  bool WaitUntil(const std::function<bool(const std::vector<std::string>&)>& is_so) const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [&] { return is_so(lines_); });
  }
  bool WaitForLine(const std::string& line) const {
    std::size_t seen = 0;  // there may be many
    return WaitUntil([&](const std::vector<std::string>& lines) {
      const auto begin =
          lines.begin() + static_cast<std::ptrdiff_t>(std::exchange(seen, lines.size()));
      return std::find(begin, lines.end(), line) != lines.end();
    });
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<std::string> lines_;
};

}  // namespace batholith
