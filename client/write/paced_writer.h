#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/http/http.h"
#include "client/http/task_owner.h"
#include "client/write/held_patches.h"
#include "client/write/status_writer.h"

namespace batholith {

// How long patches of figures may wait. Pods are very many, and their messages are for people.
struct Paces {
  Pace pods{std::chrono::seconds(5), std::chrono::seconds(30)};
  Pace others;
};

// What sessions want written, at the pace of each: at once, or held while nothing but figures move
// (Patch::may_wait). The last of them is written even if no session follows. On the client's
// thread.
class PacedWriter {
 public:
  PacedWriter(HttpClient& client, StatusWriter& writer, Paces paces)
      : client_(client), writer_(writer), paces_(paces) {}

  // All that one session wants stands before EndSession.
  void Write(const char* kind, const std::string& key, std::optional<Patch> patch);
  void EndSession();
  // Writes what is held now.
  void Flush();

 private:
  void Send(std::vector<StatusItem> items);
  void SetTimer();

  HttpClient& client_;
  StatusWriter& writer_;
  Paces paces_;
  std::vector<HeldPatches::Wanted> wanted_;  // of this session, and may wait
  HeldPatches held_;
  HttpClient::Token timer_ = 0;  // 0: none
  TaskOwner tasks_;
};

}  // namespace batholith
