#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <set>

#include "api/quantity.h"
#include "api/resource_vector.h"
#include "client/http/reply.h"
#include "cmd/job_command.h"
#include "cmd/kube_pods.h"
#include "cmd/quota_command.h"
#include "cmd/quota_pool.h"
#include "codec/json/field.h"
#include "codec/object_reader.h"
#include "quota/world.h"

namespace batholith {
namespace {

namespace json = boost::json;

// All quotas and pods of a cluster, and the quotas that are explained: names are unique within a
// dialect only.
struct Seen {
  ClusterObjects objects;
  std::vector<SeenPod> pods;
  std::map<std::string, json::value> wanted;  // by identity
};

Result<Seen> See(KubeRun& run) {
  const KubeRun::Name name = run.Split(run.flags.names.front());
  const auto quotas = run.api->List(KindsNamed({"ElasticQuota", "CompositeElasticQuota"}), "", "");
  if (!quotas) return std::unexpected(quotas.error());
  const std::string key = name.namespace_ + "/" + name.name;
  Seen seen;
  ObjectReader reader({}, "default");
  for (const json::value& quota : *quotas) {
    auto read = reader.ReadObject(quota);
    if (!read) {
      std::cerr << "warning: " << read.error().message << "\n";
      continue;
    }
    for (const std::string& warning : read->warnings) std::cerr << "warning: " << warning << "\n";
    auto& record = std::get<ElasticQuotaRecord>(read->records.front());
    if (record.meta.Key() == key) seen.wanted[record.Identity()] = quota;
    seen.objects.elastic_quotas.push_back(std::move(record));
  }
  if (seen.wanted.empty())
    return std::unexpected(Error{ErrorCode::kNotFound, "quota " + key + " not found"});
  auto pods = PodsIn(*run.api, "");
  if (!pods) return std::unexpected(pods.error());
  seen.pods = std::move(*pods);
  for (const SeenPod& pod : seen.pods) seen.objects.pods.push_back(pod.record);
  return seen;
}

std::vector<const SeenPod*> PodsOf(const Seen& seen, const QuotaWorld& world,
                                   const ElasticQuotaRecord& quota) {
  std::vector<const SeenPod*> out;
  for (const SeenPod& pod : seen.pods) {
    const auto& claiming = world.Claiming(pod.record.meta.namespace_);
    const bool is_of = quota.dialect == QuotaDialect::kKoordinator
                           ? world.QuotaOf(pod.record) == &quota
                           : std::ranges::find(claiming, &quota) != claiming.end();
    if (is_of) out.push_back(&pod);
  }
  return out;
}

// What the runtime annotation says, in base units; absent where it says nothing that can be read.
std::optional<ResourceList> ReadRuntime(const json::value& quota) {
  const json::value runtime = RuntimeOf(quota);
  try {
    return Field(&runtime, "runtime").Bounds();
  } catch (const FieldError& e) {
    std::cerr << "warning: " << e.what() << "\n";
    return std::nullopt;
  }
}

// One row for each resource that the quota speaks of.
TextRows Figures(const Seen& seen, const ElasticQuotaRecord& quota,
                 const std::optional<ResourceList>& runtime) {
  std::set<std::string> names;
  for (const std::optional<ResourceList>& list :
       {quota.min, quota.max, runtime, std::optional(quota.status_used)}) {
    if (!list) continue;
    for (const auto& [name, amount] : *list) names.insert(name);
  }
  TextRows rows{{"RESOURCE", "USED", "MIN", "MAX", "RUNTIME", "BORROWED", "LEFT", "POOL LEFT"}};
  const bool shares_idle = quota.dialect == QuotaDialect::kNos;
  if (shares_idle) rows.front().emplace_back("GUARANTEED OVER-QUOTA");
  for (const std::string& name : names) {
    const auto text = [&](const std::optional<std::int64_t>& amount) {
      return amount ? FormatQuantity(*amount, name) : std::string("-");
    };
    const std::int64_t used = AmountOf(quota.status_used, name).value_or(0);
    const auto min = AmountOf(quota.min, name);
    const auto max = AmountOf(quota.max, name);
    const auto now = AmountOf(runtime, name);
    const auto limit = now ? now : max;
    const auto above = [](std::int64_t a, std::int64_t b) {
      return std::max<std::int64_t>(0, ResourceVector::SubSaturating(a, b));
    };
    rows.push_back({name, text(used), text(min), text(max), text(now),
                    text(above(used, min.value_or(0))),
                    limit ? text(above(*limit, used)) : "no limit",
                    text(PoolLeft(seen.objects.elastic_quotas, quota.dialect, name))});
    if (shares_idle)
      rows.back().push_back(text(GuaranteedOver(seen.objects.elastic_quotas, quota, name)));
  }
  return rows;
}

const char* RuleOf(QuotaDialect dialect) {
  if (dialect == QuotaDialect::kKoordinator)
    return "up to its runtime: its min, and a share of what others leave idle, never above max";
  return "up to its max, while all quotas together stay within the sum of their mins (the pool)";
}

void Explain(const Seen& seen, const QuotaWorld& world, const ElasticQuotaRecord& quota,
             const json::value& object) {
  PrintField("Quota", quota.meta.Key());
  PrintField("Kind", quota.kind + " (" + DialectNameOf(object) + ")");
  if (quota.dialect == QuotaDialect::kKoordinator)
    PrintField("Parent", quota.parent.empty() ? "the root" : quota.parent);
  std::string spaces;
  for (const std::string& name : ClaimedNamespaces(quota, quota.dialect))
    spaces += (spaces.empty() ? "" : ", ") + name;
  PrintField("Namespaces", spaces.empty() ? "-" : spaces);
  PrintField("May use", RuleOf(quota.dialect));
  TableShape shape{"  ", 3, {}};
  std::cout << "\n" << TextTable(Figures(seen, quota, ReadRuntime(object)), shape);
  if (!FieldIn(object, {"status", "used"}).present())
    std::cout << "  (status.used is not written yet: it counts as 0)\n";
  const std::vector<const SeenPod*> pods = PodsOf(seen, world, quota);
  std::vector<const SeenPod*> waiting;
  std::ranges::copy_if(pods, std::back_inserter(waiting),
                       [](const SeenPod* pod) { return IsWaiting(*pod); });
  std::cout << "\nPods that wait: " << waiting.size() << " of " << pods.size() << "\n"
            << WhyWaiting(waiting);
}

}  // namespace

Result<void> ExplainQuota(KubeRun& run) {
  const Result<Seen> seen = See(run);
  if (!seen) return std::unexpected(seen.error());
  const QuotaWorld world(seen->objects, {});
  bool first = true;
  for (const auto& [identity, object] : seen->wanted) {
    std::cout << (first ? "" : "\n");
    first = false;
    Explain(*seen, world, *world.Find(identity), object);
  }
  return {};
}

}  // namespace batholith
