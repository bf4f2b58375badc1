#include "codec/limit_range.h"

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "codec/pod.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr const char* kContainerLists[] = {"containers", "initContainers"};

// As an API server completes a range: what a container may have at most is its default, the default
// is the default request, and so is the least where there is no default.
std::map<std::string, std::string> DefaultRequests(const Field& item) {
  std::map<std::string, std::string> out;
  for (const char* list : {"defaultRequest", "default", "max", "min"}) {
    item[list].Resources();  // told where an amount cannot be read
    for (const auto& [name, amount] : item[list].Entries())
      if (amount.present()) out.try_emplace(name, amount.TextOrNumber());
  }
  return out;
}

}  // namespace

json::value ResourcesOf(const Field& pod_spec) {
  json::object out;
  for (const char* list : kContainerLists) {
    json::array containers;
    for (const Field& container : pod_spec[list].Items()) {
      json::object kept;
      for (const char* field : {"resources", "restartPolicy"}) {
        if (const json::value* value = container[field].value()) kept[field] = *value;
      }
      containers.emplace_back(std::move(kept));
    }
    out[list] = std::move(containers);
  }
  for (const char* field : {"resources", "overhead"}) {
    if (const json::value* value = pod_spec[field].value()) out[field] = *value;
  }
  return out;
}

void LimitRanges::Add(const ObjectMeta& meta, const Field& object) {
  Range range{meta.name, {}};
  for (const Field& item : object["spec"]["limits"].Items()) {
    if (item["type"].Text() == "Container") range.defaults.push_back(DefaultRequests(item));
  }
  std::vector<Range>& all = ranges_[meta.namespace_];
  const auto same = std::ranges::find(all, meta.name, &Range::name);
  if (same == all.end()) {
    all.push_back(std::move(range));
  } else {
    *same = std::move(range);
  }
}

void LimitRanges::GiveTo(PodRecord& pod, const std::string& namespace_,
                         const json::value& resources) const {
  const auto ranges = ranges_.find(namespace_);
  if (ranges == ranges_.end()) return;
  const Field spec(&resources, "spec");
  json::object completed = spec.Object();
  for (const char* list : kContainerLists) {
    json::array containers;
    for (const Field& container : spec[list].Items()) {
      const Field written = container["resources"];
      json::object requests = written["requests"].Object();
      const json::object& limits = written["limits"].Object();
      for (const Range& range : ranges->second) {
        for (const auto& defaults : range.defaults) {
          for (const auto& [name, amount] : defaults) {
            if (!limits.contains(name) && !requests.contains(name)) requests[name] = amount;
          }
        }
      }
      json::object kept = container.Object();
      json::object both = written.Object();
      both["requests"] = std::move(requests);
      kept["resources"] = std::move(both);
      containers.emplace_back(std::move(kept));
    }
    completed[list] = std::move(containers);
  }
  const json::value value(std::move(completed));
  PodRequest asked = EffectiveRequest(Field(&value, "spec"), Field(nullptr, "status"));
  pod.request = std::move(asked.request);
  pod.unnamed_cpu = asked.unnamed_cpu;
  pod.unnamed_memory = asked.unnamed_memory;
}

}  // namespace batholith
