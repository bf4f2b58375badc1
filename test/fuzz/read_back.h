#pragma once

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <utility>

#include "api/check.h"
#include "codec/dump.h"
#include "test/codec/same_objects.h"

namespace batholith::fuzz {

inline SessionDump ReadFirst(const std::string& text) {
  std::istringstream in(text);
  auto read = DumpReader(in, "dump").Next();
  if (!read) fmt::print(stderr, "{}\n", read.error().message);
  CHECK(read && *read);
  return **std::move(read);
}

inline std::string Written(const SessionDump& dump) {
  std::ostringstream out;
  WriteDump(dump, out);
  return out.str();
}

// What is written must read back: the same objects, and the same text when written again.
inline void CheckReadsBack(const SessionDump& dump) {
  const std::string text = Written(dump);
  const SessionDump again = ReadFirst(text);
  const std::string difference = FirstDifference(*dump.objects, *again.objects);
  if (!difference.empty()) fmt::print(stderr, "{} is not what was written\n", difference);
  CHECK(difference.empty());
  CHECK(again.now == dump.now && again.conf == dump.conf && again.memory == dump.memory);
  CHECK(Written(again) == text);
}

}  // namespace batholith::fuzz
