#include "codec/field.h"

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <ctime>

#include "api/printable.h"
#include "api/quantity.h"

namespace batholith {

std::string Printable(std::string_view text) { return ShortLine(text, 150); }

Field Field::operator[](std::string_view name) const {
  std::string path = path_.empty() ? std::string(name) : path_ + "." + std::string(name);
  if (!present()) return {nullptr, std::move(path), flaws_};
  if (!value_->is_object()) {
    Flaw("must be an object");
    return {nullptr, std::move(path), flaws_};
  }
  return {value_->get_object().if_contains(boost::json::string_view(name.data(), name.size())),
          std::move(path), flaws_};
}

std::vector<Field> Field::Items() const {
  std::vector<Field> out;
  if (!present()) return out;
  if (!value_->is_array()) {
    Flaw("must be a list");
    return out;
  }
  const boost::json::array& list = value_->get_array();
  for (std::size_t i = 0; i < list.size(); ++i)
    out.emplace_back(&list[i], path_ + "[" + std::to_string(i) + "]", flaws_);
  return out;
}

std::vector<std::pair<std::string, Field>> Field::Entries() const {
  std::vector<std::pair<std::string, Field>> out;
  if (!present()) return out;
  if (!value_->is_object()) {
    Flaw("must be an object");
    return out;
  }
  for (const auto& entry : value_->get_object()) {
    std::string key(entry.key().data(), entry.key().size());
    std::string path = path_ + "." + key;
    out.emplace_back(std::move(key), Field(&entry.value(), std::move(path), flaws_));
  }
  return out;
}

std::string Field::Text(std::string fallback) const {
  if (!present()) return fallback;
  if (value_->is_string()) return std::string(value_->get_string());
  Flaw("must be a text");
  return fallback;
}

std::string Field::TextOrNumber(std::string fallback) const {
  if (!present()) return fallback;
  if (value_->is_string()) return std::string(value_->get_string());
  if (value_->is_number()) return boost::json::serialize(*value_);
  Flaw("must be a text or a number");
  return fallback;
}

namespace {

// Whole numbers beyond 64 bits come as text, and so do 1e3 and 1.0.
std::optional<std::int64_t> NumberIn(const boost::json::value& value) {
  if (!value.is_string()) return std::nullopt;
  const std::string_view text = value.get_string();
  if (text.find_first_not_of("+-.0123456789eE") != std::string_view::npos) return std::nullopt;
  const Result<std::int64_t> number = ParseQuantityCutOff(text, 1);
  return number ? std::optional(*number) : std::nullopt;
}

}  // namespace

std::int64_t Field::Number(std::int64_t fallback, std::int64_t min, std::int64_t max,
                           bool cut) const {
  if (!present()) return fallback;
  if (value_->is_int64() && value_->get_int64() >= min && value_->get_int64() <= max)
    return value_->get_int64();
  const bool is_text = !value_->is_int64();
  if (cut) {
    const std::optional<std::int64_t> number =
        is_text ? NumberIn(*value_) : std::optional(value_->get_int64());
    if (number) return std::clamp(*number, min, max);
  }
  const std::string text = value_->is_structured() ? (value_->is_array() ? "a list" : "an object")
                                                   : boost::json::serialize(*value_);
  if (!is_text) {
    Flaw(text + " is out of range " + std::to_string(min) + " to " + std::to_string(max));
  } else if (text.size() > 20 && text.find_first_not_of("\"-0123456789") == std::string::npos) {
    Flaw(Printable(text) + " is out of range");
  } else {
    Flaw("must be a whole number, is " + Printable(text));
  }
  return fallback;
}

std::int64_t Field::Int(std::int64_t fallback, std::int64_t min, std::int64_t max) const {
  return Number(fallback, min, max, flaws_ != nullptr);
}

std::int64_t Field::Clamped(std::int64_t fallback, std::int64_t min, std::int64_t max) const {
  return Number(fallback, min, max, true);
}

std::int32_t Field::Int32(std::int32_t fallback) const {
  return static_cast<std::int32_t>(Int(fallback, INT32_MIN, INT32_MAX));
}

bool Field::Bool(bool fallback) const {
  if (!present()) return fallback;
  if (value_->is_bool()) return value_->get_bool();
  Flaw("must be true or false");
  return fallback;
}

std::vector<std::string> Field::Texts() const {
  std::vector<std::string> out;
  for (const Field& item : Items()) out.push_back(item.Text());
  return out;
}

Labels Field::TextMap() const {
  Labels out;
  for (const auto& [key, value] : Entries()) out[key] = value.Text();
  return out;
}

TimeNs Field::Time() const {
  if (!present()) return 0;
  const std::string text = Text();
  const std::optional<TimeNs> time = ParseTimeCutOff(text);
  if (!time) Flaw("\"" + Printable(text) + "\" is not a time (RFC 3339)");
  return time.value_or(0);
}

ResourceList Field::Resources(std::string_view may_be_negative) const {
  ResourceList out;
  for (auto& [name, amount] : Bounds()) {
    const bool negative = amount < 0 && name != may_be_negative;
    if (negative && flaws_ == nullptr) (*this)[name].Fail("must not be negative");
    out[name] = negative ? 0 : amount;
  }
  return out;
}

ResourceList Field::Bounds() const {
  ResourceList out;
  for (const auto& [name, value] : Entries()) {
    if (!value.present()) continue;
    const std::size_t flaws = flaw_count();
    const std::string text = value.TextOrNumber();
    if (flaw_count() != flaws) continue;
    const Result<std::int64_t> amount = ParseQuantityCutOff(text, ResourceScale(name));
    if (!amount) {
      value.Flaw(amount.error().message);
      continue;
    }
    out[name] = *amount;
  }
  return out;
}

namespace {

// The digits of `text` from `at` on, exactly `n` of them; -1 where there are none.
int Digits(std::string_view text, std::size_t at, std::size_t n) {
  if (at + n > text.size()) return -1;
  int value = 0;
  for (const char c : text.substr(at, n)) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

constexpr int kFirstYear = 1700;
constexpr int kLastYear = 2250;

constexpr std::int64_t StartOfYear(int year) {
  const auto day = std::chrono::year(year) / std::chrono::January / 1;
  return std::chrono::seconds(std::chrono::sys_days(day).time_since_epoch()).count();
}

// "2026-01-01T00:00:00" → seconds since the epoch. Years whose nanoseconds fit into 64 bits.
std::optional<std::int64_t> ParseDateTime(std::string_view text) {
  if (text.size() != 19 || text[4] != '-' || text[7] != '-' || text[13] != ':' || text[16] != ':' ||
      (text[10] != 'T' && text[10] != 't'))
    return std::nullopt;
  const int year = Digits(text, 0, 4);
  const int month = Digits(text, 5, 2);
  const int day = Digits(text, 8, 2);
  const int hour = Digits(text, 11, 2);
  const int minute = Digits(text, 14, 2);
  const int second = Digits(text, 17, 2);
  if (year < kFirstYear || year > kLastYear || month < 1 || month > 12 || day < 1)
    return std::nullopt;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
    return std::nullopt;
  std::tm tm{};
  tm.tm_year = year - 1900;
  tm.tm_mon = month - 1;
  tm.tm_mday = day;
  tm.tm_hour = hour;
  tm.tm_min = minute;
  tm.tm_sec = second;
  const std::int64_t seconds = timegm(&tm);
  // A day that the month does not have was moved on to the next month.
  if (tm.tm_mon != month - 1 && second != 60) return std::nullopt;
  return seconds;
}

// "Z", "+02:00" → seconds.
std::optional<std::int64_t> ParseOffset(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
  const int hours = Digits(text, 1, 2);
  const int minutes = Digits(text, 4, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  const std::int64_t seconds = hours * 3600LL + minutes * 60LL;
  return text[0] == '-' ? -seconds : seconds;
}

}  // namespace

std::optional<TimeNs> ParseTime(std::string_view text) {
  const std::optional<std::int64_t> seconds = ParseDateTime(text.substr(0, 19));
  if (!seconds) return std::nullopt;
  std::size_t at = 19;
  TimeNs fraction = 0;
  if (text.substr(at).starts_with('.')) {
    TimeNs unit = 100'000'000;
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, unit /= 10)
      fraction += (text[at] - '0') * unit;
  }
  const std::optional<std::int64_t> offset = ParseOffset(text.substr(at));
  if (!offset) return std::nullopt;
  // An offset or a leap second can move it into a year that would not be read when written in UTC.
  const std::int64_t instant = *seconds - *offset;
  if (instant < StartOfYear(kFirstYear) || instant >= StartOfYear(kLastYear + 1))
    return std::nullopt;
  return instant * 1'000'000'000 + fraction;
}

// The year alone is cut off, so that the rest is judged as that of any time. An offset can move the
// instant beyond the ends once more; what is read must come back when it is written in UTC.
std::optional<TimeNs> ParseTimeCutOff(std::string_view text) {
  constexpr int kFirst = 1900;
  constexpr int kLast = 2190;
  std::string near(text);
  const int year = Digits(text, 0, 4);
  if (year >= 0 && (year < kFirst || year >= kLast)) near.replace(0, 4, "2000");
  const std::optional<TimeNs> time = ParseTime(near);
  if (!time) return std::nullopt;
  constexpr TimeNs kEarliest = StartOfYear(kFirst) * 1'000'000'000;
  constexpr TimeNs kLatest = StartOfYear(kLast) * 1'000'000'000;
  if (near != text) return year < kFirst ? kEarliest : kLatest;
  return std::clamp(*time, kEarliest, kLatest);
}

std::string ReadName(const Field& object) {
  const Field name = object["metadata"]["name"];
  std::string text = name.Text();
  if (text.empty()) name.Fail("is missing");
  return text;
}

ObjectMeta ReadMeta(const Field& object) {
  const Field meta = object["metadata"];
  ObjectMeta out;
  out.name = ReadName(object);
  out.namespace_ = meta["namespace"].Text();
  out.uid = meta["uid"].Text();
  out.labels = meta["labels"].TextMap();
  out.annotations = meta["annotations"].TextMap();
  out.creation = meta["creationTimestamp"].Time();
  out.deleting = meta["deletionTimestamp"].present();
  for (const Field& owner : meta["ownerReferences"].Items()) {
    const bool controls = owner["controller"].Bool(false);
    if (!out.owner_uid.empty() && !controls) continue;
    out.owner_uid = owner["uid"].Text();
    out.owner_kind = owner["kind"].Text();
    out.owner_name = owner["name"].Text();
  }
  return out;
}

}  // namespace batholith
