#include "cmd/decision_text.h"

#include "codec/json/text.h"

namespace batholith {

std::string DecisionText::Next(std::size_t bytes) {
  std::string text;
  while (field_ < fields_.size() && text.size() < bytes) AppendElement(text);
  return text;
}

// What is not a list is one element.
void DecisionText::AppendElement(std::string& text) {
  const DecisionField& field = fields_[field_];
  const bool first = element_ == 0;
  if (first) {
    text += field_ == 0 ? "{\"" : ",\"";
    text += std::string(field.name) + "\":" + (field.count ? "[" : "");
  }
  const std::size_t count = field.count.value_or(1);
  if (element_ < count) {
    if (!first) text += ',';
    text += JsonText(field.value(element_++));
  }
  if (element_ < count) return;
  if (field.count) text += ']';
  element_ = 0;
  if (++field_ == fields_.size()) text += '}';
}

}  // namespace batholith
