#include "conf/check_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "api/did_you_mean.h"
#include "api/value_text.h"
#include "conf/argument_text.h"
#include "conf/switches.h"

namespace batholith {
namespace {

using Type = ArgumentSpec::Type;

// The number that the range of a spec speaks of. Nothing: the text is not of the spec's type.
struct Reading {
  bool valid = false;
  std::optional<double> number;
};

Reading Read(Type type, std::string_view text) {
  switch (type) {
    case Type::kBool:
      return {ParseBool(text).has_value(), {}};
    case Type::kInt: {
      const auto number = ParseInt(text);
      if (!number) return {};
      return {true, static_cast<double>(*number)};
    }
    case Type::kFloat: {
      const auto number = ParseFloat(text);
      return {number.has_value(), number};
    }
    case Type::kDuration: {
      const auto duration = ParseGoDuration(Trim(text));
      if (!duration) return {};
      return {true, std::chrono::duration<double>(*duration).count()};
    }
    case Type::kTimeRange:
      return {ParseTimeRange(text).has_value(), {}};
    case Type::kString:
    case Type::kStringList:
      return {true, {}};
    case Type::kMap:
      return {text.empty(), {}};
  }
  return {};
}

// Of a table and everything nested in it, the names that hold values.
void AddLeafNames(std::span<const ArgumentSpec> specs, std::vector<std::string_view>& names) {
  for (const ArgumentSpec& spec : specs) {
    if (spec.fields.empty()) {
      names.push_back(spec.name);
    } else {
      AddLeafNames(spec.fields, names);
    }
  }
}

// Walks the arguments of one owner once. Where it is refers to the path of keys from the argument
// down.
class Checker {
 public:
  Checker(const std::string& file, const ArgumentOwner& owner) : file_(file), owner_(owner) {}

  Result<std::vector<std::string>> Run(ConfValue& arguments);

 private:
  enum class Keep { kYes, kNo };

  Result<Keep> CheckArgument(ConfValue& value);
  // A mapping or list.
  Result<Keep> CheckChildren(const ArgumentSpec& spec, const std::string& path, ConfValue& value);
  Result<Keep> CheckChild(const ArgumentSpec& parent, const std::string& path, ConfValue& child);
  Result<Keep> CheckLeaf(const ArgumentSpec& spec, const std::string& path, const ConfValue& value);
  Result<Keep> CheckRange(const ArgumentSpec& spec, double number, const std::string& path,
                          const ConfValue& value);
  void WarnIfInert(const ArgumentSpec& spec, const ConfValue& value);
  std::unexpected<Error> Unknown(const ConfValue& value) const;
  // Of what is inside an argument, down to the first value.
  std::unexpected<Error> UnknownInside(std::string path, const ConfValue& value) const;
  std::unexpected<Error> Fail(std::string_view path, int line, const std::string& what) const {
    return Invalid(Place(path, line) + what);
  }
  void Warn(std::string_view path, int line, const std::string& what) {
    warnings_.push_back(Place(path, line) + what);
  }
  std::string Place(std::string_view path, int line) const {
    return fmt::format("{}:{}: {}: argument \"{}\" ", file_, line, owner_.name, Shown(path));
  }

  const std::string& file_;
  const ArgumentOwner& owner_;
  const ArgumentSpec* argument_ = nullptr;  // that is being checked
  std::vector<std::string> warnings_;
};

Result<std::vector<std::string>> Checker::Run(ConfValue& arguments) {
  std::vector<ConfValue> kept;
  for (ConfValue& value : arguments.children) {
    const Result<Keep> keep = CheckArgument(value);
    if (!keep) return std::unexpected(keep.error());
    if (*keep == Keep::kYes) kept.push_back(std::move(value));
  }
  arguments.children = std::move(kept);
  return std::move(warnings_);
}

// The line of the first value inside, which is where something was written.
int FirstLine(const ConfValue& value) {
  return value.is_leaf() ? value.line : FirstLine(value.children.front());
}

Result<Checker::Keep> Checker::CheckArgument(ConfValue& value) {
  argument_ = FindArgument(owner_.arguments, value.key);
  if (argument_ == nullptr) {
    const RetiredArgument* retired = FindRetired(owner_.retired, value.key);
    if (retired == nullptr) return Unknown(value);
    Warn(value.key, FirstLine(value), fmt::format("is retired and ignored: {}", retired->reason));
    return Keep::kNo;
  }
  WarnIfInert(*argument_, value);
  if (value.is_leaf()) return CheckLeaf(*argument_, value.key, value);
  const bool list = argument_->type == Type::kStringList &&
                    std::ranges::all_of(value.children, &ConfValue::is_leaf);
  if (list) return Keep::kYes;
  if (argument_->fields.empty()) {
    return Fail(value.key, FirstLine(value),
                fmt::format("must be {}, not a mapping or list", TypeText(argument_->type)));
  }
  return CheckChildren(*argument_, value.key, value);
}

void Checker::WarnIfInert(const ArgumentSpec& spec, const ConfValue& value) {
  if (spec.inert.empty()) return;
  const bool off = value.is_leaf() && spec.type == Type::kBool && ParseBool(value.text) == false;
  if (off && spec.warns == ArgumentSpec::Warns::kUnlessFalse) return;
  Warn(value.key, FirstLine(value), fmt::format("has no effect: {}", spec.inert));
}

Result<Checker::Keep> Checker::CheckChildren(const ArgumentSpec& spec, const std::string& path,
                                             ConfValue& value) {
  std::vector<ConfValue> kept;
  for (ConfValue& child : value.children) {
    const Result<Keep> keep = CheckChild(spec, path + "/" + child.key, child);
    if (!keep) return keep;
    if (*keep == Keep::kYes) kept.push_back(std::move(child));
  }
  value.children = std::move(kept);
  return value.children.empty() ? Keep::kNo : Keep::kYes;
}

Result<Checker::Keep> Checker::CheckChild(const ArgumentSpec& parent, const std::string& path,
                                          ConfValue& child) {
  const ArgumentSpec* field = FindField(parent.fields, child.key);
  if (field == nullptr) return UnknownInside(path, child);
  if (child.is_leaf() && field->type != Type::kMap) return CheckLeaf(*field, path, child);
  // An empty mapping says nothing.
  if (child.is_leaf()) {
    if (child.text.empty()) return Keep::kNo;
    return UnknownInside(path, child);
  }
  if (field->type == Type::kStringList &&
      std::ranges::all_of(child.children, &ConfValue::is_leaf)) {
    return Keep::kYes;
  }
  if (field->fields.empty()) return UnknownInside(path, child);
  return CheckChildren(*field, path, child);
}

Result<Checker::Keep> Checker::CheckLeaf(const ArgumentSpec& spec, const std::string& path,
                                         const ConfValue& value) {
  if (value.is_nothing()) {
    Warn(path, value.line, "has no value and is ignored");
    return Keep::kNo;
  }
  if (spec.number_is_ignored && !value.quoted && ParseFloat(value.text)) {
    Warn(path, value.line,
         fmt::format("must be {}; the number {} is ignored", TypeText(spec.type),
                     Shown(value.text)));
    return Keep::kNo;
  }
  const Reading reading = Read(spec.type, value.text);
  if (!reading.valid) {
    return Fail(path, value.line,
                fmt::format("must be {}, not \"{}\"", TypeText(spec.type), Shown(value.text)));
  }
  if (!spec.choices.empty() && std::ranges::find(spec.choices, value.text) == spec.choices.end()) {
    return Fail(path, value.line,
                fmt::format("must be one of {}, not \"{}\"{}", fmt::join(spec.choices, ", "),
                            Shown(value.text), DidYouMean(value.text, spec.choices)));
  }
  return reading.number ? CheckRange(spec, *reading.number, path, value) : Keep::kYes;
}

Result<Checker::Keep> Checker::CheckRange(const ArgumentSpec& spec, double number,
                                          const std::string& path, const ConfValue& value) {
  if (number >= spec.min && number <= spec.max) return Keep::kYes;
  if (number < spec.min && spec.below_min_is_default) {
    const std::string used =
        spec.default_text.empty() ? "it is ignored" : fmt::format("{} is used", spec.default_text);
    Warn(path, value.line,
         fmt::format("must be {}, not {}: {}", RangeText(spec), Shown(value.text), used));
    return Keep::kNo;
  }
  return Fail(path, value.line,
              fmt::format("must be {}, not {}", RangeText(spec), Shown(value.text)));
}

std::unexpected<Error> Checker::Unknown(const ConfValue& value) const {
  const int line = FirstLine(value);
  if (FindSwitch(value.key) != nullptr) {
    return Fail(value.key, line, "is a switch: it belongs beside `name`, not under `arguments`");
  }
  std::vector<std::string_view> names;
  for (const ArgumentSpec& spec : owner_.arguments) names.push_back(spec.name);
  const std::string hint = names.empty() ? "; it takes no arguments" : DidYouMean(value.key, names);
  return Fail(value.key, line, "is unknown" + hint);
}

std::unexpected<Error> Checker::UnknownInside(std::string path, const ConfValue& value) const {
  const ConfValue* at = &value;
  while (!at->is_leaf()) {
    at = &at->children.front();
    path += "/" + at->key;
  }
  std::vector<std::string_view> names;
  AddLeafNames(argument_->fields, names);
  return Fail(path, at->line, "is unknown" + DidYouMean(at->key, names));
}

}  // namespace

Result<std::vector<std::string>> CheckArguments(const std::string& file, const ArgumentOwner& owner,
                                                ConfValue& arguments) {
  return Checker(file, owner).Run(arguments);
}

}  // namespace batholith
