#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/wide.h"

namespace batholith::cel {

class List;
class Map;
class Value;
struct Type;

// Why an evaluation failed; one code for each reaction of a reader of expressions.
enum class Failure : std::uint8_t {
  kNoSuchKey,
  kNoSuchOverload,
  kDivisionByZero,
  kOverflow,
  kConversion,
  kIndexOutOfBounds,
  kNoneDereferenced,
  kNotAVersion,
  kNotAQuantity,
  kInvalidArgument,
  kCostLimit,
};

struct EvaluationError {
  EvaluationError(Failure why, std::string what) : failure(why), message(std::move(what)) {}

  Failure failure;
  std::string message;
};

// A value of the Common Expression Language. Copies are cheap: texts, lists and maps are shared, or
// borrowed from whoever made the value, who then outlives every copy. Errors are values, since the
// language's && and || absorb them.
class Value {
 public:
  enum class Kind : std::uint8_t {
    kError,
    kNull,
    kBool,
    kInt,
    kUint,
    kDouble,
    kString,
    kBytes,
    kList,
    kMap,
    kType,
    kTimestamp,
    kDuration,
    kOptional,
    kQuantity,
    kVersion,
    kUrl,
    kAddress,
    kNetwork,
    kFormat,
  };

  Value() : Value(Kind::kNull) {}  // null
  static Value Bool(bool value);
  static Value Int(std::int64_t value);
  static Value Uint(std::uint64_t value);
  static Value Double(double value);
  static Value String(std::string text);
  static Value Bytes(std::string bytes);
  // The text is not copied, and outlives the value.
  static Value BorrowedString(std::string_view text);
  // A part of another text, kept with it.
  static Value PartOf(const Value& whole, std::string_view part);
  static Value ListOf(std::vector<Value> items);
  // `depth`: one more than that of the deepest item. Too deep: an error.
  static Value Of(std::shared_ptr<const List> list, std::int32_t depth);
  static Value Of(std::shared_ptr<const Map> map, std::int32_t depth);
  // Not copied, as above.
  static Value Borrowed(const Map& map);
  static Value TypeOf(std::shared_ptr<const Type> type);
  // Seconds since 1970, and nanoseconds of [0, 10^9).
  static Value Timestamp(std::int64_t seconds, std::int32_t nanos);
  static Value Duration(std::int64_t nanos);
  static Value None();
  static Value Some(Value value);
  // In units of 10^-9. `integral`: it was written so that Kubernetes holds it as an integer.
  // `computed`: the result of add or sub, which compares only as a left side.
  struct QuantityTraits {
    bool integral = true;
    bool computed = false;
  };
  static Value Quantity(Wide nanos, QuantityTraits traits);
  // Texts that have been checked already: REQUIRES a valid one.
  static Value Version(std::string text);
  static Value BorrowedVersion(std::string_view text);
  static Value Url(std::string text);
  static Value Address(Wide bits, bool is_ipv6);
  static Value Network(Wide bits, bool is_ipv6, std::int32_t prefix);
  static Value Format(std::int32_t which);
  static Value Fail(Failure failure, std::string message);
  static Value NoSuchOverload(std::string_view what);

  Kind kind() const { return kind_; }
  bool is(Kind kind) const { return kind_ == kind; }
  bool is_error() const { return kind_ == Kind::kError; }
  bool is_true() const { return kind_ == Kind::kBool && bits_.flag; }
  bool is_false() const { return kind_ == Kind::kBool && !bits_.flag; }

  // Each REQUIRES the kind that its name says.
  bool as_bool() const { return bits_.flag; }
  std::int64_t as_int() const { return bits_.number; }  // of a duration, too: nanoseconds
  std::uint64_t as_uint() const { return bits_.natural; }
  double as_double() const { return bits_.real; }
  std::string_view text() const {
    return {bits_.text.data, bits_.text.size};
  }  // or bytes, version, URL
  const List& list() const { return *static_cast<const List*>(bits_.object); }
  const Map& map() const { return *static_cast<const Map*>(bits_.object); }
  const std::shared_ptr<const void>& held() const { return held_; }
  const Type& type() const { return *static_cast<const Type*>(bits_.object); }
  std::int64_t seconds() const { return bits_.number; }
  std::int32_t nanos() const { return small_; }
  const Value* inner() const {
    return static_cast<const Value*>(bits_.object);
  }  // of an optional; or null
  Wide quantity() const { return bits_.wide; }
  bool integral() const { return (small_ & 1) != 0; }
  bool computed() const { return (small_ & 2) != 0; }
  Wide address() const { return bits_.wide; }
  bool is_ipv6() const { return flag_; }
  std::int32_t prefix() const { return small_; }
  std::int32_t format() const { return small_; }
  // How deeply lists, maps and optional values are nested in it.
  std::int32_t depth() const {
    return is(Kind::kList) || is(Kind::kMap) || is(Kind::kOptional) ? small_ : 0;
  }
  const EvaluationError& error() const {
    return *static_cast<const EvaluationError*>(bits_.object);
  }

 private:
  explicit Value(Kind kind) : kind_(kind) {}
  static Value Nested(Kind kind, std::shared_ptr<const void> held, std::int32_t depth);
  static Value OwnText(Kind kind, std::string text);
  static Value BorrowText(Kind kind, std::string_view text);

  struct Text {
    const char* data;
    std::size_t size;
  };
  union Bits {
    bool flag;
    std::int64_t number;
    std::uint64_t natural;
    double real;
    const void* object;
    Text text;
    Wide wide = 0;
  };

  Kind kind_;
  bool flag_ = false;
  std::int32_t small_ = 0;
  Bits bits_;
  std::shared_ptr<const void> held_;
};

class List {
 public:
  virtual ~List() = default;
  virtual std::size_t size() const = 0;
  virtual Value At(std::size_t index) const = 0;  // REQUIRES index < size()
};

// Keys are bools, integers and strings; numbers that are equal are one key.
class Map {
 public:
  virtual ~Map() = default;
  virtual std::size_t size() const = 0;
  // What `map[key]` gives; nothing: no such key. Never an error.
  virtual std::optional<Value> Find(const Value& key) const = 0;
  // What `key in map` gives: a map with a default finds more than it has.
  virtual bool Contains(const Value& key) const { return Find(key).has_value(); }
  // In an order that is the same in every run.
  virtual std::vector<Value> Keys() const = 0;
};

}  // namespace batholith::cel
