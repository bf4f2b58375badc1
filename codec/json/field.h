#pragma once

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/objects.h"

namespace batholith {

// Foreign text as a message may hold it: short, on one line, and escaped (api/printable.h).
std::string Printable(std::string_view text);

// An object is refused because of one field. Caught where a folder hands out its result, as in
// ManifestDecoder.
struct FieldError : std::runtime_error {
  FieldError(const std::string& path, const std::string& reason)
      : std::runtime_error(At(path) + reason) {}

  // "path: "; nothing for the object itself.
  static std::string At(const std::string& path) {
    return path.empty() ? std::string() : Printable(path) + ": ";
  }
};

// A text that stands for one value of an enum (or yes and no).
template <typename T>
struct Choice {
  std::string_view text;
  T value;
};
template <typename T, std::size_t n>
using Choices = std::array<Choice<T>, n>;

// What could not be read of an object as an API server stores it. Such an object is there whatever
// we think of it: it is never refused, but what the field may have said is decided on the safe
// side.
class Flaws {
 public:
  void Add(const std::string& path, const std::string& reason) {
    if (count_++ != 0) return;
    path_ = path;
    reason_ = reason;
  }
  std::size_t count() const { return count_; }
  // The first one. REQUIRES: there is one.
  std::string first() const { return FieldError::At(path_) + reason_; }
  void Throw() const { throw FieldError(path_, reason_); }

 private:
  std::size_t count_ = 0;
  std::string path_;
  std::string reason_;
};

// The reader of JSON, wherever it comes from: one value together with its path in the object, for
// messages. A missing or null field reads as absent. What fits no field (another type, a text that
// is no choice) is a Flaw: a manifest, which a person can mend, is refused by a FieldError; with
// `flaws`, of a stored object, it is noted there and reads as if it were absent. Numbers and times
// of a stored object that are out of range are cut off at its ends. A glance says nothing of what
// does not fit, which reads as absent: for answers whose shape a server vouches for. Does not own
// the value.
class Field {
 public:
  Field(const boost::json::value* value, std::string path, Flaws* flaws = nullptr)
      : value_(value),
        object_(value == nullptr ? nullptr : value->if_object()),
        path_(std::move(path)),
        flaws_(flaws) {}
  // At an object that is no value of its own: value() is nullptr.
  Field(const boost::json::object& object, std::string path)
      : object_(&object), path_(std::move(path)) {}
  static Field Glance(const boost::json::value& value);
  static Field Glance(const boost::json::object& object);

  bool present() const { return object_ != nullptr || (value_ != nullptr && !value_->is_null()); }
  bool is_object() const { return object_ != nullptr; }
  bool is_list() const { return value_ != nullptr && value_->is_array(); }
  bool is_text() const { return value_ != nullptr && value_->is_string(); }
  bool is_bool() const { return value_ != nullptr && value_->is_bool(); }
  bool is_int() const { return value_ != nullptr && value_->is_int64(); }
  bool is_scalar() const { return present() && !is_object() && !is_list(); }
  // "a list", "an object", "a text" …
  std::string_view kind() const;
  const std::string& path() const { return path_; }
  const boost::json::value* value() const { return value_; }
  Flaws* flaws() const { return flaws_; }
  std::size_t flaw_count() const { return flaws_ == nullptr ? 0 : flaws_->count(); }

  Field operator[](std::string_view name) const;               // of an object
  std::vector<Field> Items() const;                            // of a list; absent: none
  std::vector<std::pair<std::string, Field>> Entries() const;  // of an object; absent: none

  std::string Text(std::string fallback = {}) const;
  std::string TextOrNumber(std::string fallback = {}) const;  // IntOrString, quantities
  std::string Scalar(std::string fallback = {}) const;        // a boolean too, as it is written
  std::int64_t Int(std::int64_t fallback, std::int64_t min, std::int64_t max) const;
  std::int32_t Int32(std::int32_t fallback) const;
  // What API servers take whatever its size: cut off in a manifest, too.
  std::int64_t Clamped(std::int64_t fallback, std::int64_t min, std::int64_t max) const;
  bool Bool(bool fallback) const;
  const boost::json::object& Object() const;  // absent, or a flaw: an empty one
  const boost::json::array& List() const;     // the same
  std::vector<std::string> Texts() const;
  Labels TextMap() const;
  TimeNs Time() const;  // RFC 3339, cut off at 1900 and 2190; 0 when absent
  // Amounts beyond 64 bits are cut off, as API servers do. `may_be_negative`: a resource's name;
  // other negative amounts are refused, and 0 in a stored object.
  ResourceList Resources(std::string_view may_be_negative = {}) const;
  ResourceList Bounds() const;  // resources of any sign, cut off at the ends of 64 bits
  // A flaw: a field of an object that is not among `known`, with a "did you mean".
  void OnlyKnown(std::span<const std::string_view> known) const;
  [[noreturn]] void Fail(const std::string& reason) const { throw FieldError(path_, reason); }
  // What cannot be read: thrown, or noted where the object is a stored one.
  void Flaw(const std::string& reason) const {
    if (glances_) return;
    if (flaws_ == nullptr) Fail(reason);
    flaws_->Add(path_, reason);
  }

  // What the text stands for. A flaw: absent, or none of them; the message lists them.
  template <typename T, std::size_t n>
  std::optional<T> OneOf(const Choices<T, n>& choices) const {
    const std::string text = Text();
    std::string texts;
    for (const Choice<T>& choice : choices) {
      if (choice.text == text) return choice.value;
      texts += (texts.empty() ? "" : ", ") + std::string(choice.text);
    }
    Flaw("\"" + Printable(text) + "\" must be one of " + texts);
    return std::nullopt;
  }
  // The same; absent, empty or a flaw is `fallback`.
  template <typename T, std::size_t n>
  T OneOf(const Choices<T, n>& choices, std::type_identity_t<T> fallback) const {
    return Text().empty() ? fallback : OneOf(choices).value_or(fallback);
  }

 private:
  std::int64_t Number(std::int64_t fallback, std::int64_t min, std::int64_t max, bool cut) const;

  Field Below(const boost::json::value* value, std::string path) const;
  std::string PathOf(std::string_view name) const;

  const boost::json::value* value_ = nullptr;
  const boost::json::object* object_ = nullptr;  // that value_ is, or that has no value
  std::string path_;                             // empty where it glances
  Flaws* flaws_ = nullptr;                       // none: a manifest
  bool glances_ = false;
};

// What an answer has at a path of fields; a text reads as empty where there is none.
Field FieldIn(const boost::json::value& value, std::initializer_list<const char*> path);
std::string TextIn(const boost::json::value& value, std::initializer_list<const char*> path);

std::string ReadName(const Field& object);  // metadata.name, which must be there: else FieldError
ObjectMeta ReadMeta(const Field& object);

}  // namespace batholith
