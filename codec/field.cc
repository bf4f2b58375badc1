#include "codec/field.h"

#include <algorithm>
#include <boost/json.hpp>

#include "api/printable.h"
#include "api/quantity.h"
#include "codec/time_text.h"

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
