#pragma once

#include <boost/json/value.hpp>
#include <map>
#include <string>

#include "codec/load.h"
#include "codec/pod.h"

namespace batholith {

// Collects manifests and makes of them what an API server and Volcano's controllers would store:
// defaults, groups for bare pods, pods for jobs. A bad object is refused by itself with its place,
// kind, name, field and reason.
class ManifestDecoder {
 public:
  explicit ManifestDecoder(LoadOptions options) : options_(std::move(options)) {}

  // One object, or a List of them. `where` names the file and document.
  void Add(const boost::json::value& document, const std::string& where);
  // REQUIRES: called once.
  Loaded Finish();

 private:
  struct JobManifest {  // batch.volcano.sh or batch/v1
    const boost::json::value* value;
    std::string where;
    bool volcano = true;
    ObjectMeta meta;
  };
  void AddOne(const boost::json::value& value, const std::string& where);
  void AddKnown(const Field& object, const std::string& group, const std::string& kind,
                const std::string& where);
  void Complete(ObjectMeta& meta, const std::string& kind, bool namespaced,
                const std::string& where);
  void ExpandJobs();
  void ExpandVolcanoJob(const Field& object, const ObjectMeta& meta);
  void ExpandBatchJob(const Field& object, const ObjectMeta& meta);
  void AddTaskPods(const Field& template_, const ObjectMeta& job, const std::string& group,
                   const std::string& role, std::int64_t replicas, const std::string& queue);
  void ResolvePods();
  void MakeGroups();

  LoadOptions options_;
  Loaded loaded_;
  ConstraintTable constraints_;
  std::map<std::string, std::string> seen_;  // "Kind ns/name" → where
  std::vector<JobManifest> jobs_;
  std::vector<boost::json::value> kept_;  // documents of jobs
  std::int64_t place_ = 0;
};

}  // namespace batholith
