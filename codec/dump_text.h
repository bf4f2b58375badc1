#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "codec/dump.h"

namespace batholith {

// The line of a dump, part by part: a whole cluster as one text would take many times the room of
// the part that is on its way.
class DumpText {
 public:
  // More of the text of `decisions`, at least so many bytes where there are; empty: that was all.
  using Decisions = std::function<std::string(std::size_t bytes)>;

  // Looks into `dump`, which outlives it. `decisions` stands for those of the dump, if given.
  explicit DumpText(const SessionDump& dump, Decisions decisions = {});

  // The next part: `bytes` and at most one object more, where there is so much; empty: that was
  // all. The last one ends the line.
  std::string Next(std::size_t bytes);

 private:
  enum class Stage { kHead, kObjects, kDecisions, kOver };

  std::string Head() const;
  bool AppendObjects(std::size_t bytes, std::string& text);  // whether there are no more

  const SessionDump& dump_;
  Decisions decisions_;
  Stage stage_ = Stage::kHead;
  std::size_t written_ = 0;  // of the objects of all kinds
};

}  // namespace batholith
