#include "client/write/paced_writer.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace batholith {

void PacedWriter::Write(const char* kind, const std::string& key, std::optional<Patch> patch) {
  if (!patch) return;
  if (!patch->may_wait) return writer_.Write(kind, key, *std::move(patch));
  const Pace& pace = std::string_view(kind) == "Pod" ? paces_.pods : paces_.others;
  wanted_.push_back({{kind, key, *std::move(patch)}, pace});
}

void PacedWriter::EndSession() {
  held_.Renew(std::exchange(wanted_, {}), std::chrono::steady_clock::now());
  SetTimer();
}

void PacedWriter::Flush() { Send(held_.TakeAll()); }

void PacedWriter::Send(std::vector<StatusItem> items) {
  for (StatusItem& item : items) writer_.Write(item.kind, item.key, std::move(item.patch));
}

void PacedWriter::SetTimer() {
  if (timer_ != 0) client_.Cancel(std::exchange(timer_, 0));
  const auto next = held_.NextAt();
  if (!next) return;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*next - std::chrono::steady_clock::now());
  timer_ = client_.After(std::max(left, std::chrono::milliseconds(0)), tasks_.Guard([this] {
    timer_ = 0;
    Send(held_.TakeDue(std::chrono::steady_clock::now()));
    SetTimer();
  }));
}

}  // namespace batholith
