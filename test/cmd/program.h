#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "test/client/client_env.h"

namespace batholith {

// The path of a file with which the program finds this server.
inline std::string Kubeconfig(const TestFolder& folder, const std::string& server,
                              const std::string& user = "{}") {
  return folder.Write(
      "config",
      "{current-context: c, contexts: [{name: c, context: {cluster: s, user: u}}], "
      "clusters: [{name: s, cluster: {server: '" +
          server + "', insecure-skip-tls-verify: true}}], users: [{name: u, user: " + user + "}]}");
}

// The program itself, as another process.
class Program {
 public:
  // Its standard error goes to `err` where that is given, and is read here else.
  explicit Program(std::vector<std::string> arguments, int err = -1) {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    arguments.insert(arguments.begin(), BATHOLITH_PROGRAM);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(err >= 0 ? err : ends[1], STDERR_FILENO);
      execv(pointers.front(), pointers.data());
      _exit(127);
    }
    close(ends[1]);
    err_ = ends[0];
    end_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
    EXPECT_GE(end_, 0);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (!reaped_) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(err_);
    close(end_);
  }

  // Until standard error has said that.
  bool WaitFor(const std::string& text) {
    while (said_.find(text) == std::string::npos) {
      if (!ReadMore()) return false;
    }
    return true;
  }
  void Signal(int signal) const { kill(pid_, signal); }
  // The status of waitpid; -1: it did not end within ten seconds.
  int WaitForEnd() {
    pollfd wait{end_, POLLIN, 0};
    if (poll(&wait, 1, kPatienceMs) != 1) return -1;
    int status = 0;
    waitpid(pid_, &status, 0);
    reaped_ = true;
    while (ReadMore()) {
    }
    return status;
  }
  const std::string& said() const { return said_; }

 private:
  static constexpr int kPatienceMs = 60'000;

  bool ReadMore() {
    pollfd wait{err_, POLLIN, 0};
    std::array<char, 4096> buffer{};
    if (poll(&wait, 1, kPatienceMs) != 1) return false;
    const ssize_t n = read(err_, buffer.data(), buffer.size());
    if (n > 0) said_.append(buffer.data(), static_cast<std::size_t>(n));
    return n > 0;
  }

  pid_t pid_;
  int err_ = -1, end_ = -1;
  bool reaped_ = false;
  std::string said_;
};

// A port of loopback that takes connections and says nothing.
class SilentServer {
 public:
  SilentServer() : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address_);
    auto* const address = reinterpret_cast<sockaddr*>(&address_);
    EXPECT_EQ(bind(listener_, address, size), 0);
    EXPECT_EQ(getsockname(listener_, address, &size), 0);
    EXPECT_EQ(listen(listener_, 64), 0);
  }
  SilentServer(const SilentServer&) = delete;
  SilentServer& operator=(const SilentServer&) = delete;
  ~SilentServer() {
    for (const int one : connections_) close(one);
    close(listener_);
  }

  int port() const { return ntohs(address_.sin_port); }
  // Until somebody has sent something.
  bool WaitForBytes() {
    constexpr int kPatienceMs = 60'000;
    pollfd wait{listener_, POLLIN, 0};
    if (poll(&wait, 1, kPatienceMs) != 1) return false;
    connections_.push_back(accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC));
    wait.fd = connections_.back();
    return poll(&wait, 1, kPatienceMs) == 1;
  }

 private:
  int listener_;
  sockaddr_in address_{};
  std::vector<int> connections_;
};

}  // namespace batholith
