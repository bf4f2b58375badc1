#include "cmd/kube_listing.h"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <utility>

#include "client/http/reply.h"
#include "cmd/indented_json.h"
#include "cmd/kube_follow.h"
#include "cmd/yaml_text.h"
#include "codec/json/text.h"

namespace batholith {
namespace {

namespace json = boost::json;

void RemoveManagedFields(json::value& object) {
  if (!object.is_object()) return;
  json::value* meta = object.get_object().if_contains("metadata");
  if (meta != nullptr && meta->is_object()) meta->get_object().erase("managedFields");
}

// Counts are missing where they may not be read, which is no reason to show nothing.
Objects CountedOf(KubeRun& run, const ListOf& list) {
  if (list.counted.empty() || !IsTable(run)) return {};
  Result<Objects> counted = run.api->List(list.counted, "", "");
  if (counted) return std::move(*counted);
  std::cerr << "warning: not counted: " << counted.error().message << "\n";
  return {};
}

void PrintTable(const KubeRun& run, const ListOf& list, const Objects& listed,
                const Objects& counted, TableShape& shape) {
  TextRows rows = list.cells(listed, counted);
  if (!run.flags.no_headers) rows.insert(rows.begin(), list.head);
  std::cout << TextTable(rows, shape) << std::flush;
}

void PrintObjects(const KubeRun& run, const Objects& listed, bool one) {
  if (run.flags.output == "name") {
    for (const json::value& object : listed) std::cout << NameText(object);
    return;
  }
  if (one) {
    std::cout << ObjectText(listed.front(), run.flags.output);
    return;
  }
  json::array items;
  for (json::value object : listed) {
    RemoveManagedFields(object);
    items.push_back(std::move(object));
  }
  std::cout << ObjectText(
      json::object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}},
      run.flags.output);
}

}  // namespace

bool IsTable(const KubeRun& run) {
  return run.flags.output == "table" || run.flags.output == "wide" || run.flags.output == "tree";
}

std::string NameText(const json::value& object) {
  std::string kind = TextIn(object, {"kind"});
  std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string version = TextIn(object, {"apiVersion"});
  const std::size_t slash = version.find('/');
  const std::string group = slash == std::string::npos ? "" : "." + version.substr(0, slash);
  return kind + group + "/" + TextIn(object, {"metadata", "name"}) + "\n";
}

std::string ObjectText(json::value object, const std::string& output) {
  if (output == "name") return NameText(object);
  RemoveManagedFields(object);
  if (output == "yaml") return YamlText(object);
  return IndentedJson(object);
}

Result<void> PrintList(KubeRun& run, const ListOf& list) {
  const std::string namespace_ = run.list_namespace();
  Result<Objects> listed = run.api->List(list.kinds, namespace_, run.flags.selector);
  if (!listed) return std::unexpected(listed.error());
  if (list.keep) std::erase_if(*listed, [&](const json::value& o) { return !list.keep(o); });
  TableShape shape;
  const Objects counted = CountedOf(run, list);
  if (!IsTable(run) && !run.flags.watch) {
    PrintObjects(run, *listed, false);
    return {};
  }
  if (listed->empty() && !run.flags.watch) {
    const bool all = namespace_.empty() || !list.kinds.front()->namespaced;
    std::cerr << "No " << list.what << " found" << (all ? "" : " in namespace " + namespace_)
              << ".\n";
    return {};
  }
  if (!run.flags.watch) {
    PrintTable(run, list, *listed, counted, shape);
    return {};
  }
  return Follow(run, list);
}

Result<void> PrintNamed(KubeRun& run, const ListOf& list) {
  Objects found;
  Result<void> result;
  for (const std::string& given : run.flags.names) {
    const KubeRun::Name name = run.Split(given);
    Result<json::value> object = run.api->Find(list.kinds, name.namespace_, name.name);
    if (object) {
      found.push_back(std::move(*object));
      continue;
    }
    if (!result) std::cerr << "batholith " << run.command << ": " << result.error().message << "\n";
    result = std::unexpected(object.error());
  }
  if (found.empty()) return result;
  TableShape shape;
  if (IsTable(run)) {
    PrintTable(run, list, found, CountedOf(run, list), shape);
  } else {
    PrintObjects(run, found, run.flags.names.size() == 1);
  }
  return result;
}

}  // namespace batholith
