#include "client/kinds.h"

#include <algorithm>
#include <string_view>

namespace batholith {

bool KubeKind::built_in() const {
  const std::string g = group();
  return g.empty() || g == "policy" || g == "scheduling.k8s.io";
}

std::string KubeKind::group() const {
  const std::string_view version(api_version);
  const std::size_t slash = version.find('/');
  return slash == std::string_view::npos ? "" : std::string(version.substr(0, slash));
}

std::string KubeKind::list_path() const {
  return std::string(group().empty() ? "/api/" : "/apis/") + api_version + "/" + plural;
}

std::string KubeKind::path(const std::string& name_space, const std::string& name) const {
  const std::string root = std::string(group().empty() ? "/api/" : "/apis/") + api_version;
  if (!namespaced) return root + "/" + plural + "/" + name;
  return root + "/namespaces/" + name_space + "/" + plural + "/" + name;
}

std::string KubeKind::name() const { return built_in() ? kind : std::string(kind) + "." + group(); }

const std::vector<KubeKind>& KubeKinds() {
  static const std::vector<KubeKind> kinds{
      {"v1", "Namespace", "namespaces", false, true},
      {"v1", "Node", "nodes", false, true},
      {"scheduling.k8s.io/v1", "PriorityClass", "priorityclasses", false, true},
      {"v1", "ResourceQuota", "resourcequotas", true, true},
      {"policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", true, true},
      {"scheduling.volcano.sh/v1beta1", "Queue", "queues", false, false},
      {"scheduling.volcano.sh/v1beta1", "PodGroup", "podgroups", true, false},
      {"scheduling.incubator.k8s.io/v1alpha1", "Queue", "queues", false, false},
      {"scheduling.incubator.k8s.io/v1alpha1", "PodGroup", "podgroups", true, false},
      {"scheduling.sigs.dev/v1alpha2", "Queue", "queues", false, false},
      {"scheduling.sigs.dev/v1alpha2", "PodGroup", "podgroups", true, false},
      {"scheduling.x-k8s.io/v1alpha1", "ElasticQuota", "elasticquotas", true, false},
      {"scheduling.sigs.k8s.io/v1alpha1", "ElasticQuota", "elasticquotas", true, false},
      {"nos.nebuly.com/v1alpha1", "ElasticQuota", "elasticquotas", true, false},
      {"nos.nebuly.com/v1alpha1", "CompositeElasticQuota", "compositeelasticquotas", true, false},
      {"n8s.nebuly.ai/v1alpha1", "ElasticQuota", "elasticquotas", true, false},
      {"n8s.nebuly.ai/v1alpha1", "CompositeElasticQuota", "compositeelasticquotas", true, false},
      {"quota.koordinator.sh/v1alpha1", "ElasticQuotaProfile", "elasticquotaprofiles", true, false},
      {"v1", "Pod", "pods", true, true},  // last: what it names is told before it
  };
  return kinds;
}

const KubeKind* FindKubeKind(const std::string& api_version, const std::string& kind) {
  const auto it = std::ranges::find_if(KubeKinds(), [&](const KubeKind& k) {
    return api_version == k.api_version && kind == k.kind;
  });
  return it == KubeKinds().end() ? nullptr : &*it;
}

std::string PodPath(const std::string& key) {
  const std::size_t slash = key.find('/');
  return FindKubeKind("v1", "Pod")->path(key.substr(0, slash), key.substr(slash + 1));
}

}  // namespace batholith
