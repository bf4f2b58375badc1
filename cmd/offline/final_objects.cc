#include "cmd/offline/final_objects.h"

#include <boost/json.hpp>
#include <map>
#include <string>
#include <utility>

#include "api/allocated_hyper_node.h"
#include "api/effect.h"
#include "codec/encode.h"
#include "codec/encode_parts.h"
#include "codec/json/text.h"

namespace batholith {
namespace {

namespace json = boost::json;

json::object& StatusOf(json::object& object) {
  json::value& status = object["status"];
  return status.is_object() ? status.get_object() : status.emplace_object();
}

template <typename Record>
std::map<std::string, const Record*> ByName(const std::vector<Record>& records,
                                            std::string Record::* name) {
  std::map<std::string, const Record*> out;
  for (const Record& record : records) out[record.*name] = &record;
  return out;
}

void AddPods(const RunOutcome& run, Objects& out) {
  const auto waiting = ByName(run.last.pods, &PodStatus::key);
  for (const PodRecord& pod : run.objects->pods) {
    json::object object = Encode(pod);
    const auto why = waiting.find(pod.meta.Key());
    if (why != waiting.end() && pod.node_name.empty())
      StatusOf(object)["conditions"] = json::array{{{"type", "PodScheduled"},
                                                    {"status", "False"},
                                                    {"reason", why->second->reason},
                                                    {"message", why->second->message}}};
    out.emplace_back(std::move(object));
  }
}

void AddGroups(const RunOutcome& run, Objects& out) {
  const auto jobs = ByName(run.last.jobs, &JobStatus::key);
  for (const PodGroupRecord& group : run.objects->pod_groups) {
    const auto job = jobs.find(group.Identity());
    PodGroupRecord told = group;
    if (job != jobs.end()) ChangeHyperNode(job->second->hyper_node, told);
    json::object object = Encode(told);
    if (job != jobs.end()) {
      json::object& status = StatusOf(object);
      status["phase"] = JobPhaseName(job->second->phase);
      json::array conditions;
      for (const JobCondition& c : job->second->conditions)
        conditions.push_back(
            {{"type", c.type}, {"status", c.status}, {"reason", c.reason}, {"message", c.message}});
      status["conditions"] = std::move(conditions);
      for (const auto& [task, field] :
           {std::pair("Running", "running"), std::pair("Succeeded", "succeeded"),
            std::pair("Failed", "failed")}) {
        const auto n = job->second->tasks.find(task);
        status[field] = n == job->second->tasks.end() ? 0 : n->second;
      }
    }
    out.emplace_back(std::move(object));
  }
}

void AddQueues(const RunOutcome& run, Objects& out) {
  const auto queues = ByName(run.last.queues, &QueueStatus::name);
  for (const QueueRecord& queue : run.objects->queues) {
    json::object object = Encode(queue);
    const auto seen = queues.find(queue.meta.name);
    if (seen != queues.end()) {
      StatusOf(object)["state"] = QueueStateName(seen->second->state);
      StatusOf(object)["allocated"] = Quantities(seen->second->allocated);
    }
    out.emplace_back(std::move(object));
  }
}

void AddQuotas(const RunOutcome& run, Objects& out) {
  std::map<std::string, const QuotaStatus*> quotas;
  for (const QuotaStatus& q : run.last.quotas) quotas[q.kind + "." + q.group + "/" + q.name] = &q;
  for (const ElasticQuotaRecord& quota : run.objects->elastic_quotas) {
    json::object object = Encode(quota);
    const std::string version(object["apiVersion"].as_string());
    const auto seen = quotas.find(quota.kind + "." + version.substr(0, version.find('/')) + "/" +
                                  quota.meta.Key());
    if (seen != quotas.end()) {
      StatusOf(object)["used"] = Quantities(seen->second->used);
      if (!seen->second->runtime.empty()) {
        json::value& notes = object["metadata"].as_object()["annotations"];
        if (!notes.is_object()) notes.emplace_object();
        notes.get_object()[std::string(kQuotaKeyPrefix) + "runtime"] =
            JsonText(Quantities(seen->second->runtime));
      }
    }
    out.emplace_back(std::move(object));
  }
}

}  // namespace

Objects FinalObjects(const RunOutcome& run) {
  Objects out;
  AddQueues(run, out);
  AddGroups(run, out);
  AddPods(run, out);
  AddQuotas(run, out);
  for (const NamespaceRecord& namespace_ : run.objects->namespaces)
    out.emplace_back(Encode(namespace_));
  for (const NodeRecord& node : run.objects->nodes) out.emplace_back(Encode(node));
  return out;
}

}  // namespace batholith
