// Texts of single fields: quantities, times, durations, selectors, lists of indexes. The first byte
// says which, the rest is the text.
#include <array>
#include <boost/json.hpp>
#include <functional>

#include "api/quantity.h"
#include "api/time_text.h"
#include "api/value_text.h"
#include "client/watch/version.h"
#include "codec/index_list.h"
#include "codec/json/parse.h"
#include "codec/json/text.h"
#include "codec/selector.h"
#include "test/fuzz/fuzz.h"

namespace batholith {
namespace {

using Target = void (*)(std::string_view text);

// What is printed of an amount is the amount.
void Quantities(std::string_view text) {
  for (const std::int64_t scale : {1, 1000}) {
    const auto exact = ParseQuantity(text, scale);
    const auto cut = ParseQuantityCutOff(text, scale);
    if (!exact) continue;
    CHECK(cut && *cut == *exact);
    const std::string resource = scale == 1 ? "memory" : "cpu";
    const auto again = ParseQuantity(FormatQuantity(*exact, resource), scale);
    CHECK(again && *again == *exact);
  }
}

void Times(std::string_view text) {
  const auto time = ParseTime(text);
  if (!time) return;
  const auto again = ParseTime(FormatTime(*time));
  CHECK(again && *again == *time);
}

void Arguments(std::string_view text) {
  (void)ParseGoDuration(text);
  (void)ParseInt(text);
  (void)ParseFloat(text);
  (void)ParseBool(text);
  (void)ParseTimeRange(text);
  for (const std::string& word : SplitList(text)) CHECK(!word.empty());
}

void Indexes(std::string_view text) {
  const boost::json::value value(text);
  try {
    const auto open = OpenIndexes(Field(&value, "completedIndexes"), 1000, 100);
    CHECK(open.size() <= 100);
  } catch (const FieldError&) {
  }
}

template <typename Read>
void OfJson(std::string_view text, Read read) {
  const auto values = ParseJson(text);
  if (!values || values->empty()) return;
  try {
    read(Field(&values->front(), "field"));
  } catch (const FieldError&) {
  }
}

void Selectors(std::string_view text) {
  OfJson(text, [](const Field& f) { (void)ReadLabelSelector(f); });
  OfJson(text, [](const Field& f) { (void)ReadNodeTerm(f); });
}

void Lists(std::string_view text) {
  OfJson(text, [](const Field& f) { (void)f.Resources(); });
  OfJson(text, [](const Field& f) { (void)f.Bounds(); });
}

// JSON that was read is written as JSON that reads as the same.
void Json(std::string_view text) {
  const auto values = ParseJson(text);
  if (!values) return;
  for (const auto& value : *values) {
    const auto again = ParseJson(JsonText(value));
    CHECK(again && again->size() == 1 && again->front() == value);
  }
}

void Versions(std::string_view text) {
  const std::size_t middle = text.size() / 2;
  const std::string a(text.substr(0, middle));
  const std::string b(text.substr(middle));
  CHECK(!(IsOlderVersion(a, b) && IsOlderVersion(b, a)));
}

constexpr std::array<Target, 8> kTargets{Quantities, Times, Arguments, Indexes,
                                         Selectors,  Lists, Json,      Versions};

}  // namespace
}  // namespace batholith

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace batholith;
  const std::string_view text = fuzz::TextOf(data, size);
  if (text.empty() || text[0] < '0' || text[0] >= '0' + static_cast<int>(kTargets.size()))
    return fuzz::kForget;
  kTargets[static_cast<std::size_t>(text[0] - '0')](text.substr(1));
  return fuzz::kKeep;
}
