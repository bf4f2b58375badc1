#include <utility>

#include "client/http/reply.h"
#include "cmd/group_fields.h"
#include "cmd/job_command.h"
#include "codec/json/field.h"

namespace batholith {
namespace {

namespace json = boost::json;

// What stands behind an @ in a name, the API of a pod group, is taken off; empty: nothing does.
std::string TakeApi(std::string& name) {
  const std::size_t at = name.find('@');
  if (at == std::string::npos) return {};
  std::string api = name.substr(at + 1);
  name.resize(at);
  return api;
}

Result<json::value> FindGroup(KubeRun& run, const KubeRun::Name& name, const std::string& api) {
  Kinds kinds = KindsNamed({"PodGroup"});
  if (!api.empty()) std::erase_if(kinds, [&](const KubeKind* k) { return k->group() != api; });
  if (kinds.empty())
    return std::unexpected(Error{ErrorCode::kNotFound, "no pod groups are of " + api});
  return run.api->Find(kinds, name.namespace_, name.name);
}

bool BelongsTo(const json::value& group, const json::value& job) {
  const std::string uid = TextIn(job, {"metadata", "uid"});
  if (uid.empty()) return false;
  for (const Field& owner : FieldIn(group, {"metadata", "ownerReferences"}).Items())
    if (owner["uid"].Text() == uid) return true;
  return false;
}

}  // namespace

Result<SeenJob> FindJob(KubeRun& run, const std::string& given) {
  KubeRun::Name name = run.Split(given);
  const std::string api = TakeApi(name.name);
  Result<json::value> job = std::unexpected(Error{ErrorCode::kNotFound, ""});
  if (api.empty()) job = run.api->Find({&kJobKind}, name.namespace_, name.name);
  if (!job && job.error().code != ErrorCode::kNotFound) return std::unexpected(job.error());
  if (!job) {
    auto group = FindGroup(run, name, api);
    if (!group && group.error().code != ErrorCode::kNotFound) return std::unexpected(group.error());
    if (!group)
      return std::unexpected(
          Error{ErrorCode::kNotFound, "job " + name.namespace_ + "/" + name.name +
                                          " not found, and no pod group of that name"});
    const KubeKind* kind = FindKubeKind(TextIn(*group, {"apiVersion"}), "PodGroup");
    return SeenJob{*group, *group, kind};
  }
  SeenJob out{std::move(*job), nullptr, &kJobKind};
  const auto all = run.api->List(KindsNamed({"PodGroup"}), name.namespace_, "");
  if (!all) return std::unexpected(all.error());
  for (const json::value& group : *all) {
    if (BelongsTo(group, out.object) || NameOfGroup(group) == name.name) {
      out.group = group;
      if (BelongsTo(group, out.object)) break;
    }
  }
  return out;
}

}  // namespace batholith
