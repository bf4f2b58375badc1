#pragma once

#include <array>
#include <boost/json/value.hpp>
#include <cstdint>
#include <functional>
#include <optional>
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
      : std::runtime_error(Printable(path) + ": " + reason) {}
};

// A text that stands for one value of an enum (or yes and no).
template <typename T>
struct Choice {
  std::string_view text;
  T value;
};
template <typename T, std::size_t n>
using Choices = std::array<Choice<T>, n>;

// One JSON value together with its path in the object, for messages. A missing or null field reads
// as absent; a field of another type than expected is a FieldError. Does not own the value.
class Field {
 public:
  Field(const boost::json::value* value, std::string path)
      : value_(value), path_(std::move(path)) {}

  bool present() const { return value_ != nullptr && !value_->is_null(); }
  const std::string& path() const { return path_; }
  const boost::json::value* value() const { return value_; }

  Field operator[](std::string_view name) const;               // of an object
  std::vector<Field> Items() const;                            // of a list; absent: none
  std::vector<std::pair<std::string, Field>> Entries() const;  // of an object; absent: none

  std::string Text(std::string fallback = {}) const;
  std::string TextOrNumber(std::string fallback = {}) const;  // IntOrString, quantities
  std::int64_t Int(std::int64_t fallback, std::int64_t min, std::int64_t max) const;
  std::int32_t Int32(std::int32_t fallback) const;
  bool Bool(bool fallback) const;
  std::vector<std::string> Texts() const;
  Labels TextMap() const;
  TimeNs Time() const;                                                  // RFC 3339; 0 when absent
  ResourceList Resources(std::string_view may_be_negative = {}) const;  // a resource's name
  ResourceList Bounds() const;  // resources of any sign, cut off at the ends of 64 bits
  [[noreturn]] void Fail(const std::string& reason) const { throw FieldError(path_, reason); }

  // What the text stands for. Errors: absent, or none of them; the message lists them.
  template <typename T, std::size_t n>
  T OneOf(const Choices<T, n>& choices) const {
    const std::string text = Text();
    std::string texts;
    for (const Choice<T>& choice : choices) {
      if (choice.text == text) return choice.value;
      texts += (texts.empty() ? "" : ", ") + std::string(choice.text);
    }
    FailChoice(text, texts);
  }
  // The same; absent or empty is `fallback`.
  template <typename T, std::size_t n>
  T OneOf(const Choices<T, n>& choices, std::type_identity_t<T> fallback) const {
    return Text().empty() ? fallback : OneOf(choices);
  }

 private:
  [[noreturn]] void FailChoice(const std::string& text, const std::string& choices) const;

  const boost::json::value* value_;
  std::string path_;
};

// "2026-01-01T00:00:00Z", fractions and offsets too → nanoseconds since the epoch.
std::optional<TimeNs> ParseTime(std::string_view text);

std::string ReadName(const Field& object);  // metadata.name, which must be there
ObjectMeta ReadMeta(const Field& object);

}  // namespace batholith
