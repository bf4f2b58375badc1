#include "conf/plugin_args.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "api/check.h"
#include "api/value_text.h"
#include "conf/known_names.h"
#include "conf/message.h"
#include "conf/switches.h"

namespace batholith {
namespace {

using Type = ArgSpec::Type;

std::string_view Expectation(Type type) {
  switch (type) {
    case Type::kBool:
      return "true or false";
    case Type::kInt:
      return "a whole number";
    case Type::kFloat:
      return "a number";
    case Type::kString:
      return "text";
    case Type::kDuration:
      return "a duration such as 1h30m";
    case Type::kStringList:
      return "a comma-separated list";
    case Type::kTimeRange:
      return "a time range such as 22:00-06:00";
    case Type::kMap:
      return "a mapping";
  }
  return "";
}

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
      return {IsTimeRange(text), {}};
    case Type::kString:
    case Type::kStringList:
      return {true, {}};
    case Type::kMap:
      return {text.empty(), {}};
  }
  return {};
}

std::string RangeText(const ArgSpec& spec) {
  const std::string_view unit = spec.type == Type::kDuration ? "s" : "";
  if (std::isinf(spec.max)) return fmt::format("at least {}{}", spec.min, unit);
  if (std::isinf(spec.min)) return fmt::format("at most {}{}", spec.max, unit);
  return fmt::format("from {}{} to {}{}", spec.min, unit, spec.max, unit);
}

// '*' stands for any key but for a bare '*': a resource pattern must say something.
bool Covers(std::string_view want, std::string_view key) {
  return want == "*" ? key != "*" : want == key;
}

bool MatchesPath(const ArgSpec& field, std::span<const std::string_view> path) {
  return std::ranges::equal(
      SplitKey(field.name, '/'), path,
      [](std::string_view want, std::string_view key) { return Covers(want, key); });
}

// `path` is a proper beginning of the field's path: what an empty nested mapping is.
bool IsAbove(const ArgSpec& field, std::span<const std::string_view> path) {
  const std::vector<std::string_view> parts = SplitKey(field.name, '/');
  if (parts.size() <= path.size()) return false;
  return std::equal(path.begin(), path.end(), parts.begin(),
                    [](std::string_view key, std::string_view want) { return Covers(want, key); });
}

// Walks the arguments of one owner once.
class Validator {
 public:
  Validator(const std::string& file, const std::string& owner, std::span<const ArgSpec> specs)
      : file_(file), owner_(owner), specs_(specs) {}

  Result<std::vector<std::string>> Run(Arguments& arguments);

 private:
  enum class Keep { kYes, kNo };

  Result<Keep> Check(const std::string& key, const Arguments::Value& value);
  Result<Keep> CheckNested(const ArgSpec& spec, const std::string& key,
                           const Arguments::Value& value);
  Result<Keep> CheckLeaf(const ArgSpec& spec, const std::string& key,
                         const Arguments::Value& value);
  std::unexpected<Error> Unknown(std::string_view name, int line) const;
  std::unexpected<Error> Fail(std::string_view key, int line, const std::string& what) const {
    return Invalid(Place(key, line) + what);
  }
  void Warn(std::string_view key, int line, const std::string& what) {
    warnings_.push_back(Place(key, line) + what);
  }
  std::string Place(std::string_view key, int line) const {
    return fmt::format("{}:{}: {}: argument \"{}\" ", file_, line, owner_, Shown(key));
  }
  // "binpack" of "plugin binpack".
  std::string_view OwnerName() const {
    const std::string_view owner = owner_;
    return owner.substr(owner.rfind(' ') + 1);
  }

  const std::string& file_;
  const std::string& owner_;
  std::span<const ArgSpec> specs_;
  std::vector<std::string> warnings_;
  std::string last_warned_;  // nested arguments warn once for all their leaves
};

Result<std::vector<std::string>> Validator::Run(Arguments& arguments) {
  for (auto it = arguments.values.begin(); it != arguments.values.end();) {
    const Result<Keep> keep = Check(it->first, it->second);
    if (!keep) return std::unexpected(keep.error());
    it = *keep == Keep::kYes ? std::next(it) : arguments.values.erase(it);
  }
  return std::move(warnings_);
}

Result<Validator::Keep> Validator::Check(const std::string& key, const Arguments::Value& value) {
  const std::string name = key.substr(0, key.find(kKeySeparator));
  const ArgSpec* spec = FindArgSpec(specs_, name);
  if (spec == nullptr) {
    const RetiredName* retired = FindRetiredArgument(OwnerName(), name);
    if (retired == nullptr) return Unknown(name, value.line);
    if (!retired->reason.empty() && last_warned_ != name) {
      Warn(name, value.line, fmt::format("is retired and ignored: {}", retired->reason));
      last_warned_ = name;
    }
    return Keep::kNo;
  }
  const bool off = spec->type == Type::kBool && ParseBool(value.text) == false;
  if (!spec->inert.empty() && !off && last_warned_ != name) {
    Warn(name, value.line, fmt::format("has no effect: {}", spec->inert));
    last_warned_ = name;
  }
  if (key.size() == name.size()) return CheckLeaf(*spec, key, value);
  return CheckNested(*spec, key, value);
}

Result<Validator::Keep> Validator::CheckNested(const ArgSpec& spec, const std::string& key,
                                               const Arguments::Value& value) {
  const std::vector<std::string_view> keys = SplitKey(key, kKeySeparator);
  const std::span<const std::string_view> path = std::span(keys).subspan(1);
  if (spec.type == Type::kStringList && path.size() == 1) return Keep::kYes;
  if (spec.type != Type::kMap && spec.fields.empty()) {
    return Fail(keys.front(), value.line,
                fmt::format("must be {}, not a mapping or list", Expectation(spec.type)));
  }
  // The position in a list stands behind the field of a list type.
  for (const ArgSpec& field : spec.fields) {
    if (MatchesPath(field, path)) return CheckLeaf(field, key, value);
    if (field.type == Type::kStringList && path.size() > 1 &&
        MatchesPath(field, path.first(path.size() - 1))) {
      return Keep::kYes;
    }
    if (value.text.empty() && IsAbove(field, path)) return Keep::kNo;
  }
  std::vector<std::string_view> leaves;
  for (const ArgSpec& field : spec.fields) leaves.push_back(SplitKey(field.name, '/').back());
  return Fail(key, value.line, "is unknown" + DidYouMean(path.back(), leaves));
}

Result<Validator::Keep> Validator::CheckLeaf(const ArgSpec& spec, const std::string& key,
                                             const Arguments::Value& value) {
  if (value.text.empty() && !value.quoted) {
    Warn(key, value.line, "has no value and is ignored");
    return Keep::kNo;
  }
  if (spec.number_is_ignored && !value.quoted && ParseFloat(value.text)) {
    Warn(key, value.line,
         fmt::format("must be {}; the number {} is ignored", Expectation(spec.type),
                     Shown(value.text)));
    return Keep::kNo;
  }
  const Reading reading = Read(spec.type, value.text);
  if (!reading.valid) {
    return Fail(key, value.line,
                fmt::format("must be {}, not \"{}\"", Expectation(spec.type), Shown(value.text)));
  }
  if (!spec.choices.empty()) {
    const std::vector<std::string> choices = SplitList(spec.choices);
    const std::vector<std::string_view> names(choices.begin(), choices.end());
    if (std::ranges::find(names, value.text) == names.end()) {
      return Fail(key, value.line,
                  fmt::format("must be one of {}, not \"{}\"{}", fmt::join(choices, ", "),
                              Shown(value.text), DidYouMean(value.text, names)));
    }
  }
  if (!reading.number || (*reading.number >= spec.min && *reading.number <= spec.max))
    return Keep::kYes;
  if (*reading.number < spec.min && spec.below_min_is_default) {
    const std::string used =
        spec.default_text.empty() ? "it is ignored" : fmt::format("{} is used", spec.default_text);
    Warn(key, value.line,
         fmt::format("must be {}, not {}: {}", RangeText(spec), Shown(value.text), used));
    return Keep::kNo;
  }
  return Fail(key, value.line,
              fmt::format("must be {}, not {}", RangeText(spec), Shown(value.text)));
}

std::unexpected<Error> Validator::Unknown(std::string_view name, int line) const {
  if (FindSwitch(name) != nullptr) {
    return Fail(name, line, "is a switch: it belongs beside `name`, not under `arguments`");
  }
  std::vector<std::string_view> names;
  for (const ArgSpec& spec : specs_) names.push_back(spec.name);
  const std::string hint = specs_.empty() ? "; it takes no arguments" : DidYouMean(name, names);
  return Fail(name, line, "is unknown" + hint);
}

}  // namespace

const ArgSpec* FindArgSpec(std::span<const ArgSpec> specs, std::string_view name) {
  const ArgSpec* found = nullptr;
  for (const ArgSpec& spec : specs) {
    if (!spec.name_is_prefix && spec.name == name) return &spec;
    if (!spec.name_is_prefix || !name.starts_with(spec.name) || name.size() == spec.name.size())
      continue;
    if (found == nullptr || spec.name.size() > found->name.size()) found = &spec;
  }
  return found;
}

Result<std::vector<std::string>> ValidateArguments(const std::string& file,
                                                   const std::string& owner,
                                                   std::span<const ArgSpec> specs,
                                                   Arguments& arguments) {
  return Validator(file, owner, specs).Run(arguments);
}

std::string_view PluginArguments::Text(std::string_view name) const {
  const auto found = arguments_->values.find(std::string(name));
  if (found != arguments_->values.end()) return found->second.text;
  const ArgSpec* spec = FindArgSpec(specs_, name);
  CHECK(spec != nullptr);
  return spec->default_text;
}

bool PluginArguments::Has(std::string_view name) const {
  const auto at = arguments_->values.lower_bound(std::string(name));
  if (at == arguments_->values.end() || !at->first.starts_with(name)) return false;
  return at->first.size() == name.size() || at->first[name.size()] == kKeySeparator;
}

bool PluginArguments::Bool(std::string_view name) const {
  return ParseBool(Text(name)).value_or(false);
}

std::int64_t PluginArguments::Int(std::string_view name) const {
  return ParseInt(Text(name)).value_or(0);
}

double PluginArguments::Float(std::string_view name) const {
  return ParseFloat(Text(name)).value_or(0);
}

std::string PluginArguments::String(std::string_view name) const { return std::string(Text(name)); }

std::optional<std::chrono::nanoseconds> PluginArguments::Duration(std::string_view name) const {
  return ParseGoDuration(Trim(Text(name)));
}

std::vector<std::string> PluginArguments::List(std::string_view name) const {
  const std::vector<std::pair<std::vector<std::string>, std::string>> items = Nested(name);
  if (items.empty()) return SplitList(Text(name));
  std::vector<std::string> words;
  for (const auto& [path, text] : items) {
    if (!text.empty()) words.push_back(text);
  }
  return words;
}

std::vector<std::pair<std::string, std::string>> PluginArguments::WithPrefix(
    std::string_view prefix) const {
  std::vector<std::pair<std::string, std::string>> found;
  const auto& values = arguments_->values;
  for (auto it = values.upper_bound(std::string(prefix));
       it != values.end() && it->first.starts_with(prefix); ++it) {
    found.emplace_back(it->first.substr(prefix.size()), it->second.text);
  }
  return found;
}

std::vector<std::pair<std::vector<std::string>, std::string>> PluginArguments::Nested(
    std::string_view name) const {
  std::vector<std::pair<std::vector<std::string>, std::string>> found;
  const std::string above = std::string(name) + kKeySeparator;
  const auto& values = arguments_->values;
  for (auto it = values.lower_bound(above); it != values.end() && it->first.starts_with(above);
       ++it) {
    const std::vector<std::string_view> keys =
        SplitKey(std::string_view(it->first).substr(above.size()), kKeySeparator);
    found.emplace_back(std::vector<std::string>(keys.begin(), keys.end()), it->second.text);
  }
  return found;
}

}  // namespace batholith
