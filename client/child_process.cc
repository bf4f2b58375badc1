#include "client/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

extern char** environ;

namespace batholith {
namespace {

constexpr std::size_t kMostOutput = std::size_t{1} << 20U;

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    Close();
    value_ = std::exchange(other.value_, -1);
    return *this;
  }
  ~Descriptor() { Close(); }

  int get() const { return value_; }
  void Close() {
    if (value_ >= 0) close(std::exchange(value_, -1));
  }

 private:
  int value_ = -1;
};

struct Pipe {
  Descriptor read, write;
};

std::optional<Pipe> MakePipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// The pointers that exec wants; they point into `texts`.
std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> Environment(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!changes.contains(std::string(text.substr(0, text.find('='))))) out.emplace_back(text);
  }
  for (const auto& [name, value] : changes) out.push_back(name + "=" + value);
  return out;
}

// Signals are blocked on the client's threads; the child starts with none blocked.
int Spawn(std::vector<std::string> command, std::vector<std::string> environment, int out, int err,
          pid_t& pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int error = posix_spawnp(&pid, command.front().c_str(), &files, &attributes,
                                 Pointers(command).data(), Pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

// Reads what there is; false at the end.
bool ReadSome(int from, std::string& to) {
  std::array<char, 4096> buffer{};
  const ssize_t n = read(from, buffer.data(), buffer.size());
  if (n < 0) return errno == EINTR;
  to.append(buffer.data(), static_cast<std::size_t>(n));
  return n > 0;
}

// Gathers both outputs until the child closed them. Returns what is wrong; empty: nothing.
std::string Gather(Pipe& out, Pipe& err, std::chrono::milliseconds timeout,
                   const std::stop_token& stop, ChildOutput& output) {
  const Descriptor stopped(eventfd(0, EFD_CLOEXEC));
  const std::stop_callback tell(stop, [&stopped] { eventfd_write(stopped.get(), 1); });
  const auto until = std::chrono::steady_clock::now() + timeout;
  while (out.read.get() >= 0 || err.read.get() >= 0) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return "did not end in time";
    std::array<pollfd, 3> waits{pollfd{out.read.get(), POLLIN, 0},
                                pollfd{err.read.get(), POLLIN, 0},
                                pollfd{stopped.get(), POLLIN, 0}};
    if (poll(waits.data(), waits.size(), static_cast<int>(left.count())) < 0) continue;
    if (waits[2].revents != 0) return "was stopped";
    if (waits[0].revents != 0 && !ReadSome(out.read.get(), output.out)) out.read.Close();
    if (waits[1].revents != 0 && !ReadSome(err.read.get(), output.err)) err.read.Close();
    if (std::max(output.out.size(), output.err.size()) > kMostOutput) return "says more than 1 MB";
  }
  return "";
}

}  // namespace

Result<ChildOutput> RunChild(const std::vector<std::string>& command,
                             const std::map<std::string, std::string>& environment,
                             std::chrono::milliseconds timeout, const std::stop_token& stop) {
  std::optional<Pipe> out = MakePipe();
  std::optional<Pipe> err = MakePipe();
  const auto failure = [&command](const std::string& why) {
    return std::unexpected(Error{ErrorCode::kUnavailable, command.front() + ": " + why});
  };
  if (!out || !err) return failure(std::strerror(errno));
  pid_t pid = 0;
  if (const int error =
          Spawn(command, Environment(environment), out->write.get(), err->write.get(), pid))
    return failure(std::strerror(error));
  out->write.Close();
  err->write.Close();
  ChildOutput output;
  const std::string wrong = Gather(*out, *err, timeout, stop, output);
  if (!wrong.empty()) kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!wrong.empty()) return failure(wrong);
  output.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

}  // namespace batholith
