#include "conf/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "api/did_you_mean.h"
#include "api/value_text.h"
#include "codec/yaml/tree.h"
#include "conf/check_arguments.h"
#include "conf/conflicts.h"
#include "conf/endless_evictions.h"
#include "conf/ignored.h"
#include "conf/inert_settings.h"
#include "conf/known_names.h"
#include "conf/read_document.h"
#include "conf/switches.h"
#include "conf/value_tree.h"
#include "conf/yaml_entries.h"

namespace batholith {
namespace {

constexpr std::size_t kMaxActions = 1000;

constexpr std::string_view kTopKeys[] = {"actions", "tiers", "configurations", "metrics", "ignore"};
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

// Turns one document into a conf. Lives for one call; the first error ends it.
class Loader {
 public:
  Loader(const std::string& file, const Registry& registry, MissingParts missing)
      : file_(file), registry_(registry), missing_(missing) {}

  Result<SchedulerConf> Run(const YamlNode& document);

 private:
  Result<void> ReadActions(const YamlEntry& entry);
  Result<void> AddAction(std::string_view name, int line);
  Result<void> ReadTiers(const YamlEntry& entry);
  Result<void> ReadTier(const YamlNode& node);
  Result<PluginConf> ReadPlugin(const YamlNode& node);
  Result<const PluginDescriptor*> FindPlugin(const std::string& name, int line);
  Result<void> LeaveOut(const char* kind, std::string_view name, const MissingName& missing,
                        int line);
  Result<void> ReadPluginKey(const YamlEntry& entry, PluginConf& plugin);
  Result<void> ReadSwitch(const Switch& found, const YamlEntry& entry, PluginConf& plugin);
  std::unexpected<Error> UnknownPluginKey(const YamlEntry& entry,
                                          const PluginDescriptor& known) const;
  Result<void> ReadConfigurations(const YamlEntry& entry);
  Result<void> ReadConfiguration(const YamlNode& node);
  Result<void> ReadMetrics(const YamlEntry& entry);

  Result<ConfValue> CheckedArguments(const YamlNode& node, const ArgumentOwner& owner);
  const ActionDescriptor* FindAction(std::string_view name) const;
  Result<std::string> NameOf(const std::vector<YamlEntry>& entries, const std::string& what,
                             int line) const;

  std::unexpected<Error> Fail(int line, const std::string& what) const {
    return ConfError(file_, line, what);
  }
  void Warn(int line, const std::string& what) {
    conf_.warnings.push_back(fmt::format("{}:{}: {}", file_, line, what));
  }

  const std::string& file_;
  const Registry& registry_;
  const MissingParts missing_;
  SchedulerConf conf_;
  std::vector<ActionConf> configurations_;
  std::set<std::string> plugins_seen_;
  std::set<std::string> configurations_seen_;
  std::set<std::string_view> switches_warned_;
};

Result<SchedulerConf> Loader::Run(const YamlNode& document) {
  conf_.file = file_;
  const Result<std::vector<YamlEntry>> entries = EntriesOf(document, "the conf", file_, kTopKeys);
  if (!entries) return std::unexpected(entries.error());
  bool has_actions = false;
  for (const YamlEntry& entry : *entries) {
    Result<void> read;
    if (entry.key == "actions") {
      has_actions = true;
      read = ReadActions(entry);
    } else if (entry.key == "tiers") {
      read = ReadTiers(entry);
    } else if (entry.key == "configurations") {
      read = ReadConfigurations(entry);
    } else if (entry.key == "ignore") {
      read = ReadIgnored(entry, file_, conf_.ignored);
    } else {
      read = ReadMetrics(entry);
    }
    if (!read) return std::unexpected(read.error());
  }
  if (!has_actions) return Fail(LineOf(document), "`actions` is missing");
  for (ActionConf& action : conf_.actions) {
    const auto given = std::ranges::find(configurations_, action.name(), &ActionConf::name);
    if (given != configurations_.end()) action.arguments = given->arguments;
  }
  for (const ActionConf& given : configurations_) {
    const bool runs =
        std::ranges::find(conf_.actions, given.name(), &ActionConf::name) != conf_.actions.end();
    if (runs || given.arguments.children.empty()) continue;
    Warn(given.line,
         fmt::format("arguments of action {} have no effect: `actions` does not name it",
                     given.name()));
  }
  if (const std::optional<Conflict> conflict = FindConflict(conf_))
    return Fail(conflict->line, conflict->message);
  for (const std::string& inert : InertSettings(conf_, registry_)) {
    conf_.warnings.push_back(fmt::format("{}: {}", file_, inert));
  }
  for (const std::string& endless : EndlessEvictions(conf_)) {
    conf_.warnings.push_back(fmt::format("{}: {}", file_, endless));
  }
  return std::move(conf_);
}

Result<void> Loader::ReadActions(const YamlEntry& entry) {
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
  if (conf_.actions.empty()) return Fail(entry.line, "`actions` names no action of this build");
  return {};
}

Result<void> Loader::AddAction(std::string_view name, int line) {
  const std::vector<std::string> words = SplitList(name);
  if (words.empty()) return Fail(line, "`actions` has an empty name");
  const std::string& action = words.front();
  if (const ActionDescriptor* found = FindAction(action)) {
    if (conf_.actions.size() == kMaxActions)
      return Fail(line, fmt::format("`actions` names more than {} actions", kMaxActions));
    conf_.actions.push_back({.descriptor = found, .line = line});
    return {};
  }
  if (const RetiredName* retired = FindRetiredAction(action)) {
    Warn(line, fmt::format("action {} is retired and ignored: {}", action, retired->reason));
    return {};
  }
  return LeaveOut("action", action, MissingAction(registry_, action), line);
}

// Of a name that the registry does not have.
Result<void> Loader::LeaveOut(const char* kind, std::string_view name, const MissingName& missing,
                              int line) {
  if (!missing.is_known) return Fail(line, missing.why);
  if (missing_ == MissingParts::kRefused)
    return Fail(line, missing.why + " (--lenient leaves it out, as a daemon does)");
  Warn(line, missing.why + ": it is left out");
  conf_.left_out.push_back({kind, std::string(name)});
  return {};
}

Result<void> Loader::ReadTiers(const YamlEntry& entry) {
  if (entry.value.is_null()) return {};
  if (!entry.value.is_list()) return Fail(entry.line, "`tiers` must be a list of tiers");
  for (const YamlNode& node : entry.value.Items()) {
    if (const auto read = ReadTier(node); !read) return read;
  }
  return {};
}

Result<void> Loader::ReadTier(const YamlNode& node) {
  const Result<std::vector<YamlEntry>> entries = EntriesOf(node, "a tier", file_, kTierKeys);
  if (!entries) return std::unexpected(entries.error());
  Tier tier;
  for (const YamlEntry& entry : *entries) {
    if (entry.value.is_null()) continue;
    if (!entry.value.is_list()) return Fail(entry.line, "`plugins` must be a list of plugins");
    for (const YamlNode& item : entry.value.Items()) {
      Result<PluginConf> plugin = ReadPlugin(item);
      if (!plugin) return std::unexpected(plugin.error());
      if (plugin->descriptor != nullptr) tier.plugins.push_back(*std::move(plugin));
    }
  }
  conf_.tiers.push_back(std::move(tier));
  return {};
}

// A plugin that is retired or left out comes back without a descriptor.
Result<PluginConf> Loader::ReadPlugin(const YamlNode& node) {
  const Result<std::vector<YamlEntry>> entries = EntriesOf(node, "a plugin", file_);
  if (!entries) return std::unexpected(entries.error());
  PluginConf plugin;
  plugin.line = LineOf(node);
  const Result<std::string> name = NameOf(*entries, "plugin", plugin.line);
  if (!name) return std::unexpected(name.error());
  if (const RetiredName* retired = FindRetiredPlugin(*name)) {
    Warn(plugin.line, fmt::format("plugin {} is retired and ignored: {}", *name, retired->reason));
    return plugin;
  }
  const Result<const PluginDescriptor*> known = FindPlugin(*name, plugin.line);
  if (!known) return std::unexpected(known.error());
  if (!plugins_seen_.insert(*name).second) {
    return Fail(plugin.line, fmt::format("plugin {} appears twice in the conf", *name));
  }
  plugin.descriptor = *known;
  if (plugin.descriptor == nullptr) return plugin;
  std::set<std::string_view> switches;
  for (const YamlEntry& entry : *entries) {
    const Switch* found = FindSwitch(entry.key);
    if (found != nullptr && !switches.insert(found->name).second) {
      return Fail(entry.line, fmt::format("plugin {}: `{}` is given twice, in both spellings",
                                          *name, found->name));
    }
    if (const auto read = ReadPluginKey(entry, plugin); !read) return std::unexpected(read.error());
  }
  return plugin;
}

// Nothing: it is left out.
Result<const PluginDescriptor*> Loader::FindPlugin(const std::string& name, int line) {
  const auto found = std::ranges::find(registry_.plugins, name, &PluginDescriptor::name);
  if (found != registry_.plugins.end()) return &*found;
  const auto left = LeaveOut("plugin", name, MissingPlugin(registry_, name), line);
  if (!left) return std::unexpected(left.error());
  return nullptr;
}

Result<void> Loader::ReadPluginKey(const YamlEntry& entry, PluginConf& plugin) {
  const PluginDescriptor& known = *plugin.descriptor;
  if (entry.key == "name") return {};
  if (entry.key == "arguments") {
    Result<ConfValue> arguments = CheckedArguments(
        entry.value, {"plugin " + std::string(known.name), known.arguments, known.retired});
    if (!arguments) return std::unexpected(arguments.error());
    plugin.arguments = *std::move(arguments);
    return {};
  }
  if (const Switch* found = FindSwitch(entry.key)) return ReadSwitch(*found, entry, plugin);
  return UnknownPluginKey(entry, known);
}

Result<void> Loader::ReadSwitch(const Switch& found, const YamlEntry& entry, PluginConf& plugin) {
  if (entry.value.is_null()) {
    Warn(entry.line,
         fmt::format("plugin {}: `{}` has no value and is ignored", plugin.name(), entry.key));
    return {};
  }
  const std::optional<bool> on =
      entry.value.is_scalar() ? ParseBool(entry.value.text()) : std::nullopt;
  if (!on)
    return Fail(entry.line,
                fmt::format("plugin {}: `{}` must be true or false", plugin.name(), entry.key));
  if (found.point) {
    plugin.points.Set(*found.point, *on);
    if (*on && !plugin.descriptor->points.Has(*found.point)) {
      Warn(entry.line,
           fmt::format("plugin {}: `{}` has no effect: the plugin has nothing to say there",
                       plugin.name(), found.name));
    }
  } else if (*on && switches_warned_.insert(found.name).second) {
    Warn(entry.line,
         fmt::format("switch `{}` has no effect: this build does not have the point", found.name));
  }
  return {};
}

std::unexpected<Error> Loader::UnknownPluginKey(const YamlEntry& entry,
                                                const PluginDescriptor& known) const {
  if (FindArgument(known.arguments, entry.key) != nullptr ||
      FindRetired(known.retired, entry.key) != nullptr) {
    return Fail(entry.line, fmt::format("plugin {}: `{}` belongs under `arguments`", known.name,
                                        Shown(entry.key)));
  }
  std::vector<std::string_view> keys = {"name", "arguments"};
  for (const Switch& candidate : Switches()) keys.push_back(candidate.name);
  for (const ArgumentSpec& spec : known.arguments) keys.push_back(spec.name);
  std::string hint = DidYouMean(entry.key, keys);
  const std::optional<std::string_view> nearest = Nearest(entry.key, keys);
  if (nearest && FindArgument(known.arguments, *nearest) != nullptr)
    hint += " (it belongs under `arguments`)";
  return Fail(entry.line,
              fmt::format("plugin {}: key `{}` is unknown{}", known.name, Shown(entry.key), hint));
}

Result<void> Loader::ReadConfigurations(const YamlEntry& entry) {
  if (entry.value.is_null()) return {};
  if (!entry.value.is_list()) return Fail(entry.line, "`configurations` must be a list");
  for (const YamlNode& node : entry.value.Items()) {
    if (const auto read = ReadConfiguration(node); !read) return read;
  }
  return {};
}

Result<void> Loader::ReadConfiguration(const YamlNode& node) {
  const Result<std::vector<YamlEntry>> entries =
      EntriesOf(node, "a configuration", file_, kConfigurationKeys);
  if (!entries) return std::unexpected(entries.error());
  const int line = LineOf(node);
  const Result<std::string> name = NameOf(*entries, "configuration", line);
  if (!name) return std::unexpected(name.error());
  if (!configurations_seen_.insert(*name).second) {
    return Fail(line,
                fmt::format("action {} has two entries under `configurations`", Shown(*name)));
  }
  const ActionDescriptor* action = FindAction(*name);
  if (action == nullptr) {
    // Arguments alone change no decision: only the action itself must not go missing silently.
    const MissingName missing = MissingAction(registry_, *name);
    if (!missing.is_known && FindRetiredAction(*name) == nullptr) return Fail(line, missing.why);
    Warn(line,
         fmt::format("arguments of action {} have no effect: this build does not have it", *name));
    return {};
  }
  for (const YamlEntry& entry : *entries) {
    if (entry.key != "arguments") continue;
    Result<ConfValue> arguments =
        CheckedArguments(entry.value, {"action " + *name, action->arguments, action->retired});
    if (!arguments) return std::unexpected(arguments.error());
    configurations_.push_back(
        {.descriptor = action, .arguments = *std::move(arguments), .line = line});
  }
  return {};
}

Result<void> Loader::ReadMetrics(const YamlEntry& entry) {
  if (entry.value.is_null()) return {};
  const Result<std::vector<YamlEntry>> entries =
      EntriesOf(entry.value, "`metrics`", file_, kMetricsKeys);
  if (!entries) return std::unexpected(entries.error());
  for (const YamlEntry& setting : *entries) {
    if (setting.value.is_scalar() || setting.value.is_null()) continue;
    return Fail(setting.line, fmt::format("`metrics`: `{}` must be text", setting.key));
  }
  Warn(entry.line, "`metrics` has no effect: no plugin of this build reads metrics of nodes");
  return {};
}

Result<ConfValue> Loader::CheckedArguments(const YamlNode& node, const ArgumentOwner& owner) {
  Result<ConfValue> arguments = ReadArguments(node, owner.name, file_);
  if (!arguments) return arguments;
  Result<std::vector<std::string>> warnings = CheckArguments(file_, owner, *arguments);
  if (!warnings) return std::unexpected(warnings.error());
  conf_.warnings.insert(conf_.warnings.end(), warnings->begin(), warnings->end());
  return arguments;
}

const ActionDescriptor* Loader::FindAction(std::string_view name) const {
  const auto found = std::ranges::find(registry_.actions, name, &ActionDescriptor::name);
  return found == registry_.actions.end() ? nullptr : &*found;
}

Result<std::string> Loader::NameOf(const std::vector<YamlEntry>& entries, const std::string& what,
                                   int line) const {
  const auto name = std::ranges::find(entries, "name", &YamlEntry::key);
  if (name == entries.end()) return Fail(line, fmt::format("a {} has no `name`", what));
  if (!name->value.is_scalar() || name->value.text().empty()) {
    return Fail(name->line, fmt::format("the name of a {} must be text", what));
  }
  return std::string(name->value.text());
}

}  // namespace

Result<SchedulerConf> ParseConf(std::string_view yaml_text, const std::string& file_name,
                                const Registry& registry, MissingParts missing) {
  const Result<ConfDocument> document = ReadConfDocument(yaml_text, file_name);
  if (!document) return std::unexpected(document.error());
  return Loader(document->name, registry, missing).Run(document->tree.root());
}

}  // namespace batholith
