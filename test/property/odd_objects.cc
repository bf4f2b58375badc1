#include "test/property/odd_objects.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "codec/yaml.h"

namespace batholith::property {
namespace {

namespace json = boost::json;

constexpr std::string_view kMetaType = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

std::string FileText(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  if (!in) throw std::runtime_error(path + " cannot be read");
  return std::move(out).str();
}

const json::object* Inner(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value == nullptr ? nullptr : value->if_object();
}

std::string TextOf(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

// The words that a field knows, and one or two that no server has yet.
const std::vector<std::string>& Words(std::string_view field) {
  static const std::map<std::string, std::vector<std::string>, std::less<>> kWords{
      {"operator", {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Equal", "Between", ""}},
      {"effect", {"NoSchedule", "PreferNoSchedule", "NoExecute", "NoAdmit", ""}},
      {"whenUnsatisfiable", {"DoNotSchedule", "ScheduleAnyway", "Maybe"}},
      {"nodeAffinityPolicy", {"Honor", "Ignore", "Both"}},
      {"nodeTaintsPolicy", {"Honor", "Ignore", "Both"}},
      {"phase", {"Pending", "Running", "Succeeded", "Failed", "Unknown", "Paused", "Inqueue", ""}},
      {"restartPolicy", {"Always", "OnFailure", "Never", "Sometimes"}},
      {"protocol", {"TCP", "UDP", "SCTP", "QUIC", ""}},
      {"preemptionPolicy", {"Never", "PreemptLowerPriority", "Politely"}},
      {"scopeName",
       {"Terminating", "BestEffort", "PriorityClass", "CrossNamespacePodAffinity", "X"}},
      {"scopes", {"Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "X"}},
      {"status", {"True", "False", "Unknown", "Perhaps"}},
      {"type", {"Ready", "PodScheduled", "MemoryPressure", "X"}},
      {"state", {"Open", "Closed", "Closing", "Unknown", "Ajar"}},
      {"dequeueStrategy", {"traverse", "fifo", "lifo"}},
      {"medium", {"", "Memory", "HugePages", "Disk"}},
      {"topologyKey", {"kubernetes.io/hostname", "topology.kubernetes.io/zone", "a/b", ""}},
      {"hostIP", {"127.0.0.1", "::1", "0.0.0.0", "", "nowhere"}},
      {"schedulerName", {"volcano", "volcano", "default-scheduler", "somebody-else"}},
      {"nodeName", {"node-0", "node-1", "gone"}},
      {"queue", {"default", "no-such-queue", ""}},
  };
  static const std::vector<std::string> kNone;
  const auto it = kWords.find(field);
  return it == kWords.end() ? kNone : it->second;
}

const std::vector<std::string>& OddTexts() {
  static const std::vector<std::string> kTexts{"",
                                               "a",
                                               "5",
                                               "-1",
                                               "1e30",
                                               "9223372036854775808",
                                               "NaN",
                                               "not a number",
                                               "tru",
                                               "{}",
                                               "[1",
                                               "50%",
                                               "150%",
                                               "kubernetes.io/hostname",
                                               "a/b",
                                               "\xc3\xbc\xe2\x82\xac",
                                               "\x1b",
                                               " ",
                                               "..",
                                               "null",
                                               "metadata.name",
                                               "volcano.sh/not-there-yet",
                                               std::string(300, 'x')};
  return kTexts;
}

constexpr std::array kQuantities{"0",
                                 "1",
                                 "-1",
                                 "1n",
                                 "0.1m",
                                 "1.5",
                                 "100m",
                                 "64Mi",
                                 "1e30",
                                 "1E15",
                                 "1e-30",
                                 "9223372036854775807",
                                 "123456789012345678901234567890",
                                 "8Ei",
                                 "+3",
                                 ".5",
                                 "5.",
                                 "-5Gi",
                                 "1e3"};
constexpr std::array kTimes{"0001-01-01T00:00:00Z",      "9999-12-31T23:59:59Z",
                            "1970-01-01T00:00:00Z",      "1969-12-31T23:59:59Z",
                            "2026-02-28T23:59:59+14:00", "2250-06-01T00:00:00Z",
                            "1699-01-01T00:00:00Z",      "2262-04-12T00:00:00.999999999Z"};

json::object PlainPod() {
  return {
      {"schedulerName", "volcano"},
      {"containers",
       json::array{json::object{
           {"name", "c"}, {"image", "image"}, {"resources", {{"requests", {{"cpu", "100m"}}}}}}}}};
}

// What every server takes.
json::object PlainSpec(std::string_view kind) {
  const json::object labels{{"app", "odd"}};
  const json::object pod_template{{"metadata", {{"labels", labels}}}, {"spec", PlainPod()}};
  if (kind == "Pod") return PlainPod();
  if (kind == "ReplicationController")
    return {{"replicas", 0}, {"selector", labels}, {"template", pod_template}};
  if (kind == "Deployment" || kind == "ReplicaSet" || kind == "StatefulSet") {
    json::object spec{
        {"replicas", 0}, {"selector", {{"matchLabels", labels}}}, {"template", pod_template}};
    if (kind == "StatefulSet") spec["serviceName"] = "odd";
    return spec;
  }
  if (kind == "Job") {
    json::object spec{{"parallelism", 0}, {"template", pod_template}};
    spec["template"].as_object()["spec"].as_object()["restartPolicy"] = "Never";
    return spec;
  }
  if (kind == "CapacityBuffer") return {{"podTemplateRef", {{"name", "odd-1"}}}, {"replicas", 1}};
  if (kind == "ElasticQuotaProfile")
    return {{"quotaName", "odd"}, {"nodeSelector", {{"matchLabels", labels}}}};
  if (kind == "PodDisruptionBudget") return {{"selector", {{"matchLabels", labels}}}};
  return {};
}

}  // namespace

// Makes one object.
class OddObjects::Maker {
 public:
  Maker(const OddObjects& schemas, std::uint64_t seed, const Wish& wish)
      : schemas_(schemas), wish_(wish), random_(seed) {}

  // Goes down from `value` along fields at random and makes one of them odd.
  void MakeOdd(const json::object& written, json::value& value, std::string_view field, int depth) {
    const json::object& schema = schemas_.Resolve(written);
    if (wish_.nulls && depth > 0 && One(30)) {
      value = nullptr;
      return;
    }
    if (const json::object* properties = Inner(schema, "properties"); properties != nullptr)
      return OddProperty(*properties, value, depth);
    if (const json::object* items = Inner(schema, "items"); items != nullptr)
      return OddItem(*items, value, field, depth);
    if (const json::object* values = Inner(schema, "additionalProperties"); values != nullptr)
      return OddEntry(*values, value, field, depth);
    value = Leaf(schema, field);
  }

 private:
  std::size_t Pick(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  bool One(std::size_t of) { return Pick(of) == 0; }
  template <typename List>
  auto& Any(const List& list) {
    return list[Pick(list.size())];
  }

  static bool IsServers(std::string_view name) {
    return name == "apiVersion" || name == "kind" || name == "name" || name == "namespace" ||
           name == "uid" || name == "resourceVersion" || name == "managedFields" ||
           name == "generateName" || name == "selfLink";
  }

  void OddProperty(const json::object& properties, json::value& value, int depth) {
    if (!value.is_object()) value.emplace_object();
    if (properties.empty() || depth > 12) return;
    const auto property =
        std::next(properties.begin(), static_cast<std::ptrdiff_t>(Pick(properties.size())));
    const std::string_view name = property->key();
    // Names are what the server and the reader know the object by.
    if (depth <= 1 && IsServers(name)) return;
    json::object& object = value.get_object();
    const bool is_new = !object.contains(name);
    // A custom kind says nothing of its metadata: they are what all have.
    const bool is_meta = depth == 0 && name == "metadata";
    MakeOdd(
        is_meta ? *schemas_.definitions_.find(kMetaType)->second : property->value().as_object(),
        object[name], name, depth + 1);
    if (is_new && wish_.plausible) Fill(properties, object);
  }

  // What a server asks for beside a field is plain.
  void Fill(const json::object& properties, json::object& object) {
    for (const auto& [name, wanted] : {std::pair{"key", "kubernetes.io/hostname"},
                                       {"name", "odd"},
                                       {"topologyKey", "kubernetes.io/hostname"},
                                       {"type", "Odd"},
                                       {"status", "True"},
                                       {"image", "image"}}) {
      const json::object* property = Inner(properties, name);
      if (property != nullptr && TextOf(*property, "type") == "string" && !object.contains(name))
        object[name] = wanted;
    }
  }

  void OddItem(const json::object& items, json::value& value, std::string_view field, int depth) {
    if (!value.is_array()) value.emplace_array();
    json::array& list = value.get_array();
    if (One(12)) {
      list.clear();
    } else if (!list.empty() && !One(3)) {
      MakeOdd(items, list[Pick(list.size())], field, depth + 1);
    } else {
      MakeOdd(items, list.emplace_back(nullptr), field, depth + 1);
    }
  }

  void OddEntry(const json::object& values, json::value& value, std::string_view field, int depth) {
    static const std::vector<std::string> kResources{
        "cpu",           "memory",       "pods",      "ephemeral-storage", "example.org/odd",
        "hugepages-2Mi", "requests.cpu", "count/pods"};
    static const std::vector<std::string> kKeys{
        "a",
        "example.org/key",
        "volcano.sh/preemptable",
        "volcano.sh/task-priority",
        "scheduling.volcano.sh/queue-name",
        "scheduling.k8s.io/group-name",
        "quota.scheduling.koordinator.sh/namespaces",
        "quota.scheduling.koordinator.sh/shared-weight",
        "quota.scheduling.koordinator.sh/total-resource",
        "quota.scheduling.koordinator.sh/parent",
        "quota.batholith.dev/policy",
        "slack.batholith.dev/exclude",
        "capacity.cluster-autoscaler.kubernetes.io/cpu",
        "capacity.cluster-autoscaler.kubernetes.io/memory",
        "capacity.cluster-autoscaler.kubernetes.io/taints",
        "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size"};
    if (!value.is_object()) value.emplace_object();
    if (One(12)) {
      value.get_object().clear();
      return;
    }
    const bool text = TextOf(schemas_.Resolve(values), "type") == "string" &&
                      (field == "labels" || field == "annotations" || field == "matchLabels" ||
                       field == "nodeSelector");
    MakeOdd(values, value.get_object()[text ? Any(kKeys) : Any(kResources)], field, depth + 1);
  }

  json::value Leaf(const json::object& schema, std::string_view field) {
    const std::string type = TextOf(schema, "type");
    const std::string format = TextOf(schema, "format");
    if (schema.contains("x-kubernetes-int-or-string") || format == "int-or-string") {
      if (One(3)) return Number("int32");
      if (format == "int-or-string" && One(2)) return json::value(Any(OddTexts()));
      return json::value(Any(kQuantities));
    }
    if (type == "integer") return Number(format);
    if (type == "boolean") return One(2);
    if (type == "number") return json::value(std::int64_t{-1});
    if (type == "object") return json::object();
    if (format == "date-time") return json::value(Any(kTimes));
    if (&schema == schemas_.quantity_) return json::value(Any(kQuantities));
    return Word(field);
  }

  json::value Number(const std::string& format) {
    static constexpr std::array<std::int64_t, 8> kSmall{0, 1, -1, 2, 3, 80, 65535, 65536};
    static constexpr std::array<std::int64_t, 4> k32{INT32_MAX, INT32_MIN, INT32_MAX - 1, 1000000};
    static constexpr std::array<std::int64_t, 4> k64{INT64_MAX, INT64_MIN, std::int64_t{1} << 31,
                                                     std::int64_t{1} << 53};
    if (wish_.plausible ? !One(3) : One(3)) return Any(kSmall);
    return format == "int64" && One(2) ? Any(k64) : Any(k32);
  }

  json::value Word(std::string_view field) {
    const std::vector<std::string>& words = Words(field);
    if (!words.empty() && !One(4)) return json::value(Any(words));
    if (wish_.plausible && One(2)) return "a";
    return json::value(Any(OddTexts()));
  }

  const OddObjects& schemas_;
  const Wish& wish_;
  std::mt19937_64 random_;
};

OddObjects::OddObjects(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const auto& file : fs::directory_iterator(folder + "/installer/crds"))
    files.push_back(file.path().string());
  std::ranges::sort(files);
  documents_.reserve(files.size() * 2 + 2);
  AddDocument(folder + "/test/property/openapi/kubernetes.json");
  AddDocument(folder + "/test/property/openapi/cluster-api.json");
  for (const std::string& file : files) AddCustomKinds(file);
  std::ranges::sort(kinds_, {}, [](const Kind& k) { return k.api_version + " " + k.kind; });
}

void OddObjects::AddDocument(const std::string& path) {
  const json::object& document = documents_.emplace_back(json::parse(FileText(path))).get_object();
  const json::object& definitions = document.at("definitions").as_object();
  for (const auto& [name, schema] : definitions) {
    definitions_[name] = &schema.as_object();
    if (std::string_view(name).ends_with(".Quantity")) quantity_ = &schema.as_object();
  }
  for (const auto& [name, type] : document.at("kinds").as_object()) {
    const std::string kind = TextOf(type.as_object(), "kind");
    kinds_.push_back({TextOf(type.as_object(), "apiVersion"), kind,
                      kind != "Node" && kind != "Namespace" && kind != "PriorityClass",
                      definitions_.at(name)});
  }
}

void OddObjects::AddCustomKinds(const std::string& path) {
  auto read = ParseDocuments(FileText(path), path);
  if (!read) throw std::runtime_error(read.error().message);
  for (json::value& document : *read) {
    const json::object& spec =
        documents_.emplace_back(std::move(document)).get_object().at("spec").as_object();
    const std::string kind = TextOf(spec.at("names").as_object(), "kind");
    // Jobs and commands are no records.
    if (kind == "Command" || kind == "Job") continue;
    for (const json::value& version : spec.at("versions").as_array()) {
      const json::object& v = version.as_object();
      const json::object& schema = v.at("schema").as_object().at("openAPIV3Schema").as_object();
      kinds_.push_back({TextOf(spec, "group") + "/" + TextOf(v, "name"), kind,
                        TextOf(spec, "scope") == "Namespaced", &schema});
    }
  }
}

const json::object& OddObjects::Resolve(const json::object& schema) const {
  const std::string name = TextOf(schema, "$ref");
  return name.empty() ? schema : Resolve(*definitions_.at(name));
}

std::vector<std::string> OddObjects::Kinds() const {
  std::vector<std::string> out;
  for (const Kind& kind : kinds_) out.push_back(kind.api_version + " " + kind.kind);
  return out;
}

json::object OddObjects::Make(const std::string& name, std::uint64_t seed, const Wish& wish) const {
  const auto kind =
      std::ranges::find(kinds_, name, [](const Kind& k) { return k.api_version + " " + k.kind; });
  if (kind == kinds_.end()) throw std::runtime_error("no schema of " + name);
  const std::string own = "odd-" + std::to_string(seed);
  json::object meta{{"name", own}, {"uid", own}, {"labels", {{"app", "odd"}}}};
  if (kind->namespaced) meta["namespace"] = "odd";
  json::value object = json::object{
      {"apiVersion", kind->api_version}, {"kind", kind->kind}, {"metadata", std::move(meta)}};
  if (json::object spec = PlainSpec(kind->kind); !spec.empty())
    object.get_object()["spec"] = std::move(spec);
  if (kind->kind == "PriorityClass") object.get_object()["value"] = 1;
  if (kind->kind == "PodTemplate") object.get_object()["template"] = {{"spec", PlainPod()}};
  Maker maker(*this, seed, wish);
  for (int i = 0; i < wish.odd_fields; ++i) {
    const json::value plain_meta = object.get_object().at("metadata");
    maker.MakeOdd(*kind->schema, object, "", 0);
    // A null would be an object without a name.
    if (!object.get_object()["metadata"].is_object()) object.get_object()["metadata"] = plain_meta;
  }
  return object.get_object();
}

}  // namespace batholith::property
