#include "codec/dump.h"

#include <array>
#include <boost/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "codec/encode.h"
#include "codec/json.h"
#include "codec/kinds.h"
#include "codec/limits.h"
#include "codec/pod.h"
#include "codec/yaml.h"

namespace batholith {
namespace {

namespace json = boost::json;

// The API group of an elastic quota; none: it is none.
std::optional<std::string> QuotaGroupOf(const std::string& version, const std::string& kind) {
  if (kind != "ElasticQuota" && kind != "CompositeElasticQuota") return std::nullopt;
  for (const std::string_view group :
       {kSchedulerPluginsGroup, kSigsGroup, kNosGroup, kOldNosGroup}) {
    if (version == std::string(group) + "/v1alpha1") return std::string(group);
  }
  return std::nullopt;
}

// The API group of a workload; none: it is none.
std::optional<std::string> WorkloadGroupOf(const std::string& version, const std::string& kind) {
  for (const std::string_view group : {"", "apps", "batch"}) {
    const std::string prefix = group.empty() ? "" : std::string(group) + "/";
    if (version == prefix + "v1" && IsScalable(group, kind)) return std::string(group);
  }
  return std::nullopt;
}

// Reads the items of one session.
class ItemReader {
 public:
  ClusterObjects Read(const Field& items) {
    if (!items.present()) items.Fail("is missing");
    for (const Field& item : items.Items()) {
      // They come from a server, perhaps, and were read as such; a flaw that is told is no fault
      // of the dump.
      Flaws flaws;
      ReadItem(Field(item.value(), item.path(), &flaws));
      if (flaws.count() != 0 && !item["batholith"]["flaw"].present()) flaws.Throw();
    }
    return std::move(objects_);
  }

 private:
  void ReadItem(const Field& item) {
    const std::string kind = item["kind"].Text();
    const std::string version = item["apiVersion"].Text();
    const auto is = [&](ObjectType t) { return kind == t.kind && version == t.api_version; };
    if (is(kNodeType)) return Keep(item, ReadNode(item), objects_.nodes, false);
    if (is(kPodType)) {
      PodRecord pod = ReadPod(item, constraints_);
      RestoreDerived(item, pod);
      return Keep(item, std::move(pod), objects_.pods, true);
    }
    if (is(kPodGroupType)) {
      PodGroupRecord group = ReadPodGroup(item);
      RestoreDerived(item, group);
      return Keep(item, std::move(group), objects_.pod_groups, true);
    }
    if (is(kQueueType)) return Keep(item, ReadQueue(item), objects_.queues, false);
    if (is(kNamespaceType))
      return Keep(item, NamespaceRecord{ReadMeta(item)}, objects_.namespaces, false);
    if (is(kResourceQuotaType))
      return Keep(item, ReadResourceQuota(item), objects_.resource_quotas, true);
    if (is(kPriorityClassType))
      return Keep(item, ReadPriorityClass(item), objects_.priority_classes, false);
    if (is(kDisruptionBudgetType))
      return Keep(item, ReadDisruptionBudget(item), objects_.disruption_budgets, true);
    if (is(kQuotaProfileType))
      return Keep(item, ReadElasticQuotaProfile(item), objects_.quota_profiles, true);
    if (is(kNodeGroupType)) {
      NodeGroupRecord group = ReadNodeGroup(item);
      const bool namespaced = group.kind != "NodeGroup";
      return Keep(item, std::move(group), objects_.node_groups, namespaced);
    }
    if (is(kMachineType)) return Keep(item, ReadMachine(item), objects_.machines, true);
    if (is(kCapacityBufferType))
      return Keep(item, ReadCapacityBuffer(item), objects_.capacity_buffers, true);
    if (is(kPodTemplateType))
      return Keep(item, ReadPodTemplate(item, constraints_), objects_.pod_templates, true);
    if (const auto group = WorkloadGroupOf(version, kind))
      return Keep(item, ReadScalable(item, *group, kind, constraints_), objects_.scalables, true);
    if (const auto group = QuotaGroupOf(version, kind)) {
      std::vector<std::string> told_before;
      return Keep(item, ReadElasticQuota(item, *group, told_before), objects_.elastic_quotas, true);
    }
    item["kind"].Fail("\"" + Printable(kind) + "\" of \"" + Printable(version) +
                      "\" is no kind of a dump");
  }

  template <typename Record>
  void Keep(const Field& item, Record record, std::vector<Record>& list, bool namespaced) {
    const Field meta = item["metadata"];
    const bool has_namespace = !record.meta.namespace_.empty();
    if (has_namespace != namespaced)
      meta["namespace"].Fail(namespaced ? "is missing" : "must not be set");
    const std::string type = item["apiVersion"].Text() + " " + item["kind"].Text();
    if (!seen_.insert(type + " " + record.meta.Key()).second)
      meta["name"].Fail(Printable(record.meta.Key()) + " stands twice");
    record.meta.flaw = item["batholith"]["flaw"].Text();
    list.push_back(std::move(record));
  }

  ClusterObjects objects_;
  ConstraintTable constraints_;
  std::set<std::string> seen_;
};

// A field that must be there.
Field Required(const Field& object, std::string_view name) {
  Field field = object[name];
  if (!field.present()) field.Fail("is missing");
  return field;
}

SessionDump ReadSession(const json::value& value) {
  const Field line(&value, "");
  const std::int64_t version = Required(line, "version").Int(0, INT64_MIN, INT64_MAX);
  if (version != kDumpVersion) {
    line["version"].Fail(std::to_string(version) + " is not supported, expected " +
                         std::to_string(kDumpVersion));
  }
  SessionDump dump;
  dump.cycle = static_cast<int>(Required(line, "cycle").Int(0, 1, INT32_MAX));
  dump.now = Required(line, "now").Time();
  dump.conf = Required(line, "conf").Text();
  const Field options = Required(line, "options");
  dump.scheduler_names = Required(options, "schedulerNames").Texts();
  dump.default_queue = Required(options, "defaultQueue").Text();
  dump.figures_only = options["figuresOnly"].Bool(false);
  dump.objects =
      std::make_shared<const ClusterObjects>(ItemReader().Read(Required(line, "objects")["items"]));
  dump.memory = ReadSessionMemory(line["memory"]);
  const Field decisions = line["decisions"];
  if (decisions.present()) {
    if (!decisions.value()->is_object()) decisions.Fail("must be an object");
    dump.decisions = *decisions.value();
  }
  return dump;
}

}  // namespace

Result<bool> DumpReader::ReadLine() {
  const auto complain = [this](const char* reason) {
    return Invalid(name_ + ": line " + std::to_string(line_) + ": " + reason);
  };
  text_.clear();
  ++line_;
  std::array<char, std::size_t{1} << 16U> part;
  // Part by part, so that an endless line ends.
  while (text_.size() <= kMaxManifestBytes) {
    in_.getline(part.data(), part.size());
    const auto n = static_cast<std::size_t>(in_.gcount());
    if (in_.bad()) return complain("cannot be read");
    if (!in_.eof() && !in_.fail()) {
      text_.append(part.data(), n - 1);  // without the end of the line
      return true;
    }
    text_.append(part.data(), n);
    if (in_.eof()) return !text_.empty();
    in_.clear();  // the line is longer than a part
  }
  return complain("larger than 512 MB");
}

Result<std::optional<SessionDump>> DumpReader::Next() {
  while (true) {
    const Result<bool> more = ReadLine();
    if (!more) return std::unexpected(more.error());
    if (!*more) return std::nullopt;
    if (text_.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string where = name_ + ": line " + std::to_string(line_) + ": ";
    const auto values = ParseJson(text_, {.values = LimitsOfJson(text_.size()).values});
    if (!values) {
      return Invalid(where + "column " + std::to_string(values.error().at + 1) + ": " +
                     values.error().reason);
    }
    if (values->size() != 1 || !values->front().is_object())
      return Invalid(where + "must be one JSON object");
    try {
      SessionDump dump = ReadSession(values->front());
      ++sessions_;
      return dump;
    } catch (const FieldError& e) {
      return Invalid(where + e.what());
    }
  }
}

}  // namespace batholith
