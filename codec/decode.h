#pragma once

#include <boost/json/value.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codec/job.h"
#include "codec/kube_kinds.h"
#include "codec/load.h"
#include "codec/pod.h"
#include "codec/workloads.h"

namespace batholith {

// Collects manifests and makes of them what an API server and the controllers of Kubernetes and
// Volcano would store: defaults, pods of workloads, groups for bare pods, groups and pods for jobs.
// A bad object is refused by itself, whole and with its place, kind, name, field and reason. What
// is not known is told: a field that a kind does not have, a kind that nobody reads.
class ManifestDecoder {
 public:
  explicit ManifestDecoder(LoadOptions options) : options_(std::move(options)) {
    made_.most = options_.max_made_pods;
    if (options_.before == nullptr) return;
    loaded_.places = options_.before->places;
    loaded_.limit_ranges = options_.before->limit_ranges;
  }

  // One object, or a List of them. `where` names the file and document. What is moved here is let
  // go of item by item. Behind kMaxRefused refused objects nothing is looked at any more.
  void Add(boost::json::value document, const std::string& where);
  // REQUIRES: called once, last.
  Loaded Finish();

 private:
  struct ListItem;  // what the items of a typed list need not say
  struct JobManifest {
    boost::json::value value;
    std::string where;
    bool volcano = true;  // batch.volcano.sh, else batch
    ObjectMeta meta;
  };
  struct JobIndex;

  void AddValue(boost::json::value& value, const std::string& where, const ListItem& outer);
  void AddOne(const boost::json::value& value, const std::string& where, const ListItem& outer);
  bool Stopped() const { return loaded_.refused.size() >= kMaxRefused; }
  void AddKnown(const Field& object, const std::string& group, const std::string& kind,
                const std::string& where, const std::string& name);
  // Of kinds that become no record of their own. Whether it is one.
  bool AddSource(const Field& object, const std::string& group, const std::string& kind,
                 const std::string& where);
  void AddJob(const boost::json::value& value, const std::string& where, bool volcano);
  void AddCronJob(const Field& object, const std::string& where, bool volcano);
  void AddWorkload(ScalableRecord record, const Field& object, const std::string& where);
  void LeaveOut(const std::string& group, const std::string& kind, const std::string& name);
  void Doubt(std::string line);  // warns, or refuses where the input is read strictly
  template <typename Record>
  void Keep(Record record, const Field& object, const KubeKind& kind, const std::string& where);
  void Complete(ObjectMeta& meta, const std::string& kind, bool namespaced,
                const std::string& where);
  void CountMadeNodes(const NodeGroupRecord& group, const Field& spec);
  void Claim(const std::string& kind, const ObjectMeta& meta, const std::string& where);
  void ExpandJobs(const ClassValues& classes);
  JobContext ContextOf(const JobManifest& job, const JobIndex& index) const;
  void Keep(JobParts parts, const JobManifest& job);
  std::map<std::string_view, const PriorityClassRecord*> KnownClasses() const;
  void RunCronJobs();
  void ExpandWorkloads();
  void GiveDefaults();
  void KeepClaims(std::vector<PersistentVolumeClaimRecord> claims, const std::string& where);
  void GiveStorageClass();
  ClassValues Classes() const;
  void ResolvePriorities(const ClassValues& classes);
  void WarnOfQuotaLabels();

  LoadOptions options_;
  Loaded loaded_;
  ConstraintTable constraints_;
  std::map<std::string, std::string> seen_;             // "Kind ns/name" → where
  std::optional<std::set<std::string>> claims_before_;  // keys, once somebody makes claims
  std::vector<JobManifest> jobs_;
  std::vector<JobManifest> cron_jobs_;
  std::set<std::string> own_policy_;  // keys of pods that write a preemptionPolicy
  std::vector<Workload> workloads_;
  // Of pods that were never stored: place among the records, and what they say of resources.
  std::vector<std::pair<std::size_t, boost::json::value>> unstored_;
  std::map<std::string, Labels, std::less<>> owners_;  // annotations by namespace and uid
  PodBudget made_;
  std::int64_t made_nodes_ = 0;
};

}  // namespace batholith
