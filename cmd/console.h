#pragma once

#include <memory>

namespace batholith {

// For as long as it lives, what steers a terminal reaches neither standard output nor standard
// error through std::cout and std::cerr, whoever writes it: it is escaped (api/printable.h), all
// but line breaks and tabs. Standard error shows addresses without their passwords, too. Colours
// are added behind that (cmd/paint.h), so that nobody else can bring some. Made by main, so that no
// command can forget it.
class SafeConsole {
 public:
  enum class Colours { kNever, kOnTerminals, kAlways };
  explicit SafeConsole(Colours colours = Colours::kNever);
  ~SafeConsole();
  SafeConsole(const SafeConsole&) = delete;
  SafeConsole& operator=(const SafeConsole&) = delete;

 private:
  class Buffer;
  std::unique_ptr<Buffer> out_, err_;
};

}  // namespace batholith
