#include "verify/expect.h"

#include <algorithm>

#include "verify/expect_slack.h"
#include "verify/expect_values.h"
#include "verify/fields.h"

namespace batholith {
namespace {

namespace json = boost::json;

bool IsSet(std::string_view name) {
  return name == "bound" || name == "evicted" || name == "pipelined" || name == "pending";
}

template <typename List, typename Key>
auto* FindBy(const List& list, std::string_view name, Key key) {
  const auto it = std::ranges::find_if(list, [&](const auto& e) { return key(e) == name; });
  return it == list.end() ? nullptr : &*it;
}

// The count of tasks in one of these states.
std::int64_t CountOf(const JobStatus& job, std::initializer_list<const char*> states) {
  std::int64_t n = 0;
  for (const char* s : states) {
    if (const auto it = job.tasks.find(s); it != job.tasks.end()) n += it->second;
  }
  return n;
}

void CheckJobs(const json::object& expected, const RunOutcome& run, std::vector<Failure>& out) {
  for (const auto& entry : expected) {
    const std::string name(entry.key());
    const JobStatus* job =
        FindBy(run.last.jobs, name, [](const JobStatus& j) { return std::string_view(j.key); });
    if (job == nullptr) {
      out.push_back({"job " + name, "no such job"});
      continue;
    }
    for (const auto& field : entry.value().as_object()) {
      const std::string what = "jobs." + name + "." + std::string(field.key());
      if (field.key() == "phase") {
        CompareText(field.value(), JobPhaseName(job->phase), what, out);
      } else if (field.key() == "conditions") {
        CompareConditions(field.value(), job->conditions, what, out);
      } else {
        const std::int64_t n = field.key() == "ready"
                                   ? CountOf(*job, {"Bound", "Running", "Succeeded", "Binding"})
                                   : CountOf(*job, {"Pending"});
        if (!CountHolds(field.value(), n)) {
          out.push_back({what + " = " + CountText(field.value()), std::to_string(n)});
        }
      }
    }
  }
}

void CheckQueues(const json::object& expected, const RunOutcome& run, std::vector<Failure>& out) {
  for (const auto& entry : expected) {
    const std::string name(entry.key());
    const QueueStatus* q = FindBy(run.last.queues, name,
                                  [](const QueueStatus& s) { return std::string_view(s.name); });
    if (q == nullptr) {
      out.push_back({"queue " + name, "no such queue"});
      continue;
    }
    for (const auto& field : entry.value().as_object()) {
      const std::string what = "queues." + name + "." + std::string(field.key());
      if (field.key() == "share") CompareNumber(field.value(), q->share, what, out);
      if (field.key() == "state") CompareText(field.value(), QueueStateName(q->state), what, out);
      if (field.key() == "deserved") CompareResources(field.value(), q->deserved, what, out);
      if (field.key() == "allocated") CompareResources(field.value(), q->allocated, what, out);
      if (field.key() == "request") CompareResources(field.value(), q->request, what, out);
    }
  }
}

// namespace/name, or group/namespace/name where two groups have one of this name.
void CheckQuotas(const json::object& expected, const RunOutcome& run, std::vector<Failure>& out) {
  for (const auto& entry : expected) {
    const std::string name(entry.key());
    std::vector<const QuotaStatus*> found;
    for (const QuotaStatus& q : run.last.quotas) {
      if (q.name == name || q.group + "/" + q.name == name) found.push_back(&q);
    }
    if (found.size() != 1) {
      out.push_back({"quota " + name, found.empty() ? "no such quota"
                                                    : "several groups have it; write "
                                                      "group/namespace/name"});
      continue;
    }
    const QuotaStatus& q = *found.front();
    const std::pair<std::string_view, const ResourceList*> lists[] = {
        {"used", &q.used},
        {"runtime", &q.runtime},
        {"request", &q.request},
        {"min", &q.min},
        {"max", &q.max},
        {"guaranteedOverquotas", &q.guaranteed_overquotas},
        {"scaledMin", &q.scaled_min},
        {"guaranteed", &q.guaranteed},
        {"allocated", &q.allocated}};
    for (const auto& [field, list] : lists) {
      const json::value* value = entry.value().as_object().if_contains(field);
      if (value == nullptr) continue;
      CompareResources(*value, *list, "quotas." + name + "." + std::string(field), out);
    }
  }
}

void CheckNamespaces(const json::object& expected, const RunOutcome& run,
                     std::vector<Failure>& out) {
  for (const auto& entry : expected) {
    const std::string name(entry.key());
    const auto it = std::ranges::find_if(run.last.namespaces, [&](const NamespaceStatus& n) {
      return n.queue + "/" + n.name == name;
    });
    if (it == run.last.namespaces.end()) {
      out.push_back({"namespace " + name, "no such queue and namespace"});
      continue;
    }
    for (const auto& field : entry.value().as_object()) {
      const std::string what = "namespaces." + name + "." + std::string(field.key());
      if (field.key() == "weight") {
        CompareNumber(field.value(), static_cast<double>(it->weight), what, out);
      }
      if (field.key() == "share") CompareNumber(field.value(), it->share, what, out);
      if (field.key() == "allocated") CompareResources(field.value(), it->allocated, what, out);
    }
  }
}

void CheckPods(const json::object& expected, const RunOutcome& run, std::vector<Failure>& out) {
  for (const auto& entry : expected) {
    const std::string name(entry.key());
    const auto it = std::ranges::find_if(run.objects->pods,
                                         [&](const PodRecord& p) { return p.meta.Key() == name; });
    if (it == run.objects->pods.end()) {
      out.push_back({"pod " + name, "no such pod"});
      continue;
    }
    for (const auto& field : entry.value().as_object()) {
      const std::string what = "pods." + name + "." + std::string(field.key());
      if (field.key() == "phase") CompareText(field.value(), PodPhaseName(it->phase), what, out);
      if (field.key() == "node") CompareText(field.value(), it->node_name, what, out);
      if (field.key() == "labels") {
        for (const auto& label : field.value().as_object()) {
          const auto has = it->meta.labels.find(std::string(label.key()));
          const bool absent = has == it->meta.labels.end();
          const bool holds =
              label.value().is_null() ? absent : !absent && OneOf(label.value(), has->second);
          if (!holds) {
            out.push_back(
                {what + "." + std::string(label.key()) + " = " + ScalarText(label.value()),
                 absent ? "absent" : has->second});
          }
        }
      }
      if (field.key() == "conditions") {
        const PodStatus* status =
            FindBy(run.last.pods, name, [](const PodStatus& p) { return std::string_view(p.key); });
        std::vector<JobCondition> got;
        if (status != nullptr) {
          got.push_back({"PodScheduled", "False", status->reason, status->message});
        } else {
          got.push_back({"PodScheduled", "True", "", ""});
        }
        CompareConditions(field.value(), got, what, out);
      }
    }
  }
}

void CheckTraces(const json::object& expect, const RunOutcome& run, std::vector<Failure>& out) {
  if (const json::value* scores = expect.if_contains("scores")) {
    for (const auto& pod : scores->as_object()) {
      const auto trace = run.traces.find(std::string(pod.key()));
      for (const auto& node : pod.value().as_object()) {
        const std::string what = "scores." + std::string(pod.key()) + "." + std::string(node.key());
        if (trace == run.traces.end() || !trace->second.scores.contains(std::string(node.key()))) {
          out.push_back({what + " = " + ScalarText(node.value()), "not scored"});
          continue;
        }
        CompareNumber(node.value(), trace->second.scores.at(std::string(node.key())), what, out);
      }
    }
  }
  if (const json::value* feasible = expect.if_contains("feasible")) {
    for (const auto& pod : feasible->as_object()) {
      const auto trace = run.traces.find(std::string(pod.key()));
      std::vector<std::string> got;
      if (trace != run.traces.end()) got = trace->second.feasible;
      std::vector<std::string> wanted;
      for (const json::value& n : pod.value().as_array()) wanted.push_back(ScalarText(n));
      std::ranges::sort(got);
      std::ranges::sort(wanted);
      if (got != wanted) {
        out.push_back({"feasible." + std::string(pod.key()) + " = " + Joined(wanted), Joined(got)});
      }
    }
  }
}

void CheckAnyOf(const json::array& blocks, const RunOutcome& run, std::vector<Failure>& out) {
  std::string got;
  for (const json::value& block : blocks) {
    const std::vector<Failure> failures = CheckExpect(block.as_object(), run);
    if (failures.empty()) return;
    got += (got.empty() ? "" : "; or ") + failures[0].expected + ": " + failures[0].got;
  }
  out.push_back({"anyOf: one of " + std::to_string(blocks.size()) + " blocks holds", got});
}

void CheckField(std::string_view name, const json::value& value, const RunOutcome& run,
                std::vector<Failure>& out) {
  if (IsSet(name)) return CheckSet(name, value.as_object(), run, out);
  if (name == "jobs") return CheckJobs(value.as_object(), run, out);
  if (name == "queues") return CheckQueues(value.as_object(), run, out);
  if (name == "namespaces") return CheckNamespaces(value.as_object(), run, out);
  if (name == "pods") return CheckPods(value.as_object(), run, out);
  if (name == "anyOf") return CheckAnyOf(value.as_array(), run, out);
  if (name == "noEvictionsAfter") {
    for (const CycleEvict& e : run.evictions) {
      if (e.cycle > AsInteger(value, "noEvictionsAfter").value_or(0)) {
        out.push_back({"noEvictionsAfter " + ScalarText(value),
                       e.evict.pod + " in cycle " + std::to_string(e.cycle)});
      }
    }
    return;
  }
  if (name == "quotas") return CheckQuotas(value.as_object(), run, out);
  if (name == "placeholders") return CheckPlaceholders(value.as_object(), run, out);
  if (name == "nodeGroups") return CheckNodeGroups(value.as_object(), run, out);
}

}  // namespace

std::vector<Failure> CheckExpect(const json::object& expect, const RunOutcome& outcome) {
  std::vector<Failure> out;
  for (const auto& field : expect) {
    CheckField({field.key().data(), field.key().size()}, field.value(), outcome, out);
  }
  CheckTraces(expect, outcome, out);
  return out;
}

bool NeedsTrace(const json::object& expect) {
  if (expect.contains("scores") || expect.contains("feasible")) return true;
  const json::value* any = expect.if_contains("anyOf");
  if (any == nullptr || !any->is_array()) return false;
  return std::ranges::any_of(any->get_array(), [](const json::value& block) {
    return block.is_object() && NeedsTrace(block.get_object());
  });
}

}  // namespace batholith
