// Lines of the log: one for each call, whatever is in it.
#include "api/log.h"

#include <gtest/gtest.h>

#include <string>

namespace batholith {
namespace {

TEST(Log, a_line_is_one_line_and_steers_no_terminal) {
  for (const auto& log : {Log, LogWithoutWaiting}) {
    testing::internal::CaptureStderr();
    log(LogLevel::kError, "bad \x1b[2J\nforged: https://u:secret@h",
        {{"why", "a \"b\" \xe2\x80\xae\n https://h?token=secret"}});
    const std::string line = testing::internal::GetCapturedStderr();
    const std::string said =
        " error bad \\x1b[2J\\nforged: https://***@h why=\"a \\\"b\\\" \\\\u202e\\\\n "
        "https://h?***\"\n";
    ASSERT_GT(line.size(), said.size());
    EXPECT_EQ(line.substr(line.size() - said.size()), said);
    // 2026-01-01T00:00:00.000Z
    EXPECT_EQ(line.size() - said.size(), 24U) << line;
    EXPECT_EQ(line[23], 'Z');
  }
}

}  // namespace
}  // namespace batholith
