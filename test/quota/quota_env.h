#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "quota/validate.h"

namespace batholith {

inline ElasticQuotaRecord QuotaIn(std::string_view group, std::string namespace_,
                                  std::string name) {
  ElasticQuotaRecord quota;
  quota.group = group;
  quota.dialect = group == kSigsGroup               ? QuotaDialect::kKoordinator
                  : group == kSchedulerPluginsGroup ? QuotaDialect::kSchedulerPlugins
                                                    : QuotaDialect::kNos;
  quota.meta.namespace_ = std::move(namespace_);
  quota.meta.name = std::move(name);
  return quota;
}

inline ElasticQuotaRecord Composite(std::string name, std::vector<std::string> namespaces) {
  ElasticQuotaRecord quota = QuotaIn(kNosGroup, "anywhere", std::move(name));
  quota.kind = "CompositeElasticQuota";
  quota.namespaces = std::move(namespaces);
  return quota;
}

// A quota of Koordinator below `parent`; empty: the root.
inline ElasticQuotaRecord KoordinatorQuota(std::string name, std::string parent = "",
                                           bool is_parent = false) {
  ElasticQuotaRecord quota = QuotaIn(kSigsGroup, "quotas", std::move(name));
  quota.parent = std::move(parent);
  quota.is_parent = is_parent;
  return quota;
}

inline PodRecord PodIn(std::string namespace_, std::string quota_name = "") {
  PodRecord pod;
  pod.meta.namespace_ = std::move(namespace_);
  pod.meta.name = "p";
  pod.quota_name = std::move(quota_name);
  return pod;
}

inline bool Admits(const QuotaProblems& problems) {
  return std::ranges::none_of(
      problems, [](const QuotaProblem& p) { return p.severity == QuotaSeverity::kReject; });
}

inline std::vector<std::string> TextsOf(const QuotaProblems& problems) {
  std::vector<std::string> out;
  for (const QuotaProblem& p : problems) {
    out.push_back((p.severity == QuotaSeverity::kWarn ? "warning: " : "") + p.Text());
  }
  return out;
}

}  // namespace batholith
