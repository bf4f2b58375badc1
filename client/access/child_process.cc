#include "client/access/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

extern char** environ;

namespace batholith {
namespace {

constexpr std::size_t kMostOutput = std::size_t{1} << 20U;
constexpr std::chrono::seconds kReapTime{1};         // what was killed ends at once, as a rule
constexpr std::chrono::milliseconds kLookAgain{20};  // where the kernel does not tell of an end

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

// Signals are blocked on the client's threads, and SIGPIPE is ignored; the child starts with none
// blocked and that one as usual, and in a process group of its own.
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
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawnp(&pid, command.front().c_str(), &files, &attributes,
                                 Pointers(command).data(), Pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

// glibc 2.36 declares its own pidfd_open for C alone.
int OpenPid(pid_t pid) { return static_cast<int>(syscall(SYS_pidfd_open, pid, 0)); }

// A child that was started. Until it is reaped its number is nobody else's, so that a signal
// reaches it and no stranger. Reaped at the end of its life here, which waits a moment for it at
// most.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid), end_(OpenPid(pid)) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (reaped_) return;
    Kill();
    if (!WaitForEnd()) {
      // In the kernel, where no signal reaches it: reaped whenever it comes out.
      std::thread([pid = pid_] { waitpid(pid, nullptr, 0); }).detach();
      return;
    }
    Reap();
  }

  // Becomes readable when it ends; -1 where the kernel does not offer that.
  int end() const { return end_.get(); }
  bool ended() const {
    siginfo_t info{};
    const int error = waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    return error != 0 ? errno != EINTR : info.si_pid != 0;
  }
  // With all of its process group, and even where it left that. More than once: what was being
  // forked may have been missed. Any thread, until it is reaped.
  void Kill() const {
    for (int i = 0; i < 3; ++i) {
      kill(-pid_, SIGKILL);
      kill(pid_, SIGKILL);
      pollfd wait{end_.get(), POLLIN, 0};
      poll(&wait, 1, static_cast<int>(kLookAgain.count()));
    }
  }
  // REQUIRES: it ended.
  int Reap() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    reaped_ = true;
    // Its own children come to whoever is process 1. Where that is this program, it reaps those
    // that were killed with it.
    while (waitpid(-pid_, nullptr, WNOHANG) > 0) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  bool WaitForEnd() const {
    const auto until = std::chrono::steady_clock::now() + kReapTime;
    while (!ended()) {
      if (std::chrono::steady_clock::now() >= until) return false;
      pollfd wait{end_.get(), POLLIN, 0};
      poll(&wait, 1, static_cast<int>(kLookAgain.count()));
    }
    return true;
  }

  const pid_t pid_;
  const Descriptor end_;
  bool reaped_ = false;
};

// Reads what there is; false at the end.
bool ReadSome(int from, std::string& to) {
  std::array<char, 4096> buffer{};
  const ssize_t n = read(from, buffer.data(), buffer.size());
  if (n < 0) return errno == EINTR;
  to.append(buffer.data(), static_cast<std::size_t>(n));
  return n > 0;
}

// What a child said before it ended. Others may hold its pipes open and go on.
void ReadRest(int from, std::string& to) {
  pollfd wait{from, POLLIN, 0};
  while (to.size() <= kMostOutput && poll(&wait, 1, 0) > 0 && ReadSome(from, to)) {
  }
}

// Gathers both outputs until the child ended, whoever else holds them. Returns what is wrong;
// empty: nothing.
std::string Gather(const Child& child, Pipe& out, Pipe& err, std::chrono::milliseconds timeout,
                   int stopped, ChildOutput& output) {
  const auto until = std::chrono::steady_clock::now() + timeout;
  const auto too_much = [&] {
    return std::max(output.out.size(), output.err.size()) > kMostOutput;
  };
  while (!child.ended()) {
    auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return "did not end in time";
    if (child.end() < 0) left = std::min(left, kLookAgain);
    std::array<pollfd, 4> waits{pollfd{out.read.get(), POLLIN, 0},
                                pollfd{err.read.get(), POLLIN, 0}, pollfd{stopped, POLLIN, 0},
                                pollfd{child.end(), POLLIN, 0}};
    if (poll(waits.data(), waits.size(), static_cast<int>(left.count())) < 0) continue;
    if (waits[2].revents != 0) return "was stopped";
    if (waits[0].revents != 0 && !ReadSome(out.read.get(), output.out)) out.read.Close();
    if (waits[1].revents != 0 && !ReadSome(err.read.get(), output.err)) err.read.Close();
    if (too_much()) return "says more than 1 MB";
  }
  if (out.read.get() >= 0) ReadRest(out.read.get(), output.out);
  if (err.read.get() >= 0) ReadRest(err.read.get(), output.err);
  return too_much() ? "says more than 1 MB" : "";
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
  const Descriptor stopped(eventfd(0, EFD_CLOEXEC));
  std::optional<Child> child;
  std::mutex starting;
  ChildOutput output;
  std::string wrong;
  {
    // Killed by whoever stops it, who may end this process next; also where it is just starting.
    const std::stop_callback tell(stop, [&] {
      const std::lock_guard lock(starting);
      if (child) child->Kill();
      eventfd_write(stopped.get(), 1);
    });
    {
      const std::lock_guard lock(starting);
      if (stop.stop_requested()) return failure("was stopped");
      pid_t pid = 0;
      if (const int error =
              Spawn(command, Environment(environment), out->write.get(), err->write.get(), pid))
        return failure(std::strerror(error));
      child.emplace(pid);
    }
    out->write.Close();
    err->write.Close();
    wrong = Gather(*child, *out, *err, timeout, stopped.get(), output);
    if (stop.stop_requested()) wrong = "was stopped";
  }
  if (!wrong.empty()) return failure(wrong);
  // What it left running may be meant to stay, a browser that somebody logs in with. But nobody
  // would reap that where this is process 1.
  if (getpid() == 1) child->Kill();
  output.exit_status = child->Reap();
  return output;
}

}  // namespace batholith
