#pragma once

#include <chrono>
#include <string>

namespace batholith {

bool IsTerminal(int fd);
// Whether what goes there may have colours: a terminal that is not dumb, and no NO_COLOR.
bool MayHaveColours(int fd);

// A line on the terminal of standard error that says how far something is, written anew a few times
// a second and gone at the end. Nothing where standard error is no terminal.
class Progress {
 public:
  Progress();
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Plain text without foreign words.
  void Tell(const std::string& text);
  // Before something else is printed.
  void Clear();

 private:
  bool shown_ = false;
  const bool on_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace batholith
