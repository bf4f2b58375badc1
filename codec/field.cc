#include "codec/field.h"

#include <boost/json.hpp>
#include <charconv>
#include <ctime>

#include "api/quantity.h"

namespace batholith {

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
  if (value_->is_int64() || value_->is_uint64() || value_->is_double())
    return boost::json::serialize(*value_);
  Fail("must be a text or a number");
}

std::int64_t Field::Int(std::int64_t fallback, std::int64_t min, std::int64_t max) const {
  if (!present()) return fallback;
  if (value_->is_uint64()) Fail("is out of range");
  if (!value_->is_int64()) {
    std::string text = boost::json::serialize(*value_);
    Fail("must be a whole number, is " + text.substr(0, 40));
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
  if (!time) Fail("\"" + text + "\" is no time (RFC 3339)");
  return *time;
}

ResourceList Field::Resources(bool may_be_negative) const {
  ResourceList out;
  for (const auto& [name, value] : Entries()) {
    const Result<std::int64_t> amount = ParseQuantity(value.TextOrNumber(), ResourceScale(name));
    if (!amount) value.Fail(amount.error().message);
    if (*amount < 0 && !may_be_negative) value.Fail("must not be negative");
    out[name] = *amount;
  }
  return out;
}

std::optional<TimeNs> ParseTime(std::string_view text) {
  const auto number = [&](std::size_t at, std::size_t n) -> int {
    int value = -1;
    if (at + n > text.size()) return -1;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + at + n, value);
    return error == std::errc() && end == text.data() + at + n ? value : -1;
  };
  if (text.size() < 20 || text[4] != '-' || text[7] != '-' || (text[10] != 'T' && text[10] != 't'))
    return std::nullopt;
  std::tm tm{};
  tm.tm_year = number(0, 4) - 1900;
  tm.tm_mon = number(5, 2) - 1;
  tm.tm_mday = number(8, 2);
  tm.tm_hour = number(11, 2);
  tm.tm_min = number(14, 2);
  tm.tm_sec = number(17, 2);
  if (tm.tm_mon < 0 || tm.tm_mon > 11 || tm.tm_mday < 1 || tm.tm_mday > 31 || tm.tm_hour < 0 ||
      tm.tm_hour > 23 || tm.tm_min < 0 || tm.tm_min > 59 || tm.tm_sec < 0 || tm.tm_sec > 60 ||
      tm.tm_year < -200) {
    return std::nullopt;
  }
  std::size_t at = 19;
  TimeNs fraction = 0;
  if (text[at] == '.') {
    TimeNs unit = 100'000'000;
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, unit /= 10)
      fraction += (text[at] - '0') * unit;
  }
  TimeNs offset = 0;
  if (at >= text.size()) return std::nullopt;
  if (text[at] == '+' || text[at] == '-') {
    const int hours = number(at + 1, 2);
    const int minutes = number(at + 4, 2);
    if (hours < 0 || minutes < 0) return std::nullopt;
    offset = (text[at] == '-' ? -1 : 1) * (hours * 3600LL + minutes * 60LL);
  } else if (text[at] != 'Z' && text[at] != 'z') {
    return std::nullopt;
  }
  return (static_cast<TimeNs>(timegm(&tm)) - offset) * 1'000'000'000 + fraction;
}

ObjectMeta ReadMeta(const Field& object) {
  const Field meta = object["metadata"];
  ObjectMeta out;
  out.name = meta["name"].Text();
  if (out.name.empty()) meta["name"].Fail("is missing");
  out.namespace_ = meta["namespace"].Text();
  out.uid = meta["uid"].Text();
  out.labels = meta["labels"].TextMap();
  out.annotations = meta["annotations"].TextMap();
  out.creation = meta["creationTimestamp"].Time();
  out.deleting = meta["deletionTimestamp"].present();
  for (const Field& owner : meta["ownerReferences"].Items()) {
    if (!out.owner_uid.empty() && !owner["controller"].Bool(false)) continue;
    out.owner_uid = owner["uid"].Text();
    out.owner_kind = owner["kind"].Text();
    out.owner_name = owner["name"].Text();
  }
  return out;
}

std::vector<Requirement> ReadRequirements(const Field& list) {
  std::vector<Requirement> out;
  for (const Field& item : list.Items()) {
    Requirement r;
    r.key = item["key"].Text();
    const std::string op = item["operator"].Text();
    using Op = Requirement::Op;
    if (op == "In") {
      r.op = Op::kIn;
    } else if (op == "NotIn") {
      r.op = Op::kNotIn;
    } else if (op == "Exists") {
      r.op = Op::kExists;
    } else if (op == "DoesNotExist") {
      r.op = Op::kDoesNotExist;
    } else if (op == "Gt") {
      r.op = Op::kGt;
    } else if (op == "Lt") {
      r.op = Op::kLt;
    } else {
      item["operator"].Fail("\"" + op +
                            "\" is no operator (In, NotIn, Exists, DoesNotExist, Gt, Lt)");
    }
    for (const Field& v : item["values"].Items()) r.values.push_back(v.TextOrNumber());
    out.push_back(std::move(r));
  }
  return out;
}

std::optional<LabelSelector> ReadLabelSelector(const Field& selector) {
  if (!selector.present()) return std::nullopt;
  LabelSelector out;
  for (const auto& [key, value] : selector["matchLabels"].TextMap()) {
    out.requirements.push_back({key, Requirement::Op::kIn, {value}});
  }
  for (Requirement& r : ReadRequirements(selector["matchExpressions"]))
    out.requirements.push_back(std::move(r));
  return out;
}

}  // namespace batholith
