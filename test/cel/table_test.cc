#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "devices/device_selector.h"
#include "test/cel/sample_device.h"
#include "test/source_dir.h"

// Every line of test/cel/tables: what an expression gives, a tab, the expression. `refused` is told
// when it is compiled; other words than true and false are the reason why its evaluation fails.
namespace batholith {
namespace {

std::string ResultOf(const std::string& expression, const Device& device) {
  const auto selector = DeviceSelector::Compile(expression);
  if (!selector) {
    EXPECT_FALSE(selector.error().message.empty());
    return "refused";
  }
  const auto matches = selector->Matches(kSampleDriver, device);
  if (matches) return *matches ? "true" : "false";
  EXPECT_FALSE(matches.error().message.empty());
  return std::string(ReasonName(matches.error()));
}

TEST(CelTables, each_expression_gives_what_its_line_says) {
  const Device device = SampleDevice();
  std::size_t lines = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(SourceDir()) /
                                                              "test/cel/tables")) {
    std::ifstream in(file.path());
    for (std::string line; std::getline(in, line); ++lines) {
      const std::size_t tab = line.find('\t');
      ASSERT_NE(tab, std::string::npos) << file.path() << ": " << line;
      const std::string expression = line.substr(tab + 1);
      EXPECT_EQ(ResultOf(expression, device), line.substr(0, tab))
          << file.path().filename() << ": " << expression;
    }
  }
  EXPECT_GT(lines, 400U);
}

}  // namespace
}  // namespace batholith
