#include "cel/value.h"

#include <algorithm>
#include <utility>

#include "cel/type.h"

namespace batholith::cel {
namespace {

// What looks into values calls itself for each level.
constexpr std::int32_t kDeepest = 1000;

class VectorList final : public List {
 public:
  explicit VectorList(std::vector<Value> items) : items_(std::move(items)) {}
  std::size_t size() const override { return items_.size(); }
  Value At(std::size_t index) const override { return items_[index]; }

 private:
  std::vector<Value> items_;
};

}  // namespace

Value Value::Bool(bool value) {
  Value out(Kind::kBool);
  out.bits_.flag = value;
  return out;
}

Value Value::Int(std::int64_t value) {
  Value out(Kind::kInt);
  out.bits_.number = value;
  return out;
}

Value Value::Uint(std::uint64_t value) {
  Value out(Kind::kUint);
  out.bits_.natural = value;
  return out;
}

Value Value::Double(double value) {
  Value out(Kind::kDouble);
  out.bits_.real = value;
  return out;
}

Value Value::OwnText(Kind kind, std::string text) {
  Value out(kind);
  auto held = std::make_shared<const std::string>(std::move(text));
  out.bits_.text = {held->data(), held->size()};
  out.held_ = std::move(held);
  return out;
}

Value Value::BorrowText(Kind kind, std::string_view text) {
  Value out(kind);
  out.bits_.text = {text.data(), text.size()};
  return out;
}

Value Value::String(std::string text) { return OwnText(Kind::kString, std::move(text)); }

Value Value::Bytes(std::string bytes) { return OwnText(Kind::kBytes, std::move(bytes)); }

Value Value::BorrowedString(std::string_view text) { return BorrowText(Kind::kString, text); }

Value Value::PartOf(const Value& whole, std::string_view part) {
  Value out = BorrowText(Kind::kString, part);
  out.held_ = whole.held_;
  return out;
}

Value Value::Nested(Kind kind, std::shared_ptr<const void> held, std::int32_t depth) {
  if (depth > kDeepest)
    return Fail(Failure::kInvalidArgument, "lists and maps are nested too deeply");
  Value out(kind);
  out.bits_.object = held.get();
  out.held_ = std::move(held);
  out.small_ = depth;
  return out;
}

Value Value::ListOf(std::vector<Value> items) {
  std::int32_t depth = 0;
  for (const Value& item : items) depth = std::max(depth, item.depth());
  std::shared_ptr<const List> list = std::make_shared<const VectorList>(std::move(items));
  return Of(std::move(list), depth + 1);
}

// The pointers that are kept are those of the base classes, which the accessors cast to.
Value Value::Of(std::shared_ptr<const List> list, std::int32_t depth) {
  return Nested(Kind::kList, std::move(list), depth);
}

Value Value::Of(std::shared_ptr<const Map> map, std::int32_t depth) {
  return Nested(Kind::kMap, std::move(map), depth);
}

Value Value::Borrowed(const Map& map) {
  Value out(Kind::kMap);
  out.bits_.object = &map;
  return out;
}

Value Value::TypeOf(std::shared_ptr<const Type> type) {
  Value out(Kind::kType);
  out.bits_.object = type.get();
  out.held_ = std::move(type);
  return out;
}

Value Value::Timestamp(std::int64_t seconds, std::int32_t nanos) {
  Value out(Kind::kTimestamp);
  out.bits_.number = seconds;
  out.small_ = nanos;
  return out;
}

Value Value::Duration(std::int64_t nanos) {
  Value out(Kind::kDuration);
  out.bits_.number = nanos;
  return out;
}

Value Value::None() {
  Value out(Kind::kOptional);
  out.bits_.object = nullptr;
  return out;
}

Value Value::Some(Value value) {
  const std::int32_t depth = value.depth();
  return Nested(Kind::kOptional, std::make_shared<const Value>(std::move(value)), depth + 1);
}

Value Value::Quantity(Wide nanos, QuantityTraits traits) {
  Value out(Kind::kQuantity);
  out.bits_.wide = nanos;
  out.small_ = (traits.integral ? 1 : 0) | (traits.computed ? 2 : 0);
  return out;
}

Value Value::Version(std::string text) { return OwnText(Kind::kVersion, std::move(text)); }

Value Value::BorrowedVersion(std::string_view text) { return BorrowText(Kind::kVersion, text); }

Value Value::Url(std::string text) { return OwnText(Kind::kUrl, std::move(text)); }

Value Value::Address(Wide bits, bool is_ipv6) {
  Value out(Kind::kAddress);
  out.bits_.wide = bits;
  out.flag_ = is_ipv6;
  return out;
}

Value Value::Network(Wide bits, bool is_ipv6, std::int32_t prefix) {
  Value out(Kind::kNetwork);
  out.bits_.wide = bits;
  out.flag_ = is_ipv6;
  out.small_ = prefix;
  return out;
}

Value Value::Format(std::int32_t which) {
  Value out(Kind::kFormat);
  out.small_ = which;
  return out;
}

Value Value::Fail(Failure failure, std::string message) {
  Value out(Kind::kError);
  auto held = std::make_shared<const EvaluationError>(failure, std::move(message));
  out.bits_.object = held.get();
  out.held_ = std::move(held);
  return out;
}

Value Value::NoSuchOverload(std::string_view what) {
  return Fail(Failure::kNoSuchOverload, "no such overload: " + std::string(what));
}

}  // namespace batholith::cel
