#include "sim/scenario/short_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <span>
#include <utility>

#include "api/did_you_mean.h"
#include "api/elastic_quota.h"
#include "api/value_text.h"
#include "codec/limits.h"
#include "sim/scenario/shape.h"

namespace batholith {
namespace {

namespace json = boost::json;
using Objects = std::vector<json::value>;

constexpr std::int64_t kMaxTasks = kMaxCopies;

bool IsResource(std::string_view name) {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" || name == "storage" ||
         name.starts_with("hugepages-") || name.find('/') != name.npos;
}

// One entry of a short form. What is wrong is thrown as a FieldError.
class Form {
 public:
  Form(const Field& form, std::span<const std::string_view> known, bool has_resources)
      : form_(form) {
    CheckObject(form);
    for (const auto& [name, value] : form.Entries()) {
      if (std::ranges::find(known, name) != known.end()) continue;
      if (has_resources && IsResource(name)) continue;
      form.Fail(fmt::format("unknown field \"{}\"{}", Shown(name), DidYouMean(name, known)));
    }
    if (Text("name").empty()) form.Fail("a name is needed");
  }

  Field operator[](std::string_view field) const { return form_[field]; }
  bool Has(std::string_view field) const { return form_.Object().contains(field); }
  std::string Text(std::string_view field, std::string otherwise = {}) const {
    if (Has(field) && !form_[field].present()) form_[field].Fail("must be a text, not nothing");
    return form_[field].Scalar(std::move(otherwise));
  }
  std::int64_t Integer(std::string_view field, std::int64_t otherwise) const {
    if (Has(field) && !form_[field].present())
      form_[field].Fail("must be a whole number, not nothing");
    return form_[field].Int(otherwise, INT64_MIN, INT64_MAX);
  }

  // Amounts, as text so that no digit is lost on the way.
  json::object Resources() const {
    json::object out;
    for (const auto& [name, value] : form_.Entries()) {
      if (IsResource(name)) out[name] = Text(name);
    }
    return out;
  }

  // Fields that go into the object as they are.
  void Copy(json::object& target, std::span<const std::string_view> fields) const {
    for (const std::string_view field : fields) {
      if (const json::value* value = form_[field].value()) target[field] = *value;
    }
  }

  json::object Meta(bool with_namespace) const {
    json::object meta{{"name", Text("name")}};
    if (with_namespace) meta["namespace"] = Text("namespace", "default");
    Copy(meta, std::array<std::string_view, 3>{"labels", "annotations", "creationTimestamp"});
    return meta;
  }

 private:
  const Field& form_;
};

json::object Object(std::string_view api_version, std::string_view kind, json::object meta) {
  json::object out;
  out["apiVersion"] = api_version;
  out["kind"] = kind;
  out["metadata"] = std::move(meta);
  return out;
}

Objects ExpandNode(const Field& value) {
  static constexpr std::array<std::string_view, 7> kKnown{
      "name", "pods", "labels", "annotations", "taints", "unschedulable", "creationTimestamp"};
  const Form form(value, kKnown, /*has_resources=*/true);
  json::object node = Object("v1", "Node", form.Meta(/*with_namespace=*/false));
  json::object labels = form["labels"].Object();
  labels.emplace("kubernetes.io/hostname", form.Text("name"));
  node["metadata"].as_object()["labels"] = std::move(labels);
  json::object spec;
  form.Copy(spec, std::array<std::string_view, 2>{"taints", "unschedulable"});
  if (!spec.empty()) node["spec"] = std::move(spec);
  json::object allocatable = form.Resources();
  allocatable["pods"] = form.Text("pods", "110");
  node["status"] = json::object{
      {"allocatable", allocatable},
      {"conditions", json::array{json::object{{"type", "Ready"}, {"status", "True"}}}}};
  return {std::move(node)};
}

// The form of a node, or a whole Node object.
json::value NodeTemplate(const Field& given) {
  if (!given.is_object() || given["status"].present())
    return given.present() ? *given.value() : json::value();
  json::object named = given.Object();
  named.emplace("name", "template");
  json::value node = std::move(ExpandNode(Field(named, given.path())).front());
  node.as_object()["metadata"].as_object()["labels"].as_object().erase("kubernetes.io/hostname");
  return node;
}

Objects ExpandNodeGroup(const Field& value) {
  static constexpr std::array<std::string_view, 10> kKnown{
      "name",   "min",      "max",    "size",        "delay",
      "paused", "template", "labels", "annotations", "creationTimestamp"};
  const Form form(value, kKnown, /*has_resources=*/false);
  json::object group = Object("batholith.dev/v1", "NodeGroup", form.Meta(/*with_namespace=*/false));
  json::object spec;
  form.Copy(spec, std::array<std::string_view, 4>{"min", "max", "size", "paused"});
  const auto delay = ParseGoDuration(form.Text("delay", "90s"));
  if (!delay || delay->count() < 0) form["delay"].Fail("must be a duration, such as 90s");
  spec["delaySeconds"] = delay->count() / 1'000'000'000;
  json::value node = NodeTemplate(form["template"]);
  if (!node.is_null()) spec["template"] = std::move(node);
  group["spec"] = std::move(spec);
  return {std::move(group)};
}

Objects ExpandQueue(const Field& value) {
  static constexpr std::array<std::string_view, 14> kKnown{
      "name",        "weight",           "capability",  "deserved", "guarantee",       "parent",
      "state",       "priority",         "reclaimable", "affinity", "dequeueStrategy", "labels",
      "annotations", "creationTimestamp"};
  const Form form(value, kKnown, /*has_resources=*/false);
  json::object queue =
      Object("scheduling.volcano.sh/v1beta1", "Queue", form.Meta(/*with_namespace=*/false));
  json::object spec{{"weight", form.Integer("weight", 1)}};
  form.Copy(spec, std::array<std::string_view, 7>{"capability", "deserved", "parent", "priority",
                                                  "reclaimable", "affinity", "dequeueStrategy"});
  if (form.Has("guarantee")) {
    const Field guarantee = form["guarantee"];
    const bool whole = guarantee.is_object() && guarantee["resource"].present();
    spec["guarantee"] = whole ? *guarantee.value() : json::value{{"resource", *guarantee.value()}};
  }
  queue["spec"] = std::move(spec);
  queue["status"] = json::object{{"state", form.Text("state", "Open")}};
  return {std::move(queue)};
}

Objects ExpandNamespace(const Field& value) {
  static constexpr std::array<std::string_view, 5> kKnown{"name", "weight", "labels", "annotations",
                                                          "creationTimestamp"};
  const Form form(value, kKnown, /*has_resources=*/false);
  Objects out{Object("v1", "Namespace", form.Meta(/*with_namespace=*/false))};
  if (form.Has("weight")) {
    json::object quota = Object("v1", "ResourceQuota",
                                {{"name", "namespace-weight"}, {"namespace", form.Text("name")}});
    quota["spec"] = json::object{{"hard", {{"volcano.sh/namespace.weight", form.Text("weight")}}}};
    out.push_back(std::move(quota));
  }
  return out;
}

Objects ExpandPriorityClass(const Field& value) {
  static constexpr std::array<std::string_view, 7> kKnown{
      "name",   "value",       "globalDefault",    "preemptionPolicy",
      "labels", "annotations", "creationTimestamp"};
  const Form form(value, kKnown, /*has_resources=*/false);
  json::object out =
      Object("scheduling.k8s.io/v1", "PriorityClass", form.Meta(/*with_namespace=*/false));
  out["value"] = form.Integer("value", 0);
  form.Copy(out, std::array<std::string_view, 2>{"globalDefault", "preemptionPolicy"});
  return {std::move(out)};
}

Objects ExpandQuota(const Field& value) {
  static constexpr std::array<std::string_view, 10> kKnown{
      "name", "namespace",  "kind",   "group",       "min",
      "max",  "namespaces", "labels", "annotations", "creationTimestamp"};
  const Form form(value, kKnown, /*has_resources=*/false);
  const std::string kind = form.Text("kind", "ElasticQuota");
  const std::string group =
      form.Text("group", std::string(kind == "ElasticQuota" ? kSchedulerPluginsGroup : kNosGroup));
  json::object out = Object(group + "/v1alpha1", kind, form.Meta(/*with_namespace=*/true));
  json::object spec;
  form.Copy(spec, std::array<std::string_view, 3>{"min", "max", "namespaces"});
  out["spec"] = std::move(spec);
  return {std::move(out)};
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

json::object PodOf(const Form& form, const std::string& name, const std::string& group,
                   const std::string& node, const std::string& phase) {
  json::object meta = form.Meta(/*with_namespace=*/true);
  meta["name"] = name;
  if (!group.empty()) {
    json::object annotations = form["annotations"].Object();
    annotations["scheduling.k8s.io/group-name"] = group;
    meta["annotations"] = std::move(annotations);
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
std::vector<std::string> RunningNodes(const Field& running) {
  std::vector<std::string> out;
  for (const auto& [node, count] : running.Entries()) {
    const std::int64_t n = count.Int(0, 0, kMaxTasks);
    if (n > kMaxTasks - std::ssize(out))
      running.Fail(fmt::format("more than {} pods run", kMaxTasks));
    out.insert(out.end(), static_cast<std::size_t>(n), node);
  }
  return out;
}

json::object GroupOf(const Form& form, std::int64_t min_member, bool runs) {
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

Objects ExpandJob(const Field& value) {
  static constexpr auto kKnown = WithPodSpecFields(std::array<std::string_view, 14>{
      "name", "namespace", "queue", "minMember", "tasks", "priorityClass", "priorityClassName",
      "running", "labels", "annotations", "phase", "minResources", "minTaskMember",
      "creationTimestamp"});
  const Form form(value, kKnown, /*has_resources=*/true);
  const std::int64_t min_member = form.Integer("minMember", 1);
  const std::int64_t tasks = form["tasks"].Int(std::max<std::int64_t>(min_member, 1), 0, kMaxTasks);
  const std::vector<std::string> running = RunningNodes(form["running"]);
  const auto runs = static_cast<std::int64_t>(running.size());
  if (runs > tasks)
    form["running"].Fail(fmt::format("{} pods run, but the job has {}", runs, tasks));
  Objects out{GroupOf(form, min_member, runs > 0 && runs >= min_member)};
  const std::string name = form.Text("name");
  for (std::int64_t i = 0; i < tasks; ++i) {
    const std::string node = i < runs ? running[static_cast<std::size_t>(i)] : std::string();
    out.push_back(PodOf(form, fmt::format("{}-{}", name, i), name, node,
                        node.empty() ? "Pending" : "Running"));
    if (i == 0) CheckCopies(tasks, out.back(), form["tasks"]);
  }
  return out;
}

Objects ExpandPod(const Field& value) {
  static constexpr auto kKnown = WithPodSpecFields(std::array<std::string_view, 10>{
      "name", "namespace", "job", "node", "phase", "labels", "annotations", "priorityClass",
      "priorityClassName", "creationTimestamp"});
  const Form form(value, kKnown, /*has_resources=*/true);
  json::object pod = PodOf(form, form.Text("name"), form.Text("job"), form.Text("node"),
                           form.Text("phase", "Pending"));
  return {std::move(pod)};
}

}  // namespace

void CheckCopies(std::int64_t copies, const json::value& object, const Field& count) {
  const std::size_t one = TextBytes(object);
  if (copies <= 0 || one <= kMaxCopiedBytes / static_cast<std::size_t>(copies)) return;
  count.Fail(fmt::format("{} objects of {} bytes each, at most {} MB may be", copies, one,
                         kMaxCopiedBytes >> 20U));
}

std::vector<json::value> ExpandShortForm(std::string_view field, const Field& form) {
  if (field == "nodes") return ExpandNode(form);
  if (field == "queues") return ExpandQueue(form);
  if (field == "namespaces") return ExpandNamespace(form);
  if (field == "jobs") return ExpandJob(form);
  if (field == "pods") return ExpandPod(form);
  if (field == "quotas") return ExpandQuota(form);
  if (field == "priorityClasses") return ExpandPriorityClass(form);
  if (field == "nodeGroups") return ExpandNodeGroup(form);
  form.Fail("no short form \"" + std::string(field) + "\"");
}

}  // namespace batholith
