#include "framework/options/arguments.h"

#include "api/value_text.h"

namespace batholith {
namespace {

const ConfValue kNothing;

}  // namespace

const ArgumentSpec& Arguments::Spec(std::string_view name) const {
  const ArgumentSpec* spec = FindArgument(specs_, name);
  if (spec == nullptr) spec = FindField(specs_, name);
  CHECK(spec != nullptr);
  return *spec;
}

std::string_view Arguments::View(std::string_view name) const {
  const ConfValue* value = values_->Find(name);
  return value != nullptr ? std::string_view(value->text) : Spec(name).default_text;
}

bool Arguments::Bool(std::string_view name) const { return ParseBool(View(name)).value_or(false); }

std::int64_t Arguments::Int(std::string_view name) const {
  return ParseInt(View(name)).value_or(0);
}

double Arguments::Float(std::string_view name) const { return ParseFloat(View(name)).value_or(0); }

std::string Arguments::Text(std::string_view name) const { return std::string(View(name)); }

std::optional<std::chrono::nanoseconds> Arguments::Duration(std::string_view name) const {
  return ParseGoDuration(View(name));
}

std::vector<std::string> Arguments::Items(std::string_view name) const {
  const ConfValue* value = values_->Find(name);
  if (value == nullptr || value->is_leaf()) return SplitList(View(name));
  std::vector<std::string> items;
  for (const ConfValue& item : value->children) items.push_back(item.text);
  return items;
}

std::vector<std::string> Arguments::List(std::string_view name) const {
  std::vector<std::string> words = Items(name);
  std::erase(words, "");
  return words;
}

Arguments Arguments::Map(std::string_view name) const {
  const ConfValue* value = values_->Find(name);
  return {value == nullptr ? kNothing : *value, Spec(name).fields};
}

std::vector<std::string> Arguments::Keys() const {
  std::vector<std::string> keys;
  for (const ConfValue& child : values_->children) keys.push_back(child.key);
  return keys;
}

std::unexpected<OptionError> Arguments::Fail(std::string_view name, std::string message) const {
  const ConfValue* value = values_->Find(name);
  return std::unexpected(
      OptionError{value == nullptr ? values_->line : value->line, std::move(message)});
}

std::vector<std::pair<std::string, std::string>> Arguments::WithPrefix(
    std::string_view prefix) const {
  std::vector<std::pair<std::string, std::string>> found;
  for (const ConfValue& child : values_->children) {
    if (child.key.starts_with(prefix) && child.key.size() > prefix.size())
      found.emplace_back(child.key.substr(prefix.size()), child.text);
  }
  return found;
}

}  // namespace batholith
