#include "codec/claim_templates.h"

#include <boost/json.hpp>
#include <utility>

#include "codec/encode.h"
#include "codec/encode_parts.h"
#include "codec/json/parse.h"
#include "codec/json/text.h"
#include "codec/kinds.h"

namespace batholith {
namespace {

namespace json = boost::json;

json::value Named(const Field& claim_template, const std::string& namespace_,
                  const std::string& name) {
  json::object meta{{"name", name}, {"namespace", namespace_}};
  for (const char* texts : {"labels", "annotations"}) {
    if (const Field field = claim_template["metadata"][texts]; field.is_object())
      meta[texts] = field.Object();
  }
  json::object out{{"metadata", std::move(meta)}};
  out["spec"] = claim_template["spec"].Object();
  return out;
}

}  // namespace

PersistentVolumeClaimRecord ClaimFrom(const Field& claim_template, const std::string& namespace_,
                                      const std::string& name) {
  const json::value named = Named(claim_template, namespace_, name);
  return ReadPersistentVolumeClaim(Field(&named, claim_template.path(), claim_template.flaws()));
}

std::string TemplateTextOf(const PersistentVolumeClaimRecord& claim) {
  json::object meta;
  Put(meta, "labels", TextMap(claim.meta.labels));
  Put(meta, "annotations", TextMap(claim.meta.annotations));
  json::object out;
  Put(out, "metadata", std::move(meta));
  out["spec"] = Encode(claim)["spec"];
  return JsonText(out);
}

PersistentVolumeClaimRecord ClaimFromText(const std::string& template_text,
                                          const std::string& namespace_, const std::string& name) {
  const json::value value = ParseJsonValue(template_text).value_or(nullptr);
  Flaws flaws;
  return ClaimFrom(Field(&value, "", &flaws), namespace_, name);
}

std::vector<PersistentVolumeClaimRecord> ReadClaimTemplates(const Field& templates) {
  std::vector<PersistentVolumeClaimRecord> out;
  for (const Field& claim : templates.Items()) out.push_back(ClaimFrom(claim, "", ReadName(claim)));
  return out;
}

}  // namespace batholith
