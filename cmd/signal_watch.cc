#include "cmd/signal_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "api/check.h"
#include "api/log.h"
#include "cmd/commands.h"

namespace batholith {
namespace {

// Whoever ignores one (nohup, a shell's background) goes on ignoring it.
sigset_t SignalsThatEnd() {
  sigset_t out;
  sigemptyset(&out);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction action{};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&out, signal);
  }
  return out;
}

}  // namespace

SignalWatch::SignalWatch(std::chrono::milliseconds budget)
    : budget_(budget),
      signals_(SignalsThatEnd()),
      signal_descriptor_(signalfd(-1, &signals_, SFD_CLOEXEC)),
      wake_descriptor_(eventfd(0, EFD_CLOEXEC)) {
  CHECK(signal_descriptor_ >= 0 && wake_descriptor_ >= 0);
  pthread_sigmask(SIG_BLOCK, &signals_, &mask_before_);
  thread_ = std::thread([this] { Watch(); });
}

SignalWatch::~SignalWatch() {
  over_ = true;
  eventfd_write(wake_descriptor_, 1);
  thread_.join();
  close(signal_descriptor_);
  close(wake_descriptor_);
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void SignalWatch::AskForEnd(std::function<void(int)> ask) {
  const std::lock_guard lock(mutex_);
  ask_ = std::move(ask);
}

void SignalWatch::Begin() {
  Clock::rep none = 0;
  if (began_.compare_exchange_strong(none, Clock::now().time_since_epoch().count()))
    eventfd_write(wake_descriptor_, 1);
}

int SignalWatch::MillisecondsLeft() const {
  if (began_ == 0) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(began() + budget_ - Clock::now());
  return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

void SignalWatch::Watch() {
  while (!over_) {
    std::array<pollfd, 2> waits{pollfd{signal_descriptor_, POLLIN, 0},
                                pollfd{wake_descriptor_, POLLIN, 0}};
    const int ready = poll(waits.data(), waits.size(), MillisecondsLeft());
    if (over_) return;
    if (ready == 0) CutShort();
    eventfd_t woken = 0;
    if (waits[1].revents != 0) eventfd_read(wake_descriptor_, &woken);
    signalfd_siginfo info{};
    if (waits[0].revents != 0 && read(signal_descriptor_, &info, sizeof(info)) == sizeof(info))
      OnSignal(static_cast<int>(info.ssi_signo));
  }
}

void SignalWatch::OnSignal(int signal) {
  const std::lock_guard lock(mutex_);
  if (!ask_ || began_ != 0) EndBy(signal);
  began_ = Clock::now().time_since_epoch().count();
  ask_(signal);
}

// As if nobody had caught it; process 1 of a container does not die of it, so it ends by itself.
void SignalWatch::EndBy(int signal) {
  end_of_process_.request_stop();
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
  pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  raise(signal);
  _exit(128 + signal);
}

void SignalWatch::CutShort() {
  LogWithoutWaiting(LogLevel::kWarning, "ended without waiting any longer",
                    {{"for", waits_for_.load()}});
  end_of_process_.request_stop();
  _exit(kCutShort);
}

}  // namespace batholith
