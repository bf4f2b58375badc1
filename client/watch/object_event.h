#pragma once

#include <string>

namespace batholith {

// An event about an object, as `kubectl describe` shows it.
struct ObjectEvent {
  std::string api_version, kind, namespace_, name, uid;
  bool warning = false;
  std::string reason;         // one word
  std::string action;         // what was done: Binding, Preempting
  std::string note;           // a sentence
  bool numbers_move = false;  // with other numbers in its note it is still the same event
};

}  // namespace batholith
