#include "codec/field.h"

#include <boost/json.hpp>
#include <chrono>
#include <ctime>

#include "api/printable.h"
#include "api/quantity.h"

namespace batholith {

std::string Printable(std::string_view text) { return ShortLine(text, 150); }

void Field::FailChoice(const std::string& text, const std::string& choices) const {
  Fail("\"" + Printable(text) + "\" must be one of " + choices);
}

Field Field::operator[](std::string_view name) const {
  std::string path = path_.empty() ? std::string(name) : path_ + "." + std::string(name);
  if (!present()) return {nullptr, std::move(path)};
  if (!value_->is_object()) Fail("must be an object");
  return {value_->get_object().if_contains(boost::json::string_view(name.data(), name.size())),
          std::move(path)};
}

std::vector<Field> Field::Items() const {
  std::vector<Field> out;
  if (!present()) return out;
  if (!value_->is_array()) Fail("must be a list");
  const boost::json::array& list = value_->get_array();
  for (std::size_t i = 0; i < list.size(); ++i)
    out.emplace_back(&list[i], path_ + "[" + std::to_string(i) + "]");
  return out;
}

std::vector<std::pair<std::string, Field>> Field::Entries() const {
  std::vector<std::pair<std::string, Field>> out;
  if (!present()) return out;
  if (!value_->is_object()) Fail("must be an object");
  for (const auto& entry : value_->get_object()) {
    std::string key(entry.key().data(), entry.key().size());
    std::string path = path_ + "." + key;
    out.emplace_back(std::move(key), Field(&entry.value(), std::move(path)));
  }
  return out;
}

std::string Field::Text(std::string fallback) const {
  if (!present()) return fallback;
  if (!value_->is_string()) Fail("must be a text");
  return std::string(value_->get_string());
}

std::string Field::TextOrNumber(std::string fallback) const {
  if (!present()) return fallback;
  if (value_->is_string()) return std::string(value_->get_string());
  if (value_->is_number()) return boost::json::serialize(*value_);
  Fail("must be a text or a number");
}

std::int64_t Field::Int(std::int64_t fallback, std::int64_t min, std::int64_t max) const {
  if (!present()) return fallback;
  if (!value_->is_int64()) {
    const std::string text = value_->is_structured() ? (value_->is_array() ? "a list" : "an object")
                                                     : boost::json::serialize(*value_);
    // Whole numbers beyond 64 bits come as text.
    if (text.size() > 20 && text.find_first_not_of("\"-0123456789") == std::string::npos)
      Fail(Printable(text) + " is out of range");
    Fail("must be a whole number, is " + Printable(text));
  }
  const std::int64_t value = value_->get_int64();
  if (value < min || value > max) {
    Fail(std::to_string(value) + " is out of range " + std::to_string(min) + " to " +
         std::to_string(max));
  }
  return value;
}

std::int32_t Field::Int32(std::int32_t fallback) const {
  return static_cast<std::int32_t>(Int(fallback, INT32_MIN, INT32_MAX));
}

bool Field::Bool(bool fallback) const {
  if (!present()) return fallback;
  if (!value_->is_bool()) Fail("must be true or false");
  return value_->get_bool();
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
  const std::optional<TimeNs> time = ParseTime(text);
  if (!time) Fail("\"" + Printable(text) + "\" is no time (RFC 3339)");
  return *time;
}

ResourceList Field::Resources(std::string_view may_be_negative) const {
  ResourceList out;
  for (const auto& [name, value] : Entries()) {
    if (!value.present()) continue;
    const Result<std::int64_t> amount = ParseQuantity(value.TextOrNumber(), ResourceScale(name));
    if (!amount) value.Fail(amount.error().message);
    if (*amount < 0 && name != may_be_negative) value.Fail("must not be negative");
    out[name] = *amount;
  }
  return out;
}

ResourceList Field::Bounds() const {
  ResourceList out;
  for (const auto& [name, value] : Entries()) {
    const Result<std::int64_t> amount =
        ParseQuantityCutOff(value.TextOrNumber(), ResourceScale(name));
    if (!amount) value.Fail(amount.error().message);
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
