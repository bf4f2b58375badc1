#include <fmt/format.h>

#include <iostream>

#include "api/printable.h"
#include "client/http/escape.h"
#include "client/http/reply.h"
#include "cmd/group_fields.h"
#include "cmd/job_command.h"
#include "cmd/kube_listing.h"
#include "codec/json/field.h"

namespace batholith {
namespace {

namespace json = boost::json;

void Section(const char* title, const TextRows& rows) {
  std::cout << "\n" << title << ":\n";
  if (rows.size() < 2) std::cout << "  none\n";
  TableShape shape{"  ", 3, {}};
  if (rows.size() > 1) std::cout << TextTable(rows, shape);
}

TextRows Tasks(const json::value& job) {
  TextRows rows{{"NAME", "REPLICAS", "MIN", "PENDING", "RUNNING", "SUCCEEDED", "FAILED"}};
  for (const json::value& task : FieldIn(job, {"spec", "tasks"}).List()) {
    const std::string name = CellAt(task, {"name"});
    const std::string replicas = CellAt(task, {"replicas"}, "1");
    rows.push_back({name, replicas, CellAt(task, {"minAvailable"}, replicas)});
    for (const char* phase : {"Pending", "Running", "Succeeded", "Failed"})
      rows.back().push_back(
          CellAt(job, {"status", "taskStatusCount", name.c_str(), "phase", phase}, "0"));
  }
  return rows;
}

TextRows Conditions(const json::value& group) {
  TextRows rows{{"TYPE", "STATUS", "SINCE", "REASON", "MESSAGE"}};
  for (const json::value& c : FieldIn(group, {"status", "conditions"}).List())
    rows.push_back({CellAt(c, {"type"}), CellAt(c, {"status"}), CellAt(c, {"lastTransitionTime"}),
                    CellAt(c, {"reason"}), CellAt(c, {"message"})});
  return rows;
}

TextRows Pods(const std::vector<const SeenPod*>& pods) {
  TextRows rows{{"NAME", "PHASE", "NODE", "REQUESTS"}};
  for (const SeenPod* pod : pods) {
    std::string requests;
    for (const json::value& c : FieldIn(pod->object, {"spec", "containers"}).List())
      requests += (requests.empty() ? "" : " + ") + AmountsAt(c, {"resources", "requests"});
    rows.push_back({pod->record.meta.name, CellAt(pod->object, {"status", "phase"}),
                    CellAt(pod->object, {"spec", "nodeName"}), requests});
  }
  return rows;
}

TextRows Events(KubeRun& run, const SeenJob& job) {
  TextRows rows{{"LAST SEEN", "TYPE", "REASON", "COUNT", "MESSAGE"}};
  for (const json::value* about : {&job.object, &job.group}) {
    const std::string uid = TextIn(*about, {"metadata", "uid"});
    if (uid.empty() || (about == &job.group && job.kind != &kJobKind)) continue;
    const auto events = run.api->List({&kEventKind}, TextIn(job.object, {"metadata", "namespace"}),
                                      "fieldSelector=" + Escape("involvedObject.uid=" + uid));
    if (!events) {
      std::cerr << "warning: " << events.error().message << "\n";
      continue;
    }
    for (const json::value& e : *events)
      rows.push_back({CellAt(e, {"lastTimestamp"}, CellAt(e, {"eventTime"})), CellAt(e, {"type"}),
                      CellAt(e, {"reason"}), CellAt(e, {"count"}, "1"), CellAt(e, {"message"})});
  }
  return rows;
}

}  // namespace

void PrintField(const char* name, const std::string& text) {
  std::cout << fmt::format("{:<13}{}\n", std::string(name) + ":", OneLine(text));
}

std::string PhaseOf(const SeenJob& job) {
  if (job.kind == &kJobKind) return CellAt(job.object, {"status", "state", "phase"}, "Pending");
  return PhaseOfGroup(job.object);
}

std::string QueueNameOf(const SeenJob& job) {
  return QueueOfGroup(job.group.is_null() ? job.object : job.group);
}

std::vector<const SeenPod*> PodsOf(const SeenJob& job, const std::vector<SeenPod>& all) {
  const std::string group = job.group.is_null() ? "" : NameOfGroup(job.group);
  const std::string name = TextIn(job.object, {"metadata", "name"});
  std::vector<const SeenPod*> out;
  for (const SeenPod& pod : all) {
    const bool named =
        job.kind == &kJobKind &&
        (TextIn(pod.object, {"metadata", "labels", "volcano.sh/job-name"}) == name ||
         TextIn(pod.object, {"metadata", "annotations", "volcano.sh/job-name"}) == name);
    if (named || (!group.empty() && pod.record.group == group)) out.push_back(&pod);
  }
  return out;
}

Result<void> ViewJob(KubeRun& run) {
  const auto job = FindJob(run, run.flags.names.front());
  if (!job) return std::unexpected(job.error());
  if (run.flags.output != "table" && run.flags.output != "wide") {
    std::cout << ObjectText(job->object, run.flags.output);
    return {};
  }
  const json::value& object = job->object;
  const auto all = PodsIn(*run.api, TextIn(object, {"metadata", "namespace"}));
  if (!all) return std::unexpected(all.error());
  PrintField("Name", TextIn(object, {"metadata", "name"}));
  PrintField("Namespace", TextIn(object, {"metadata", "namespace"}));
  PrintField("Kind", std::string(job->kind->kind) + " (" + job->kind->api_version + ")");
  PrintField("Created", CellAt(object, {"metadata", "creationTimestamp"}));
  PrintField("Labels", AmountsAt(object, {"metadata", "labels"}));
  PrintField("Queue", QueueNameOf(*job));
  PrintField("Priority", CellAt(object, {"spec", "priorityClassName"}));
  PrintField("Phase", PhaseOf(*job));
  if (job->kind == &kJobKind) PrintField("Retries", CellAt(object, {"status", "retryCount"}, "0"));
  if (job->kind == &kJobKind) PrintField("Message", CellAt(object, {"status", "state", "message"}));
  PrintField("Pod group", job->group.is_null() ? "-"
                                               : CellAt(job->group, {"metadata", "name"}) + " (" +
                                                     PhaseOfGroup(job->group) + ", min " +
                                                     MinimumOfGroup(job->group) + ")");
  if (job->kind == &kJobKind) Section("Tasks", Tasks(object));
  Section("Conditions", Conditions(job->group));
  Section("Pods", Pods(PodsOf(*job, *all)));
  Section("Events", Events(run, *job));
  return {};
}

}  // namespace batholith
