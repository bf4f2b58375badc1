#include "cmd/job_command.h"

#include <array>
#include <iostream>
#include <utility>

#include "api/resource_vector.h"
#include "client/http/reply.h"
#include "cmd/commands.h"
#include "cmd/group_fields.h"
#include "cmd/kube_listing.h"
#include "codec/json/field.h"

namespace batholith {
namespace {

namespace po = boost::program_options;
namespace json = boost::json;

std::int64_t Replicas(const json::value& job) {
  std::int64_t sum = 0;
  for (const Field& task : FieldIn(job, {"spec", "tasks"}).Items())
    sum = ResourceVector::AddSaturating(sum, task["replicas"].Int(1, INT64_MIN, INT64_MAX));
  return sum;
}

// The cells that follow namespace, name and creation.
void AddJobCells(const json::value& job, std::vector<std::string>& row) {
  row.push_back(CellAt(job, {"status", "state", "phase"}, "Pending"));
  row.push_back(CellAt(job, {"metadata", "labels", "volcano.sh/job-type"}, "Batch"));
  row.push_back(std::to_string(Replicas(job)));
  row.push_back(CellAt(job, {"spec", "minAvailable"}, "0"));
  for (const char* field : {"pending", "running", "succeeded", "failed", "unknown", "retryCount"})
    row.push_back(CellAt(job, {"status", field}, "0"));
}

void AddGroupCells(const json::value& group, std::vector<std::string>& row) {
  row.push_back(PhaseOfGroup(group));
  row.push_back(MinimumOfGroup(group));
  for (const char* field : {"running", "succeeded", "failed"})
    row.push_back(CountOfGroup(group, field));
}

std::string QueueOfJob(const json::value& object, bool is_group) {
  return is_group ? QueueOfGroup(object) : CellAt(object, {"spec", "queue"}, "default");
}

ListOf Jobs(const KubeRun& run, bool groups, const std::string& queue) {
  const bool all = run.flags.all_namespaces;
  const bool wide = run.wide();
  ListOf list{
      groups ? "pod groups" : "jobs",
      groups ? KindsNamed({"PodGroup"}) : Kinds{&kJobKind},
      {},
      {"NAME", "CREATION", "PHASE"},
      [=](const Objects& listed, const Objects&) {
        TextRows rows;
        for (const json::value& object : listed) {
          auto& row = rows.emplace_back();
          if (all) row.push_back(CellAt(object, {"metadata", "namespace"}));
          row.push_back(groups ? NameOfGroup(object) : CellAt(object, {"metadata", "name"}));
          row.push_back(CellAt(object, {"metadata", "creationTimestamp"}));
          groups ? AddGroupCells(object, row) : AddJobCells(object, row);
          if (!wide) continue;
          row.push_back(QueueOfJob(object, groups));
          row.push_back(CellAt(object, {"spec", "priorityClassName"}));
        }
        return rows;
      },
      {}};
  if (all) list.head.insert(list.head.begin(), "NAMESPACE");
  const std::vector<std::string> more =
      groups ? std::vector<std::string>{"MIN", "RUNNING", "SUCCEEDED", "FAILED"}
             : std::vector<std::string>{"JOBTYPE",   "REPLICAS", "MIN",     "PENDING",   "RUNNING",
                                        "SUCCEEDED", "FAILED",   "UNKNOWN", "RETRYCOUNT"};
  list.head.insert(list.head.end(), more.begin(), more.end());
  if (wide) list.head.insert(list.head.end(), {"QUEUE", "PRIORITYCLASS"});
  if (!queue.empty())
    list.keep = [=](const json::value& object) { return QueueOfJob(object, groups) == queue; };
  return list;
}

void DescribeList(po::options_description& flags) {
  auto add = flags.add_options();
  add("queue,q", po::value<std::string>()->default_value(""), "of this queue only");
  add("groups", po::value<bool>()->default_value(false)->implicit_value(true),
      "pod groups, whoever made them, instead of Volcano's jobs");
}

Result<void> List(KubeRun& run) {
  bool groups = run.values["groups"].as<bool>();
  if (!groups) {
    const Result<bool> served = run.api->IsServed(kJobKind);
    if (!served) return std::unexpected(served.error());
    if (!*served && run.client != nullptr)
      std::cerr << "note: this cluster does not serve Volcano's jobs; pod groups:\n";
    groups = !*served;
  }
  return PrintList(run, Jobs(run, groups, run.values["queue"].as<std::string>()));
}

// Commands and deletions of the names that were given; ends at the first that fails.
Result<void> Tell(KubeRun& run, const char* action, const char* said) {
  for (const std::string& given : run.flags.names) {
    const KubeRun::Name name = run.Split(given);
    const auto job = run.api->Find({&kJobKind}, name.namespace_, name.name);
    if (!job) return std::unexpected(job.error());
    const auto sent = SendCommand(run, *job, name.namespace_, action);
    if (!sent) return sent;
    std::cout << "job " << KeyOfObject(*job) << ": asked Volcano's job controller to " << said
              << " it; without that nothing happens\n";
  }
  return {};
}

Result<void> Suspend(KubeRun& run) { return Tell(run, "AbortJob", "suspend"); }
Result<void> Resume(KubeRun& run) { return Tell(run, "ResumeJob", "resume"); }

Result<void> Delete(KubeRun& run) {
  for (const std::string& given : run.flags.names) {
    const auto job = FindJob(run, given);
    if (!job) return std::unexpected(job.error());
    const auto done = run.api->Delete(job->object, *job->kind);
    if (!done) return std::unexpected(done.error());
    std::cout << (job->kind == &kJobKind ? "job " : "pod group ") << KeyOfObject(job->object)
              << " deleted\n";
  }
  return {};
}

constexpr std::array kVerbs{
    KubeVerb{"list", "", "jobs, or pod groups where there are no jobs",
             kNamespaced | kLists | kPrints | kOffline, List, DescribeList},
    KubeVerb{"view", "[NAMESPACE/]NAME", "a job with its tasks, pods and events",
             kNamespaced | kPrints | kOneName | kOffline, ViewJob},
    KubeVerb{"explain", "[NAMESPACE/]NAME", "why a job waits", kNamespaced | kOneName | kOffline,
             ExplainJob},
    KubeVerb{"suspend", "[NAMESPACE/]NAME...", "end a job's pods and keep the job",
             kNamespaced | kNames, Suspend},
    KubeVerb{"resume", "[NAMESPACE/]NAME...", "start a suspended job again", kNamespaced | kNames,
             Resume},
    KubeVerb{"delete", "[NAMESPACE/]NAME...", "delete jobs, or pod groups without one",
             kNamespaced | kNames, Delete}};

}  // namespace

std::vector<CommandPage> JobPages() { return PagesOf("job", kVerbs); }

int JobCommand(const std::vector<std::string>& arguments) {
  return RunKubeCommand("job", kVerbs, arguments);
}

}  // namespace batholith
