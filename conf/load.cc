#include "conf/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <expected>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "api/value_text.h"
#include "codec/yaml/reader.h"
#include "codec/yaml/tree.h"
#include "conf/conflicts.h"
#include "conf/endless_evictions.h"
#include "conf/inert_settings.h"
#include "conf/known_names.h"
#include "conf/message.h"
#include "conf/switches.h"

namespace batholith {
namespace {

// Aliases make a small file a huge tree; no conf that means something comes near.
constexpr YamlLimits kLimits{.values = 20'000, .text_bytes = 2 * kMaxConfBytes};

constexpr std::size_t kMaxActions = 1000;

constexpr std::string_view kTopKeys[] = {"actions", "tiers", "configurations", "metrics"};
constexpr std::string_view kTierKeys[] = {"plugins"};
constexpr std::string_view kConfigurationKeys[] = {"name", "arguments"};
constexpr std::string_view kMetricsKeys[] = {
    "type",
    "address",
    "interval",
    "tls.insecureSkipVerify",
    "elasticsearch.index",
    "elasticsearch.hostnameFieldName",
    "elasticsearch.username",
    "elasticsearch.password",
};

int LineOf(const YamlNode& node) { return static_cast<int>(node.line()); }

struct Entry {
  std::string key;
  YamlNode value;
  int line = 0;
};

// Turns one document into a conf. Lives for one call; the first error ends it.
class Loader {
 public:
  Loader(const std::string& file, const ConfVocabulary& vocabulary)
      : file_(file), vocabulary_(vocabulary) {}

  Result<SchedulerConf> Run(const YamlNode& document);

 private:
  Result<void> ReadActions(const Entry& entry);
  Result<void> AddAction(std::string_view name, int line);
  Result<void> ReadTiers(const Entry& entry);
  Result<void> ReadTier(const YamlNode& node);
  Result<PluginConf> ReadPlugin(const YamlNode& node);
  Result<const PluginVocabulary*> FindPlugin(const std::string& name, int line) const;
  Result<void> ReadPluginKey(const Entry& entry, const PluginVocabulary& known, PluginConf& plugin);
  Result<void> ReadSwitch(const Switch& found, const Entry& entry, PluginConf& plugin);
  std::unexpected<Error> UnknownPluginKey(const Entry& entry, const PluginVocabulary& known) const;
  Result<void> ReadConfigurations(const Entry& entry);
  Result<void> ReadConfiguration(const YamlNode& node);
  Result<void> ReadMetrics(const Entry& entry) const;

  Result<Arguments> ReadArguments(const Entry& entry, const std::string& owner,
                                  std::span<const ArgSpec> specs);
  Result<void> Flatten(const std::string& key, const YamlNode& node, int line, Arguments& into);

  Result<std::vector<Entry>> Entries(const YamlNode& node, const std::string& what) const;
  // Entries that may only have these keys.
  Result<std::vector<Entry>> Entries(const YamlNode& node, const std::string& what,
                                     std::span<const std::string_view> keys) const;
  Result<std::string> NameOf(const std::vector<Entry>& entries, const std::string& what,
                             int line) const;
  bool HasAction(std::string_view name) const {
    return std::ranges::find(vocabulary_.actions, name) != vocabulary_.actions.end();
  }
  std::string UnknownAction(std::string_view name) const;

  std::unexpected<Error> Fail(int line, const std::string& what) const {
    return Invalid(fmt::format("{}:{}: {}", file_, line, what));
  }
  void Warn(int line, const std::string& what) {
    conf_.warnings.push_back(fmt::format("{}:{}: {}", file_, line, what));
  }

  const std::string& file_;
  const ConfVocabulary& vocabulary_;
  SchedulerConf conf_;
  std::vector<std::pair<std::string, Arguments>> configurations_;
  std::set<std::string> plugins_seen_;
  std::set<std::string> configurations_seen_;
  std::set<std::string_view> switches_warned_;
};

Result<SchedulerConf> Loader::Run(const YamlNode& document) {
  const Result<std::vector<Entry>> entries = Entries(document, "the conf", kTopKeys);
  if (!entries) return std::unexpected(entries.error());
  bool has_actions = false;
  for (const Entry& entry : *entries) {
    Result<void> read;
    if (entry.key == "actions") {
      has_actions = true;
      read = ReadActions(entry);
    } else if (entry.key == "tiers") {
      read = ReadTiers(entry);
    } else if (entry.key == "configurations") {
      read = ReadConfigurations(entry);
    } else {
      read = ReadMetrics(entry);
    }
    if (!read) return std::unexpected(read.error());
  }
  if (!has_actions) return Fail(LineOf(document), "`actions` is missing");
  for (ActionConf& action : conf_.actions) {
    const auto given =
        std::ranges::find(configurations_, action.name, &std::pair<std::string, Arguments>::first);
    if (given != configurations_.end()) action.arguments = given->second;
  }
  if (const std::optional<Conflict> conflict = FindConflict(conf_))
    return Fail(conflict->line, conflict->message);
  for (const std::string& inert : InertSettings(conf_)) {
    conf_.warnings.push_back(fmt::format("{}: {}", file_, inert));
  }
  for (const std::string& endless : EndlessEvictions(conf_)) {
    conf_.warnings.push_back(fmt::format("{}: {}", file_, endless));
  }
  return std::move(conf_);
}

Result<void> Loader::ReadActions(const Entry& entry) {
  if (entry.value.is_list()) {
    for (const YamlNode& item : entry.value.Items()) {
      if (!item.is_scalar()) return Fail(LineOf(item), "an action must be a name");
      if (const auto added = AddAction(item.text(), LineOf(item)); !added) return added;
    }
  } else if (entry.value.is_scalar()) {
    std::string_view rest = entry.value.text();
    for (bool more = true; more;) {
      const std::size_t comma = rest.find(',');
      more = comma != std::string_view::npos;
      if (const auto added = AddAction(rest.substr(0, comma), LineOf(entry.value)); !added)
        return added;
      if (more) rest.remove_prefix(comma + 1);
    }
  } else {
    return Fail(entry.line, "`actions` must be text such as \"enqueue, allocate, backfill\"");
  }
  if (conf_.actions.empty()) return Fail(entry.line, "`actions` names no action");
  return {};
}

Result<void> Loader::AddAction(std::string_view name, int line) {
  const std::vector<std::string> words = SplitList(name);
  if (words.empty()) return Fail(line, "`actions` has an empty name");
  const std::string& action = words.front();
  if (HasAction(action)) {
    if (conf_.actions.size() == kMaxActions)
      return Fail(line, fmt::format("`actions` names more than {} actions", kMaxActions));
    conf_.actions.push_back({.name = action, .line = line});
    return {};
  }
  if (const RetiredName* retired = FindRetiredAction(action)) {
    Warn(line, fmt::format("action {} is retired and ignored: {}", action, retired->reason));
    return {};
  }
  return Fail(line, UnknownAction(action));
}

std::string Loader::UnknownAction(std::string_view name) const {
  if (std::ranges::find(LaterActions(), name) != LaterActions().end()) {
    return fmt::format("action {} is known, but this build does not have it yet", name);
  }
  const std::vector<std::string_view> names(vocabulary_.actions.begin(), vocabulary_.actions.end());
  return fmt::format("action \"{}\" is unknown{}", Shown(name), DidYouMean(name, names));
}

Result<void> Loader::ReadTiers(const Entry& entry) {
  if (entry.value.is_null()) return {};
  if (!entry.value.is_list()) return Fail(entry.line, "`tiers` must be a list of tiers");
  for (const YamlNode& node : entry.value.Items()) {
    if (const auto read = ReadTier(node); !read) return read;
  }
  return {};
}

Result<void> Loader::ReadTier(const YamlNode& node) {
  const Result<std::vector<Entry>> entries = Entries(node, "a tier", kTierKeys);
  if (!entries) return std::unexpected(entries.error());
  Tier tier;
  for (const Entry& entry : *entries) {
    if (entry.value.is_null()) continue;
    if (!entry.value.is_list()) return Fail(entry.line, "`plugins` must be a list of plugins");
    for (const YamlNode& item : entry.value.Items()) {
      Result<PluginConf> plugin = ReadPlugin(item);
      if (!plugin) return std::unexpected(plugin.error());
      if (!plugin->name.empty()) tier.plugins.push_back(*std::move(plugin));
    }
  }
  conf_.tiers.push_back(std::move(tier));
  return {};
}

// A plugin that is retired comes back without a name.
Result<PluginConf> Loader::ReadPlugin(const YamlNode& node) {
  const Result<std::vector<Entry>> entries = Entries(node, "a plugin");
  if (!entries) return std::unexpected(entries.error());
  PluginConf plugin;
  plugin.line = LineOf(node);
  const Result<std::string> name = NameOf(*entries, "plugin", plugin.line);
  if (!name) return std::unexpected(name.error());
  if (const RetiredName* retired = FindRetiredPlugin(*name)) {
    Warn(plugin.line, fmt::format("plugin {} is retired and ignored: {}", *name, retired->reason));
    return plugin;
  }
  const Result<const PluginVocabulary*> known = FindPlugin(*name, plugin.line);
  if (!known) return std::unexpected(known.error());
  if (!plugins_seen_.insert(*name).second) {
    return Fail(plugin.line, fmt::format("plugin {} stands in the conf twice", *name));
  }
  plugin.name = *name;
  std::set<std::string_view> switches;
  for (const Entry& entry : *entries) {
    const Switch* found = FindSwitch(entry.key);
    if (found != nullptr && !switches.insert(found->name).second) {
      return Fail(entry.line, fmt::format("plugin {}: `{}` is given twice, in both spellings",
                                          *name, found->name));
    }
    if (const auto read = ReadPluginKey(entry, **known, plugin); !read)
      return std::unexpected(read.error());
  }
  return plugin;
}

Result<const PluginVocabulary*> Loader::FindPlugin(const std::string& name, int line) const {
  const auto found = std::ranges::find(vocabulary_.plugins, name, &PluginVocabulary::name);
  if (found != vocabulary_.plugins.end()) return &*found;
  if (std::ranges::find(LaterPlugins(), name) != LaterPlugins().end()) {
    return Fail(line, fmt::format("plugin {} is known, but this build does not have it yet", name));
  }
  std::vector<std::string_view> names;
  for (const PluginVocabulary& plugin : vocabulary_.plugins) names.push_back(plugin.name);
  return Fail(line,
              fmt::format("plugin \"{}\" is unknown{}", Shown(name), DidYouMean(name, names)));
}

Result<void> Loader::ReadPluginKey(const Entry& entry, const PluginVocabulary& known,
                                   PluginConf& plugin) {
  if (entry.key == "name") return {};
  if (entry.key == "arguments") {
    Result<Arguments> arguments = ReadArguments(entry, "plugin " + known.name, known.args);
    if (!arguments) return std::unexpected(arguments.error());
    plugin.arguments = *std::move(arguments);
    return {};
  }
  if (const Switch* found = FindSwitch(entry.key)) return ReadSwitch(*found, entry, plugin);
  return UnknownPluginKey(entry, known);
}

Result<void> Loader::ReadSwitch(const Switch& found, const Entry& entry, PluginConf& plugin) {
  if (entry.value.is_null()) {
    Warn(entry.line,
         fmt::format("plugin {}: `{}` has no value and is ignored", plugin.name, entry.key));
    return {};
  }
  const std::optional<bool> on =
      entry.value.is_scalar() ? ParseBool(entry.value.text()) : std::nullopt;
  if (!on)
    return Fail(entry.line,
                fmt::format("plugin {}: `{}` must be true or false", plugin.name, entry.key));
  if (found.point) {
    plugin.points.Set(*found.point, *on);
  } else if (*on && switches_warned_.insert(found.name).second) {
    Warn(entry.line,
         fmt::format("switch `{}` has no effect: this build does not have the point", found.name));
  }
  return {};
}

std::unexpected<Error> Loader::UnknownPluginKey(const Entry& entry,
                                                const PluginVocabulary& known) const {
  if (FindArgSpec(known.args, entry.key) != nullptr ||
      FindRetiredArgument(known.name, entry.key) != nullptr) {
    return Fail(entry.line, fmt::format("plugin {}: `{}` belongs under `arguments`", known.name,
                                        Shown(entry.key)));
  }
  std::vector<std::string_view> keys = {"name", "arguments"};
  for (const Switch& candidate : Switches()) keys.push_back(candidate.name);
  for (const ArgSpec& spec : known.args) keys.push_back(spec.name);
  std::string hint = DidYouMean(entry.key, keys);
  const std::optional<std::string_view> nearest = Nearest(entry.key, keys);
  if (nearest && FindArgSpec(known.args, *nearest) != nullptr)
    hint += " (it belongs under `arguments`)";
  return Fail(entry.line,
              fmt::format("plugin {}: key `{}` is unknown{}", known.name, Shown(entry.key), hint));
}

Result<void> Loader::ReadConfigurations(const Entry& entry) {
  if (entry.value.is_null()) return {};
  if (!entry.value.is_list()) return Fail(entry.line, "`configurations` must be a list");
  for (const YamlNode& node : entry.value.Items()) {
    if (const auto read = ReadConfiguration(node); !read) return read;
  }
  return {};
}

Result<void> Loader::ReadConfiguration(const YamlNode& node) {
  const Result<std::vector<Entry>> entries = Entries(node, "a configuration", kConfigurationKeys);
  if (!entries) return std::unexpected(entries.error());
  const int line = LineOf(node);
  const Result<std::string> name = NameOf(*entries, "configuration", line);
  if (!name) return std::unexpected(name.error());
  if (!configurations_seen_.insert(*name).second) {
    return Fail(line,
                fmt::format("action {} has two entries under `configurations`", Shown(*name)));
  }
  if (!HasAction(*name)) {
    // Arguments alone change no decision: only the action itself must not go missing silently.
    const bool later = std::ranges::find(LaterActions(), *name) != LaterActions().end();
    if (!later && FindRetiredAction(*name) == nullptr) return Fail(line, UnknownAction(*name));
    Warn(line,
         fmt::format("arguments of action {} have no effect: this build does not have it", *name));
    return {};
  }
  for (const Entry& entry : *entries) {
    if (entry.key != "arguments") continue;
    Result<Arguments> arguments = ReadArguments(entry, "action " + *name, ArgSpecsOf(*name));
    if (!arguments) return std::unexpected(arguments.error());
    configurations_.emplace_back(*name, *std::move(arguments));
  }
  return {};
}

Result<void> Loader::ReadMetrics(const Entry& entry) const {
  if (entry.value.is_null()) return {};
  const Result<std::vector<Entry>> entries = Entries(entry.value, "`metrics`", kMetricsKeys);
  if (!entries) return std::unexpected(entries.error());
  for (const Entry& setting : *entries) {
    if (setting.value.is_scalar() || setting.value.is_null()) continue;
    return Fail(setting.line, fmt::format("`metrics`: `{}` must be text", setting.key));
  }
  return {};
}

Result<Arguments> Loader::ReadArguments(const Entry& entry, const std::string& owner,
                                        std::span<const ArgSpec> specs) {
  Arguments arguments;
  if (entry.value.is_null()) return arguments;
  const Result<std::vector<Entry>> entries = Entries(entry.value, "`arguments` of " + owner);
  if (!entries) return std::unexpected(entries.error());
  for (const Entry& argument : *entries) {
    const auto flat = Flatten(argument.key, argument.value, argument.line, arguments);
    if (!flat) return std::unexpected(flat.error());
  }
  Result<std::vector<std::string>> warnings = ValidateArguments(file_, owner, specs, arguments);
  if (!warnings) return std::unexpected(warnings.error());
  conf_.warnings.insert(conf_.warnings.end(), warnings->begin(), warnings->end());
  return arguments;
}

// Empty mappings and lists become empty text, so that their names are checked too.
Result<void> Loader::Flatten(const std::string& key, const YamlNode& node, int line,
                             Arguments& into) {
  if (node.is_mapping() && node.has_children()) {
    const Result<std::vector<Entry>> entries = Entries(node, "argument \"" + Shown(key) + "\"");
    if (!entries) return std::unexpected(entries.error());
    for (const Entry& entry : *entries) {
      const auto flat = Flatten(key + kKeySeparator + entry.key, entry.value, entry.line, into);
      if (!flat) return flat;
    }
    return {};
  }
  if (node.is_list() && node.has_children()) {
    std::size_t position = 0;
    for (const YamlNode& item : node.Items()) {
      const std::string item_key = fmt::format("{}{}{:06}", key, kKeySeparator, position++);
      if (const auto flat = Flatten(item_key, item, LineOf(item), into); !flat) return flat;
    }
    return {};
  }
  into.values[key] = {.text = std::string(node.is_scalar() ? node.text() : std::string_view()),
                      .quoted = !node.is_plain(),
                      .line = line};
  return {};
}

Result<std::vector<Entry>> Loader::Entries(const YamlNode& node, const std::string& what) const {
  if (!node.is_mapping()) return Fail(LineOf(node), what + " must be a mapping");
  std::vector<Entry> entries;
  std::set<std::string> seen;
  for (const auto& [key, value] : node.Entries()) {
    const int line = LineOf(key);
    if (!key.is_scalar() || key.text().contains(kKeySeparator)) {
      return Fail(line, what + " has a key that is not plain text");
    }
    entries.push_back({.key = std::string(key.text()), .value = value, .line = line});
    if (!seen.insert(entries.back().key).second) {
      return Fail(line, fmt::format("{} has the key `{}` twice", what, Shown(entries.back().key)));
    }
  }
  return entries;
}

Result<std::vector<Entry>> Loader::Entries(const YamlNode& node, const std::string& what,
                                           std::span<const std::string_view> keys) const {
  Result<std::vector<Entry>> entries = Entries(node, what);
  if (!entries) return entries;
  for (const Entry& entry : *entries) {
    if (std::ranges::find(keys, entry.key) != keys.end()) continue;
    return Fail(entry.line, fmt::format("{} has the unknown key `{}`{}", what, Shown(entry.key),
                                        DidYouMean(entry.key, keys)));
  }
  return entries;
}

Result<std::string> Loader::NameOf(const std::vector<Entry>& entries, const std::string& what,
                                   int line) const {
  const auto name = std::ranges::find(entries, "name", &Entry::key);
  if (name == entries.end()) return Fail(line, fmt::format("a {} has no `name`", what));
  if (!name->value.is_scalar() || name->value.text().empty()) {
    return Fail(name->line, fmt::format("the name of a {} must be text", what));
  }
  return std::string(name->value.text());
}

// The one document of a conf; those that say nothing do not count.
Result<YamlTree> ReadDocument(std::string_view text, const std::string& file) {
  if (text.size() > kMaxConfBytes) {
    return Invalid(fmt::format("{}:1: a conf of {} bytes is too large, at most {}", file,
                               text.size(), kMaxConfBytes));
  }
  if (text.contains('\0')) return Invalid(fmt::format("{}:1: is not a text file", file));
  YamlReader reader(text, kLimits);
  YamlTree found;
  YamlTree document;
  while (true) {
    const std::expected<bool, YamlError> more = reader.Next(document);
    if (!more)
      return Invalid(fmt::format("{}:{}: {}", file, more.error().line, more.error().reason));
    if (!*more) break;
    if (document.root().is_null()) continue;
    if (!found.empty()) {
      return Invalid(
          fmt::format("{}:{}: a conf is one YAML document", file, document.root().line()));
    }
    std::swap(found, document);
  }
  if (found.empty()) return Invalid(fmt::format("{}:1: the conf is empty", file));
  return found;
}

}  // namespace

Result<SchedulerConf> ParseConf(std::string_view yaml_text, const std::string& file_name,
                                const ConfVocabulary& vocabulary) {
  const Result<YamlTree> document = ReadDocument(yaml_text, file_name);
  if (!document) return std::unexpected(document.error());
  return Loader(file_name, vocabulary).Run(document->root());
}

}  // namespace batholith
