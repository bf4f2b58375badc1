#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "api/default_storage_class.h"
#include "api/label_match.h"
#include "codec/decode.h"
#include "codec/json_annotation.h"

// What can be said only when all objects are there: the parts of jobs, priorities of pods.
namespace batholith {
// The pods and groups of the input by the job that they say they belong to.
struct ManifestDecoder::JobIndex {
  std::map<std::string, std::string> pods;    // → name of their group, or empty
  std::map<std::string, std::string> groups;  // → name
  std::set<std::string> group_keys;
  std::map<std::string, std::vector<std::size_t>> unowned;  // by namespace, places of pods

  static std::string ByUid(const std::string& namespace_, const std::string& uid) {
    return namespace_ + "/uid/" + uid;
  }
  static std::string ByName(const std::string& namespace_, const std::string& name) {
    return namespace_ + "/name/" + name;
  }

  // Whether it finds a pod without an owner.
  bool Selects(const std::optional<LabelSelector>& selector, const std::string& namespace_,
               const ClusterObjects& objects) const {
    const auto pods_of = unowned.find(namespace_);
    return selector && pods_of != unowned.end() &&
           std::ranges::any_of(pods_of->second, [&](std::size_t i) {
             return MatchesSelector(selector, objects.pods[i].meta.labels);
           });
  }

  explicit JobIndex(const ClusterObjects& objects) {
    for (std::size_t i = 0; i < objects.pods.size(); ++i) {
      const PodRecord& pod = objects.pods[i];
      const std::string& namespace_ = pod.meta.namespace_;
      if (pod.meta.owner->uid.empty() && pod.meta.owner->name.empty())
        unowned[namespace_].push_back(i);
      if (!pod.meta.owner->uid.empty())
        pods.emplace(ByUid(namespace_, pod.meta.owner->uid), pod.group);
      if (pod.meta.owner->kind == "Job")
        pods.emplace(ByName(namespace_, pod.meta.owner->name), pod.group);
      for (const Labels* labels : {&*pod.meta.annotations, &*pod.meta.labels}) {
        const std::string* name = FindValue(*labels, "volcano.sh/job-name");
        if (name != nullptr) pods.emplace(ByName(namespace_, *name), pod.group);
      }
    }
    for (const PodGroupRecord& group : objects.pod_groups) {
      group_keys.insert(group.Identity());
      if (group.meta.owner->uid.empty()) continue;
      groups.emplace(ByUid(group.meta.namespace_, group.meta.owner->uid), group.meta.name);
    }
  }
};

JobContext ManifestDecoder::ContextOf(const JobManifest& job, const JobIndex& index) const {
  JobContext context;
  context.pods = made_;
  const std::string& namespace_ = job.meta.namespace_;
  std::string group;
  for (const std::string& key :
       {JobIndex::ByUid(namespace_, job.meta.uid), JobIndex::ByName(namespace_, job.meta.name)}) {
    const auto it = index.pods.find(key);
    if (it == index.pods.end()) continue;
    context.has_pods = true;
    if (group.empty()) group = it->second;
  }
  const auto owned = index.groups.find(JobIndex::ByUid(namespace_, job.meta.uid));
  if (owned != index.groups.end()) {
    context.group = owned->second;
    return context;
  }
  for (const std::string& name :
       {group, GroupNameOf(job.meta, true), GroupNameOf(job.meta, false)}) {
    if (!name.empty() && index.group_keys.contains(namespace_ + "/" + name)) {
      context.group = name;
      break;
    }
  }
  context.pods_group = group;
  return context;
}

void ManifestDecoder::ExpandJobs(const ClassValues& classes) {
  if (jobs_.empty()) return;
  const JobIndex index(loaded_.objects);
  JobExpander expander(options_, classes, constraints_, loaded_.limit_ranges, loaded_.warnings);
  for (const JobManifest& job : jobs_) {
    if (Stopped()) return;
    const Field object(&job.value, "");
    try {
      JobContext context = ContextOf(job, index);
      if (job.volcano) {
        Keep(expander.ExpandVolcano(object, job.meta, context), job);
        continue;
      }
      ScalableRecord workload = ReadScalable(object, "batch", "Job", constraints_);
      context.has_pods = context.has_pods ||
                         index.Selects(workload.selector, job.meta.namespace_, loaded_.objects);
      Keep(expander.ExpandBatch(object, job.meta, context), job);
      workload.meta = job.meta;
      if (workload.pod) workload.pod->meta.namespace_ = job.meta.namespace_;
      loaded_.objects.scalables.push_back(std::move(workload));
    } catch (const FieldError& e) {
      loaded_.refused.push_back(job.where + ": Job " + Printable(job.meta.Key()) + ": " + e.what());
    }
  }
}

// All of them or none: a part that stands in the input already refuses the job.
void ManifestDecoder::Keep(JobParts parts, const JobManifest& job) {
  const auto check = [&](const char* kind, const ObjectMeta& meta) {
    const auto it = seen_.find(std::string(kind) + " " + meta.Key());
    if (it == seen_.end()) return;
    throw FieldError("metadata.name", std::string("its ") + kind + " " + Printable(meta.Key()) +
                                          " is already defined in " + it->second);
  };
  for (const PodGroupRecord& group : parts.groups) check("PodGroup", group.meta);
  for (const PodRecord& pod : parts.pods) check("Pod", pod.meta);
  own_policy_.merge(parts.own_policy);
  const std::string where = job.where + " (of Job " + job.meta.Key() + ")";
  for (PodGroupRecord& group : parts.groups) {
    Claim("PodGroup", group.meta, where);
    loaded_.objects.pod_groups.push_back(std::move(group));
  }
  made_ = parts.made;
  KeepClaims(std::move(parts.claims), where);
  for (PodRecord& pod : parts.pods) {
    Claim("Pod", pod.meta, where);
    loaded_.objects.pods.push_back(std::move(pod));
  }
}

// As its controller would make it now; one that has made a job already has had its run.
void ManifestDecoder::RunCronJobs() {
  std::set<std::string> ran;
  for (const JobManifest& job : jobs_) {
    if (job.meta.owner->kind == "CronJob")
      ran.insert(job.meta.namespace_ + "/" + job.meta.owner->name);
  }
  constexpr TimeNs kMinute = 60'000'000'000;
  for (const JobManifest& cron : cron_jobs_) {
    const Field object(&cron.value, "");
    try {
      if (ran.contains(cron.meta.Key()) || object["spec"]["suspend"].Bool(false)) continue;
      const Field made = object["spec"]["jobTemplate"];
      boost::json::object job = made.Object();
      boost::json::object meta = made["metadata"].Object();
      meta["name"] = cron.meta.name + "-" + std::to_string(options_.now / kMinute);
      meta["namespace"] = cron.meta.namespace_;
      job["metadata"] = std::move(meta);
      job["kind"] = "Job";
      AddJob(std::move(job), cron.where + " (of CronJob " + cron.meta.Key() + ")", cron.volcano);
    } catch (const FieldError& e) {
      loaded_.refused.push_back(cron.where + ": CronJob " + Printable(cron.meta.Key()) + ": " +
                                e.what());
    }
  }
}

void ManifestDecoder::ExpandWorkloads() {
  if (workloads_.empty() || options_.updates) return;
  // The pods are put into the records behind the last look at those.
  const WorkloadController controller(
      loaded_.objects, workloads_, constraints_,
      [this](const std::string& key) { return seen_.contains("Pod " + key); });
  std::vector<PodRecord> made;
  for (const Workload& workload : workloads_) {
    const ScalableRecord& record = workload.record;
    if (record.kind == "Job" || Stopped()) continue;
    const std::string name = record.kind + " " + Printable(record.meta.Key());
    try {
      WorkloadPods pods = controller.Missing(workload, made_);
      own_policy_.merge(pods.own_policy);
      for (PodRecord& pod : pods.pods) {
        Claim("Pod", pod.meta, workload.where + " (of " + name + ")");
        made.push_back(std::move(pod));
      }
      KeepClaims(std::move(pods.claims), workload.where + " (of " + name + ")");
    } catch (const FieldError& e) {
      loaded_.refused.push_back(workload.where + ": " + name + ": " + e.what());
    }
  }
  std::ranges::move(made, std::back_inserter(loaded_.objects.pods));
}

// A claim that is there already is the one.
void ManifestDecoder::KeepClaims(std::vector<PersistentVolumeClaimRecord> claims,
                                 const std::string& where) {
  constexpr const char* kKind = "PersistentVolumeClaim";
  if (claims.empty()) return;
  if (options_.before != nullptr && !claims_before_) {
    claims_before_.emplace();
    for (const PersistentVolumeClaimRecord& claim : options_.before->objects.volume_claims)
      claims_before_->insert(claim.meta.Key());
  }
  for (PersistentVolumeClaimRecord& claim : claims) {
    const std::string key = claim.meta.Key();
    if ((claims_before_ && claims_before_->contains(key)) ||
        seen_.contains(std::string(kKind) + " " + key))
      continue;
    Complete(claim.meta, kKind, /*namespaced=*/true, where);
    loaded_.objects.volume_claims.push_back(std::move(claim));
  }
}

// To claims that name none and that an API server has not seen yet.
void ManifestDecoder::GiveStorageClass() {
  const StorageClassRecord* storage = DefaultStorageClass(loaded_.objects.storage_classes);
  if (storage == nullptr && options_.before != nullptr)
    storage = DefaultStorageClass(options_.before->objects.storage_classes);
  if (storage == nullptr) return;
  for (PersistentVolumeClaimRecord& claim : loaded_.objects.volume_claims) {
    if (claim.storage_class || !claim.volume.empty() || !claim.resource_version.empty()) continue;
    claim.storage_class = storage->meta.name;
  }
}

// What LimitRanges give to pods that an API server has not seen yet.
void ManifestDecoder::GiveDefaults() {
  for (const auto& [place, resources] : unstored_) {
    PodRecord& pod = loaded_.objects.pods[place];
    loaded_.limit_ranges.GiveTo(pod, pod.meta.namespace_, resources);
  }
  for (Workload& workload : workloads_) {
    if (!workload.record.pod) continue;
    loaded_.limit_ranges.GiveTo(*workload.record.pod, workload.record.meta.namespace_,
                                workload.resources);
  }
}

std::map<std::string_view, const PriorityClassRecord*> ManifestDecoder::KnownClasses() const {
  std::map<std::string_view, const PriorityClassRecord*> known;
  for (const PriorityClassRecord& c : loaded_.objects.priority_classes)
    known.emplace(c.meta.name, &c);
  if (options_.before == nullptr) return known;
  for (const PriorityClassRecord& c : options_.before->objects.priority_classes)
    known.emplace(c.meta.name, &c);
  return known;
}

ClassValues ManifestDecoder::Classes() const {
  ClassValues classes{{"system-cluster-critical", 2'000'000'000},
                      {"system-node-critical", 2'000'001'000}};
  for (const auto& [name, c] : KnownClasses()) classes[c->meta.name] = c->value;
  return classes;
}

void ManifestDecoder::ResolvePriorities(const ClassValues& classes) {
  std::set<std::string_view> never;
  const PriorityClassRecord* fallback = nullptr;  // the lowest of several, as the API server has it
  for (const auto& [name, c] : KnownClasses()) {
    if (c->preemption_never) never.insert(name);
    if (c->global_default && (fallback == nullptr || c->value < fallback->value)) fallback = c;
  }
  std::set<std::string> warned;
  const auto warn = [&](const std::string& object, const std::string& name) {
    if (name.empty() || classes.contains(name) || !warned.insert(name).second) return;
    loaded_.warnings.push_back(Printable(object) + ": spec.priorityClassName: no priority class " +
                               Printable(name) + ": counts as no class");
  };
  for (PodRecord& pod : loaded_.objects.pods) {
    const bool by_default = pod.priority_class.empty() && fallback != nullptr && !pod.priority;
    const std::string& name = by_default ? fallback->meta.name : pod.priority_class;
    if (!pod.priority) warn("Pod " + pod.meta.Key(), name);
    const auto value = classes.find(name);
    if (value == classes.end()) continue;
    if (!pod.priority) pod.priority = value->second;
    if (never.contains(name) && !own_policy_.contains(pod.meta.Key())) pod.preemption_never = true;
  }
  for (const PodGroupRecord& group : loaded_.objects.pod_groups)
    warn("PodGroup " + group.meta.Key(), group.priority_class);
}

// Once for each way to be unclear: a job's pods all have the labels of one template.
void ManifestDecoder::WarnOfQuotaLabels() {
  std::set<std::string> warned;
  for (const PodRecord& pod : loaded_.objects.pods) {
    const std::string difference =
        SpellingsDiffer(pod.meta.labels, kPodQuotaLabel, kOldPodQuotaLabel);
    if (difference.empty() || !warned.insert(difference).second) continue;
    loaded_.warnings.push_back("Pod " + Printable(pod.meta.Key()) + ": " + difference);
  }
}

}  // namespace batholith
