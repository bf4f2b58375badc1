#include "cmd/left_out_notice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "api/log.h"

namespace batholith {

void LeftOutNotice::Now(std::vector<LeftOut> left_out) {
  const std::lock_guard lock(mutex_);
  left_out_ = std::move(left_out);
  for (const LeftOut& one : left_out_)
    Log(LogLevel::kError, "the conf holds without a part that this build does not have",
        {{"left out", one.text()}});
  std::vector<std::pair<std::string, std::string>> names;
  for (const LeftOut& one : left_out_) names.emplace_back(one.kind, one.name);
  metrics_.SetLeftOut(names);
}

std::vector<std::string> LeftOutNotice::Lines() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> lines;
  for (const LeftOut& one : left_out_)
    lines.push_back(one.text() + " of the conf is left out: this build does not have it");
  return lines;
}

std::string LeftOutNotice::Sentence() const {
  const std::lock_guard lock(mutex_);
  if (left_out_.empty()) return {};
  std::vector<std::string> names;
  for (const LeftOut& one : left_out_) names.push_back(one.text());
  return fmt::format("the conf holds without what this build does not have: {}",
                     fmt::join(names, ", "));
}

}  // namespace batholith
