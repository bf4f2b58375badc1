#include "cmd/quota_command.h"

#include <array>
#include <utility>

#include "api/elastic_quota.h"
#include "client/http/reply.h"
#include "cmd/commands.h"
#include "codec/json/parse.h"

namespace batholith {
namespace {

namespace json = boost::json;

ListOf Quotas(const KubeRun& run) {
  const bool wide = run.wide();
  ListOf list{
      "quotas",
      KindsNamed({"ElasticQuota", "CompositeElasticQuota"}),
      {},
      {"NAMESPACE", "NAME", "KIND", "DIALECT", "MIN", "MAX", "USED", "RUNTIME"},
      [wide](const Objects& quotas, const Objects&) {
        TextRows rows;
        for (const json::value& quota : quotas) {
          rows.push_back({TextIn(quota, {"metadata", "namespace"}),
                          TextIn(quota, {"metadata", "name"}), TextIn(quota, {"kind"}),
                          DialectNameOf(quota), AmountsAt(quota, {"spec", "min"}),
                          AmountsAt(quota, {"spec", "max"}), AmountsAt(quota, {"status", "used"}),
                          AmountsAt(RuntimeOf(quota), {})});
          if (wide) rows.back().push_back(TextIn(quota, {"apiVersion"}));
        }
        return rows;
      },
      {}};
  if (wide) list.head.emplace_back("APIVERSION");
  return list;
}

Result<void> List(KubeRun& run) { return PrintList(run, Quotas(run)); }

constexpr std::array kVerbs{
    KubeVerb{"list", "", "elastic quotas of all dialects",
             kNamespaced | kLists | kPrints | kOffline, List},
    KubeVerb{"explain", "[NAMESPACE/]NAME", "what a quota may use, what it borrows, who waits",
             kNamespaced | kOneName | kOffline, ExplainQuota}};

}  // namespace

std::string DialectNameOf(const json::value& quota) {
  const std::string version = TextIn(quota, {"apiVersion"});
  const std::string group = version.substr(0, version.find('/'));
  if (group == kSchedulerPluginsGroup) return "scheduler-plugins";
  return group == kSigsGroup ? "koordinator" : "nos";
}

json::value RuntimeOf(const json::value& quota) {
  static const std::string note = std::string(kQuotaKeyPrefix) + "runtime";
  return ParseJsonValue(TextIn(quota, {"metadata", "annotations", note.c_str()}))
      .value_or(json::value());
}

std::vector<CommandPage> QuotaPages() { return PagesOf("quota", kVerbs); }

int QuotaCommand(const std::vector<std::string>& arguments) {
  return RunKubeCommand("quota", kVerbs, arguments);
}

}  // namespace batholith
