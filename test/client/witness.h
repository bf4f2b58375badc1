#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace batholith {

// A pipe that a script and all that it starts hold open; its end says that they are gone. What they
// write to it tells the test where they are.
class Witness {
 public:
  // Lies at `path`, in a folder of the test.
  explicit Witness(std::string path) : path_(std::move(path)) {
    EXPECT_EQ(mkfifo(path_.c_str(), 0600), 0);
    descriptor_ = open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  }
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  ~Witness() { close(descriptor_); }

  // To stand at the beginning of the script.
  std::string Opened() const { return "exec 9>" + path_ + "\n"; }
  bool WaitForByte() const { return Read() == 1; }
  bool WaitForEnd() const {
    ssize_t n = 0;
    while ((n = Read()) == 1) {
    }
    return n == 0;
  }

 private:
  // 0: everybody closed it. -1: nothing came.
  ssize_t Read() const {
    constexpr int kPatienceMs = 60'000;
    pollfd wait{descriptor_, POLLIN, 0};
    char byte = 0;
    if (poll(&wait, 1, kPatienceMs) != 1) return -1;
    return read(descriptor_, &byte, 1);
  }

  std::string path_;
  int descriptor_;
};

struct Stubborn {
  const char* name;
  const char* script;  // after Witness::Opened
};

// Programs that do not end. Each writes a byte to its witness where it goes on for ever.
inline constexpr Stubborn kStubborn[]{
    {"hangs", "echo x >&9; exec sleep 1000"},
    {"ignores signals", "trap '' TERM INT HUP PIPE\necho x >&9\nwhile :; do sleep 1000; done"},
    {"closed its outputs and goes on", "exec >&- 2>&-\necho x >&9\nsleep 1000"},
    {"closed one output", "exec >&-\necho x >&9\nsleep 1000"},
    {"a child of it holds the pipes", "sleep 1000 &\necho x >&9\nwait"},
    {"a grandchild ignores signals",
     "(trap '' TERM; (trap '' TERM; echo x >&9; sleep 1000) & wait) & wait"},
    {"stopped itself", "echo x >&9; kill -STOP $$"},
    {"says a little now and then", "echo x >&9; while :; do echo .; sleep 0.01; done"},
};

}  // namespace batholith
