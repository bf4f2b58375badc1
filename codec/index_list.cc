#include "codec/index_list.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "api/value_text.h"

namespace batholith {
namespace {

struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

std::int64_t TakeIndex(std::string_view& text, const Field& field) {
  const std::string_view written = text;
  const std::optional<std::int64_t> value = TakeNumber(text);
  if (!value || *value < 0)
    field.Fail("\"" + Printable(written) + "\" is not a list of indexes, such as 0-3,7");
  return *value;
}

// Takes "3" or "3-5" off the front of `text`, together with a comma behind it.
Range TakeRange(std::string_view& text, const Field& field) {
  Range range;
  range.first = range.last = TakeIndex(text, field);
  if (text.starts_with('-')) {
    text.remove_prefix(1);
    range.last = TakeIndex(text, field);
  }
  const bool more = text.starts_with(',') && text.size() > 1;
  if (more) text.remove_prefix(1);
  if (range.last < range.first || (!more && !text.empty()))
    field.Fail("\"" + Printable(text) + "\" is not a list of indexes, such as 0-3,7");
  return range;
}

}  // namespace

std::vector<std::int64_t> OpenIndexes(const Field& closed, std::int64_t end, std::int64_t count) {
  std::vector<std::int64_t> out;
  std::int64_t next = 0;
  const auto open_until = [&](std::int64_t stop) {
    for (; next < stop && static_cast<std::int64_t>(out.size()) < count; ++next)
      out.push_back(next);
  };
  const std::string all = closed.Text();
  for (std::string_view text = all; !text.empty();) {
    const Range range = TakeRange(text, closed);
    if (range.first < next) closed.Fail("indexes must ascend");
    open_until(std::min(range.first, end));
    if (range.last >= end) return out;
    next = range.last + 1;
  }
  open_until(end);
  return out;
}

}  // namespace batholith
