#include "devices/device_matcher.h"

namespace batholith {
namespace {

constexpr std::uint8_t kNotAsked = 0xff;
// Bytes; shapes beyond evaluate their selectors anew each time.
constexpr std::size_t kMostAnswers = std::size_t{1} << 28U;

}  // namespace

const DeviceMatcher::Expression* DeviceMatcher::Compiled(const std::string& text) {
  std::unique_ptr<Expression>& expression = expressions_[text];
  if (expression == nullptr) {
    expression = std::make_unique<Expression>();
    expression->text = text;
    Result<DeviceSelector> compiled = DeviceSelector::Compile(text);
    if (compiled) {
      expression->selector = std::move(*compiled);
    } else {
      expression->error = compiled.error().message;
    }
  }
  return expression.get();
}

DeviceMatcher::ShapeId DeviceMatcher::Add(const DeviceClassRecord& device_class,
                                          const std::vector<std::string>& selectors) {
  std::string key = device_class.meta.name;
  for (const std::string& selector : selectors) {
    key += '\f';
    key += selector;
  }
  const auto [it, added] = known_.try_emplace(std::move(key), static_cast<ShapeId>(shapes_.size()));
  if (!added) return it->second;
  Shape& shape = shapes_.emplace_back();
  shape.device_class = device_class.meta.name;
  for (const std::string& text : device_class.selectors) shape.selectors.push_back(Compiled(text));
  for (const std::string& text : selectors) shape.selectors.push_back(Compiled(text));
  const std::size_t devices = pools_.device_count();
  if (devices <= kMostAnswers - kept_) {
    kept_ += devices;
    shape.answers = std::make_unique<std::atomic<std::uint8_t>[]>(devices);
    for (std::size_t d = 0; d < devices; ++d)
      shape.answers[d].store(kNotAsked, std::memory_order_relaxed);
  }
  return it->second;
}

DeviceMatcher::Answer DeviceMatcher::Matches(ShapeId id, DeviceId device) const {
  const Shape& shape = shapes_[id];
  if (shape.answers == nullptr) return Evaluate(shape, device, nullptr);
  std::atomic<std::uint8_t>& kept = shape.answers[device];
  const std::uint8_t known = kept.load(std::memory_order_relaxed);
  if (known != kNotAsked) return static_cast<Answer>(known);
  // Whoever else asks at the same time finds the same.
  const Answer answer = Evaluate(shape, device, nullptr);
  kept.store(static_cast<std::uint8_t>(answer), std::memory_order_relaxed);
  return answer;
}

DeviceMatcher::Answer DeviceMatcher::Evaluate(const Shape& shape, DeviceId device,
                                              std::string* text) const {
  const auto fails = [&](const Expression& expression, Answer why, const std::string& message) {
    if (text != nullptr) *text = "selector " + expression.text + ": " + message;
    return why;
  };
  const std::string& driver = pools_.SliceOf(device).record->driver;
  for (const Expression* expression : shape.selectors) {
    if (!expression->selector) return fails(*expression, Answer::kCompileError, expression->error);
    const auto matches = expression->selector->Matches(driver, pools_.device(device));
    if (!matches) {
      const bool not_bool = matches.error().kind == SelectorError::Kind::kNotBool;
      return fails(*expression, not_bool ? Answer::kNotBool : Answer::kRuntimeError,
                   matches.error().message);
    }
    if (!*matches) return Answer::kNo;
  }
  return Answer::kYes;
}

std::string DeviceMatcher::ErrorText(ShapeId id, Answer error) const {
  const Shape& shape = shapes_[id];
  std::string text;
  for (DeviceId device = 0; device < pools_.device_count(); ++device) {
    if (Evaluate(shape, device, &text) == error) break;
    text.clear();
  }
  return "device class " + std::string(shape.device_class) + ": " + text;
}

}  // namespace batholith
