#include "conf/read_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <expected>
#include <optional>
#include <utility>
#include <vector>

#include "api/did_you_mean.h"
#include "codec/yaml/reader.h"
#include "conf/yaml_entries.h"

namespace batholith {
namespace {

// Aliases make a small file a huge tree; no conf that means something comes near.
constexpr YamlLimits kLimits{.values = 20'000, .text_bytes = 2 * kMaxConfBytes};

Result<YamlTree> OnlyDocument(std::string_view text, const std::string& file) {
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

// The keys of a ConfigMap and their values; absent: the document is none.
std::optional<std::vector<YamlEntry>> ConfigMapData(const YamlTree& document) {
  const auto entries = EntriesOf(document.root(), "the conf", "");
  if (!entries) return std::nullopt;
  const auto kind = std::ranges::find(*entries, "kind", &YamlEntry::key);
  if (kind == entries->end() || !kind->value.is_scalar() || kind->value.text() != "ConfigMap")
    return std::nullopt;
  const auto data = std::ranges::find(*entries, "data", &YamlEntry::key);
  if (data == entries->end()) return std::vector<YamlEntry>{};
  auto keys = EntriesOf(data->value, "data", "");
  return keys ? *std::move(keys) : std::vector<YamlEntry>{};
}

Result<YamlEntry> ConfIn(const std::vector<YamlEntry>& data, const std::string& file) {
  const auto ends_so = [](const YamlEntry& entry) { return entry.key.ends_with(".conf"); };
  if (data.empty()) return Invalid(file + ": the ConfigMap has no `data` with a conf in it");
  if (data.size() == 1) return data.front();
  if (std::ranges::count_if(data, ends_so) == 1) return *std::ranges::find_if(data, ends_so);
  std::string names;
  for (const YamlEntry& entry : data) names += (names.empty() ? "" : ", ") + Shown(entry.key);
  return Invalid(
      fmt::format("{}: the ConfigMap has several keys ({}), of which one alone must end in .conf",
                  file, names));
}

}  // namespace

Result<ConfDocument> ReadConfDocument(std::string_view text, const std::string& file) {
  Result<YamlTree> document = OnlyDocument(text, file);
  if (!document) return std::unexpected(document.error());
  const auto data = ConfigMapData(*document);
  if (!data) return ConfDocument{*std::move(document), file};
  const Result<YamlEntry> conf = ConfIn(*data, file);
  if (!conf) return std::unexpected(conf.error());
  if (!conf->value.is_scalar())
    return Invalid(fmt::format("{}:{}: `{}` of the ConfigMap must be the text of a conf", file,
                               conf->line, Shown(conf->key)));
  std::string name = file + ": " + Shown(conf->key);
  Result<YamlTree> inner = OnlyDocument(conf->value.text(), name);
  if (!inner) return std::unexpected(inner.error());
  return ConfDocument{*std::move(inner), std::move(name)};
}

}  // namespace batholith
