#include "sim/scenario/short_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "api/elastic_quota.h"
#include "api/value_text.h"
#include "codec/limits.h"
#include "conf/message.h"
#include "sim/scenario/fields.h"

namespace batholith {
namespace {

namespace json = boost::json;
using Objects = std::vector<json::value>;

constexpr std::int64_t kMaxTasks = kMaxCopies;

bool IsResource(std::string_view name) {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" || name == "storage" ||
         name.starts_with("hugepages-") || name.find('/') != name.npos;
}

// One entry of a short form: takes its fields one by one and remembers the first thing that is
// wrong.
class Form {
 public:
  static Result<Form> Open(const json::value& value, const std::string& path,
                           std::span<const std::string_view> known, bool has_resources) {
    const auto mapping = AsMapping(value, path);
    if (!mapping) return std::unexpected(mapping.error());
    Form form(**mapping, path);
    for (const auto& [key, ignored] : **mapping) {
      const std::string_view name = key;
      if (std::ranges::find(known, name) != known.end()) continue;
      if (has_resources && IsResource(name)) continue;
      return Invalid(
          fmt::format("{}: unknown field \"{}\"{}", path, Shown(name), DidYouMean(name, known)));
    }
    if (form.Text("name").empty()) return Invalid(path + ": a name is needed");
    return form;
  }

  const json::value* Find(std::string_view field) const { return mapping_->if_contains(field); }

  std::string Text(std::string_view field, std::string otherwise = {}) {
    const json::value* value = Find(field);
    return value == nullptr ? otherwise : Keep(AsText(*value, Path(field)), std::move(otherwise));
  }

  std::int64_t Integer(std::string_view field, std::int64_t otherwise) {
    const json::value* value = Find(field);
    return value == nullptr ? otherwise : Keep(AsInteger(*value, Path(field)), otherwise);
  }

  // Amounts, as text so that no digit is lost on the way.
  json::object Resources() {
    json::object out;
    for (const auto& [key, value] : *mapping_) {
      if (IsResource(key)) out[key] = Keep(AsText(value, Path(key)), std::string());
    }
    return out;
  }

  // Fields that go into the object as they are.
  void Copy(json::object& target, std::span<const std::string_view> fields) const {
    for (const std::string_view field : fields) {
      if (const json::value* value = Find(field)) target[field] = *value;
    }
  }

  json::object Meta(bool with_namespace) {
    json::object meta{{"name", Text("name")}};
    if (with_namespace) meta["namespace"] = Text("namespace", "default");
    Copy(meta, std::array<std::string_view, 3>{"labels", "annotations", "creationTimestamp"});
    return meta;
  }

  std::string Path(std::string_view field) const { return path_ + "." + std::string(field); }
  const json::object& mapping() const { return *mapping_; }
  void Fail(Error error) {
    if (!error_) error_ = std::move(error);
  }

  Result<Objects> Close(Objects objects) {
    if (error_) return std::unexpected(*error_);
    return objects;
  }

 private:
  Form(const json::object& mapping, std::string path)
      : mapping_(&mapping), path_(std::move(path)) {}

  template <typename T>
  T Keep(Result<T> result, T otherwise) {
    if (result) return std::move(*result);
    Fail(result.error());
    return otherwise;
  }

  const json::object* mapping_;
  std::string path_;
  std::optional<Error> error_;
};

json::object Object(std::string_view api_version, std::string_view kind, json::object meta) {
  json::object out;
  out["apiVersion"] = api_version;
  out["kind"] = kind;
  out["metadata"] = std::move(meta);
  return out;
}

Result<Objects> ExpandNode(const json::value& value, const std::string& path) {
  static constexpr std::array<std::string_view, 7> kKnown{
      "name", "pods", "labels", "annotations", "taints", "unschedulable", "creationTimestamp"};
  Result<Form> form = Form::Open(value, path, kKnown, /*has_resources=*/true);
  if (!form) return std::unexpected(form.error());
  json::object node = Object("v1", "Node", form->Meta(/*with_namespace=*/false));
  json::value& labels = node["metadata"].as_object()["labels"];
  if (labels.is_null()) labels = json::object();
  if (labels.is_object()) {
    labels.as_object().emplace("kubernetes.io/hostname", form->Text("name"));
  }
  json::object spec;
  form->Copy(spec, std::array<std::string_view, 2>{"taints", "unschedulable"});
  if (!spec.empty()) node["spec"] = std::move(spec);
  json::object allocatable = form->Resources();
  allocatable["pods"] = form->Text("pods", "110");
  node["status"] = json::object{
      {"allocatable", allocatable},
      {"conditions", json::array{json::object{{"type", "Ready"}, {"status", "True"}}}}};
  return form->Close({std::move(node)});
}

// The form of a node, or a whole Node object.
Result<json::value> NodeTemplate(const Form& form) {
  const json::value* given = form.Find("template");
  if (given == nullptr || !given->is_object() || given->get_object().contains("status"))
    return given == nullptr ? json::value() : *given;
  json::object node = given->get_object();
  node.emplace("name", "template");
  Result<Objects> expanded = ExpandNode(node, form.Path("template"));
  if (!expanded) return std::unexpected(expanded.error());
  expanded->front().as_object()["metadata"].as_object()["labels"].as_object().erase(
      "kubernetes.io/hostname");
  return std::move(expanded->front());
}

Result<Objects> ExpandNodeGroup(const json::value& value, const std::string& path) {
  static constexpr std::array<std::string_view, 10> kKnown{
      "name",   "min",      "max",    "size",        "delay",
      "paused", "template", "labels", "annotations", "creationTimestamp"};
  Result<Form> form = Form::Open(value, path, kKnown, /*has_resources=*/false);
  if (!form) return std::unexpected(form.error());
  json::object group =
      Object("batholith.dev/v1", "NodeGroup", form->Meta(/*with_namespace=*/false));
  json::object spec;
  form->Copy(spec, std::array<std::string_view, 4>{"min", "max", "size", "paused"});
  const auto delay = ParseGoDuration(form->Text("delay", "90s"));
  if (!delay || delay->count() < 0)
    form->Fail({ErrorCode::kInvalid, form->Path("delay") + ": must be a duration, such as 90s"});
  if (delay) spec["delaySeconds"] = delay->count() / 1'000'000'000;
  Result<json::value> node = NodeTemplate(*form);
  if (!node) return std::unexpected(node.error());
  if (!node->is_null()) spec["template"] = *std::move(node);
  group["spec"] = std::move(spec);
  return form->Close({std::move(group)});
}

Result<Objects> ExpandQueue(const json::value& value, const std::string& path) {
  static constexpr std::array<std::string_view, 14> kKnown{
      "name",        "weight",           "capability",  "deserved", "guarantee",       "parent",
      "state",       "priority",         "reclaimable", "affinity", "dequeueStrategy", "labels",
      "annotations", "creationTimestamp"};
  Result<Form> form = Form::Open(value, path, kKnown, /*has_resources=*/false);
  if (!form) return std::unexpected(form.error());
  json::object queue =
      Object("scheduling.volcano.sh/v1beta1", "Queue", form->Meta(/*with_namespace=*/false));
  json::object spec{{"weight", form->Integer("weight", 1)}};
  form->Copy(spec, std::array<std::string_view, 7>{"capability", "deserved", "parent", "priority",
                                                   "reclaimable", "affinity", "dequeueStrategy"});
  if (const json::value* guarantee = form->Find("guarantee")) {
    const bool whole = guarantee->is_object() && guarantee->get_object().contains("resource");
    spec["guarantee"] = whole ? *guarantee : json::object{{"resource", *guarantee}};
  }
  queue["spec"] = std::move(spec);
  queue["status"] = json::object{{"state", form->Text("state", "Open")}};
  return form->Close({std::move(queue)});
}

Result<Objects> ExpandNamespace(const json::value& value, const std::string& path) {
  static constexpr std::array<std::string_view, 5> kKnown{"name", "weight", "labels", "annotations",
                                                          "creationTimestamp"};
  Result<Form> form = Form::Open(value, path, kKnown, /*has_resources=*/false);
  if (!form) return std::unexpected(form.error());
  Objects out{Object("v1", "Namespace", form->Meta(/*with_namespace=*/false))};
  if (form->Find("weight") != nullptr) {
    json::object quota = Object("v1", "ResourceQuota",
                                {{"name", "namespace-weight"}, {"namespace", form->Text("name")}});
    quota["spec"] = json::object{{"hard", {{"volcano.sh/namespace.weight", form->Text("weight")}}}};
    out.push_back(std::move(quota));
  }
  return form->Close(std::move(out));
}

Result<Objects> ExpandPriorityClass(const json::value& value, const std::string& path) {
  static constexpr std::array<std::string_view, 7> kKnown{
      "name",   "value",       "globalDefault",    "preemptionPolicy",
      "labels", "annotations", "creationTimestamp"};
  Result<Form> form = Form::Open(value, path, kKnown, /*has_resources=*/false);
  if (!form) return std::unexpected(form.error());
  json::object out =
      Object("scheduling.k8s.io/v1", "PriorityClass", form->Meta(/*with_namespace=*/false));
  out["value"] = form->Integer("value", 0);
  form->Copy(out, std::array<std::string_view, 2>{"globalDefault", "preemptionPolicy"});
  return form->Close({std::move(out)});
}

Result<Objects> ExpandQuota(const json::value& value, const std::string& path) {
  static constexpr std::array<std::string_view, 10> kKnown{
      "name", "namespace",  "kind",   "group",       "min",
      "max",  "namespaces", "labels", "annotations", "creationTimestamp"};
  Result<Form> form = Form::Open(value, path, kKnown, /*has_resources=*/false);
  if (!form) return std::unexpected(form.error());
  const std::string kind = form->Text("kind", "ElasticQuota");
  const std::string group =
      form->Text("group", std::string(kind == "ElasticQuota" ? kSchedulerPluginsGroup : kNosGroup));
  json::object out = Object(group + "/v1alpha1", kind, form->Meta(/*with_namespace=*/true));
  json::object spec;
  form->Copy(spec, std::array<std::string_view, 3>{"min", "max", "namespaces"});
  out["spec"] = std::move(spec);
  return form->Close({std::move(out)});
}

// Fields of a pod's spec that jobs and pods may set.
constexpr std::array<std::string_view, 8> kPodSpecFields{
    "nodeSelector", "tolerations",      "affinity",      "topologySpreadConstraints",
    "priority",     "preemptionPolicy", "schedulerName", "terminationGracePeriodSeconds"};

template <std::size_t n>
constexpr auto WithPodSpecFields(const std::array<std::string_view, n>& own) {
  std::array<std::string_view, n + kPodSpecFields.size()> all{};
  std::ranges::copy(own, all.begin());
  std::ranges::copy(kPodSpecFields, all.begin() + n);
  return all;
}

json::object PodOf(Form& form, const std::string& name, const std::string& group,
                   const std::string& node, const std::string& phase) {
  json::object meta = form.Meta(/*with_namespace=*/true);
  meta["name"] = name;
  if (!group.empty()) {
    json::value& annotations = meta["annotations"];
    if (annotations.is_null()) annotations = json::object();
    if (annotations.is_object()) annotations.as_object()["scheduling.k8s.io/group-name"] = group;
  }
  json::object pod = Object("v1", "Pod", std::move(meta));
  json::object container{{"name", "main"}};
  const json::object requests = form.Resources();
  if (!requests.empty()) container["resources"] = json::object{{"requests", requests}};
  json::object spec{{"schedulerName", "volcano"}};
  form.Copy(spec, kPodSpecFields);
  const std::string priority_class = form.Text("priorityClass", form.Text("priorityClassName"));
  if (!priority_class.empty()) spec["priorityClassName"] = priority_class;
  if (!node.empty()) spec["nodeName"] = node;
  spec["containers"] = json::array{std::move(container)};
  pod["spec"] = std::move(spec);
  pod["status"] = json::object{{"phase", phase}};
  return pod;
}

// The nodes of the running pods, one for each pod.
std::vector<std::string> RunningNodes(Form& form) {
  std::vector<std::string> out;
  const json::value* running = form.Find("running");
  if (running == nullptr) return out;
  const auto mapping = AsMapping(*running, form.Path("running"));
  if (!mapping) {
    form.Fail(mapping.error());
    return out;
  }
  for (const auto& [node, count] : **mapping) {
    const std::string where = form.Path("running") + "." + std::string(node);
    const Result<std::int64_t> n = AsInteger(count, where);
    if (!n || *n < 0 || *n > kMaxTasks) {
      form.Fail(n ? Error{ErrorCode::kInvalid, where + ": expected a count of pods"} : n.error());
      return out;
    }
    if (*n > kMaxTasks - std::ssize(out)) {
      form.Fail({ErrorCode::kInvalid,
                 fmt::format("{}: more than {} pods run", form.Path("running"), kMaxTasks)});
      return out;
    }
    out.insert(out.end(), static_cast<std::size_t>(*n), std::string(node));
  }
  return out;
}

json::object GroupOf(Form& form, std::int64_t min_member, bool runs) {
  json::object meta{{"name", form.Text("name")}, {"namespace", form.Text("namespace", "default")}};
  form.Copy(meta, std::array<std::string_view, 1>{"creationTimestamp"});
  json::object group = Object("scheduling.volcano.sh/v1beta1", "PodGroup", std::move(meta));
  json::object spec{{"minMember", min_member}, {"queue", form.Text("queue", "default")}};
  const std::string priority_class = form.Text("priorityClass", form.Text("priorityClassName"));
  if (!priority_class.empty()) spec["priorityClassName"] = priority_class;
  form.Copy(spec, std::array<std::string_view, 2>{"minResources", "minTaskMember"});
  group["spec"] = std::move(spec);
  group["status"] = json::object{{"phase", form.Text("phase", runs ? "Running" : "Pending")}};
  return group;
}

Result<Objects> ExpandJob(const json::value& value, const std::string& path) {
  static constexpr auto kKnown = WithPodSpecFields(std::array<std::string_view, 14>{
      "name", "namespace", "queue", "minMember", "tasks", "priorityClass", "priorityClassName",
      "running", "labels", "annotations", "phase", "minResources", "minTaskMember",
      "creationTimestamp"});
  Result<Form> form = Form::Open(value, path, kKnown, /*has_resources=*/true);
  if (!form) return std::unexpected(form.error());
  const std::int64_t min_member = form->Integer("minMember", 1);
  const std::int64_t tasks = form->Integer("tasks", std::max<std::int64_t>(min_member, 1));
  const std::vector<std::string> running = RunningNodes(*form);
  const auto runs = static_cast<std::int64_t>(running.size());
  if (tasks < 0 || tasks > kMaxTasks) {
    return Invalid(fmt::format("{}.tasks: expected 0 to {}, got {}", path, kMaxTasks, tasks));
  }
  if (runs > tasks) {
    return Invalid(fmt::format("{}.running: {} pods run, but the job has {}", path, runs, tasks));
  }
  Objects out{GroupOf(*form, min_member, runs > 0 && runs >= min_member)};
  const std::string name = form->Text("name");
  for (std::int64_t i = 0; i < tasks; ++i) {
    const std::string node = i < runs ? running[static_cast<std::size_t>(i)] : std::string();
    out.push_back(PodOf(*form, fmt::format("{}-{}", name, i), name, node,
                        node.empty() ? "Pending" : "Running"));
    if (i > 0) continue;
    const Result<void> fits = CheckCopies(tasks, out.back(), path + ".tasks");
    if (!fits) return std::unexpected(fits.error());
  }
  return form->Close(std::move(out));
}

Result<Objects> ExpandPod(const json::value& value, const std::string& path) {
  static constexpr auto kKnown = WithPodSpecFields(std::array<std::string_view, 10>{
      "name", "namespace", "job", "node", "phase", "labels", "annotations", "priorityClass",
      "priorityClassName", "creationTimestamp"});
  Result<Form> form = Form::Open(value, path, kKnown, /*has_resources=*/true);
  if (!form) return std::unexpected(form.error());
  json::object pod = PodOf(*form, form->Text("name"), form->Text("job"), form->Text("node"),
                           form->Text("phase", "Pending"));
  return form->Close({std::move(pod)});
}

}  // namespace

Result<void> CheckCopies(std::int64_t copies, const json::value& object, const std::string& path) {
  const std::size_t one = TextBytes(object);
  if (copies <= 0 || one <= kMaxCopiedBytes / static_cast<std::size_t>(copies)) return {};
  return Invalid(fmt::format("{}: {} objects of {} bytes each, at most {} MB may be", path, copies,
                             one, kMaxCopiedBytes >> 20U));
}

Result<std::vector<json::value>> ExpandShortForm(std::string_view field, const json::value& form,
                                                 const std::string& path) {
  if (field == "nodes") return ExpandNode(form, path);
  if (field == "queues") return ExpandQueue(form, path);
  if (field == "namespaces") return ExpandNamespace(form, path);
  if (field == "jobs") return ExpandJob(form, path);
  if (field == "pods") return ExpandPod(form, path);
  if (field == "quotas") return ExpandQuota(form, path);
  if (field == "priorityClasses") return ExpandPriorityClass(form, path);
  if (field == "nodeGroups") return ExpandNodeGroup(form, path);
  return Invalid(path + ": no short form \"" + std::string(field) + "\"");
}

}  // namespace batholith
