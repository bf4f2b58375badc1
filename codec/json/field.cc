#include "codec/json/field.h"

#include <algorithm>
#include <boost/json.hpp>

#include "api/did_you_mean.h"
#include "api/printable.h"
#include "api/quantity.h"
#include "api/time_text.h"
#include "codec/json/text.h"

namespace batholith {

std::string Printable(std::string_view text) { return ShortLine(text, 150); }

Field Field::Glance(const boost::json::value& value) {
  Field out(&value, "");
  out.glances_ = true;
  return out;
}

Field Field::Glance(const boost::json::object& object) {
  Field out(object, "");
  out.glances_ = true;
  return out;
}

std::string_view Field::kind() const {
  if (!present()) return "nothing";
  if (is_object()) return "an object";
  if (is_list()) return "a list";
  if (is_text()) return "a text";
  return is_bool() ? "a boolean" : "a number";
}

Field Field::Below(const boost::json::value* value, std::string path) const {
  Field out(value, std::move(path), flaws_);
  out.glances_ = glances_;
  return out;
}

// Nobody asks a glance for its path.
std::string Field::PathOf(std::string_view name) const {
  if (glances_) return {};
  return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

Field Field::operator[](std::string_view name) const {
  if (present() && !is_object()) Flaw("must be an object, not " + std::string(kind()));
  return Below(is_object() ? object_->if_contains(name) : nullptr, PathOf(name));
}

const boost::json::object& Field::Object() const {
  static const boost::json::object kNone;
  if (present() && !is_object()) Flaw("must be an object, not " + std::string(kind()));
  return is_object() ? *object_ : kNone;
}

const boost::json::array& Field::List() const {
  static const boost::json::array kNone;
  if (present() && !is_list()) Flaw("must be a list, not " + std::string(kind()));
  return is_list() ? value_->get_array() : kNone;
}

std::vector<Field> Field::Items() const {
  std::vector<Field> out;
  const boost::json::array& list = List();
  out.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    out.push_back(Below(&list[i], glances_ ? "" : path_ + "[" + std::to_string(i) + "]"));
  return out;
}

std::vector<std::pair<std::string, Field>> Field::Entries() const {
  std::vector<std::pair<std::string, Field>> out;
  for (const auto& entry : Object())
    out.emplace_back(std::string(entry.key()), Below(&entry.value(), PathOf(entry.key())));
  return out;
}

void Field::OnlyKnown(std::span<const std::string_view> known) const {
  for (const auto& entry : Object()) {
    const std::string_view name = entry.key();
    if (std::ranges::find(known, name) == known.end())
      Flaw("unknown field \"" + Shown(name) + "\"" + DidYouMean(name, known));
  }
}

std::string Field::Text(std::string fallback) const {
  if (!present()) return fallback;
  if (is_text()) return std::string(value_->get_string());
  Flaw("must be a text, not " + std::string(kind()));
  return fallback;
}

std::string Field::TextOrNumber(std::string fallback) const {
  if (!present()) return fallback;
  if (is_scalar() && !is_bool()) return Scalar();
  Flaw("must be a text or a number, not " + std::string(kind()));
  return fallback;
}

std::string Field::Scalar(std::string fallback) const {
  if (!present()) return fallback;
  if (is_text()) return std::string(value_->get_string());
  if (is_scalar()) return JsonText(*value_);
  Flaw("must be one value, not " + std::string(kind()));
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
  Flaw("must be true or false, not " + std::string(kind()));
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
    if (!out.owner->uid.empty() && !controls) continue;
    out.owner.Edit().uid = owner["uid"].Text();
    out.owner.Edit().kind = owner["kind"].Text();
    out.owner.Edit().name = owner["name"].Text();
  }
  return out;
}

Field FieldIn(const boost::json::value& value, std::initializer_list<const char*> path) {
  Field at = Field::Glance(value);
  for (const char* field : path) at = at[field];
  return at;
}

std::string TextIn(const boost::json::value& value, std::initializer_list<const char*> path) {
  return FieldIn(value, path).Text();
}

}  // namespace batholith
