#include "client/watch/kinds.h"

#include <algorithm>
#include <string_view>

namespace batholith {

bool KubeKind::built_in() const {
  const std::string g = group();
  return g.empty() || g == "policy" || g == "scheduling.k8s.io" || g == "apps" || g == "batch";
}

bool KubeKind::protobuf() const { return built_in() && waited_for(); }

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

std::string KubeKind::path(const std::string& key) const {
  const std::size_t slash = key.find('/');
  return path(key.substr(0, slash), key.substr(slash + 1));
}

std::string KubeKind::name() const {
  if (built_in()) return kind;
  const std::string version = std::string(api_version).substr(group().size() + 1);
  return std::string(kind) + (newer == nullptr ? "." : "." + version + ".") + group();
}

const std::vector<KubeKind>& KubeKinds() {
  using enum KindUse;
  static const std::vector<KubeKind> kinds{
      {"v1", "Namespace", "namespaces", false, kRequired},
      {"v1", "Node", "nodes", false, kRequired},
      {"scheduling.k8s.io/v1", "PriorityClass", "priorityclasses", false, kRequired},
      {"v1", "ResourceQuota", "resourcequotas", true, kRequired},
      {"policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", true, kRequired},
      {"scheduling.volcano.sh/v1beta1", "Queue", "queues", false, kOptional},
      {"scheduling.volcano.sh/v1beta1", "PodGroup", "podgroups", true, kOptional},
      {"scheduling.incubator.k8s.io/v1alpha1", "Queue", "queues", false, kOptional},
      {"scheduling.incubator.k8s.io/v1alpha1", "PodGroup", "podgroups", true, kOptional},
      {"scheduling.sigs.dev/v1alpha2", "Queue", "queues", false, kOptional},
      {"scheduling.sigs.dev/v1alpha2", "PodGroup", "podgroups", true, kOptional},
      {"scheduling.x-k8s.io/v1alpha1", "ElasticQuota", "elasticquotas", true, kOptional},
      {"scheduling.sigs.k8s.io/v1alpha1", "ElasticQuota", "elasticquotas", true, kOptional},
      {"nos.nebuly.com/v1alpha1", "ElasticQuota", "elasticquotas", true, kOptional},
      {"nos.nebuly.com/v1alpha1", "CompositeElasticQuota", "compositeelasticquotas", true,
       kOptional},
      {"n8s.nebuly.ai/v1alpha1", "ElasticQuota", "elasticquotas", true, kOptional},
      {"n8s.nebuly.ai/v1alpha1", "CompositeElasticQuota", "compositeelasticquotas", true,
       kOptional},
      {"quota.koordinator.sh/v1alpha1", "ElasticQuotaProfile", "elasticquotaprofiles", true,
       kOptional},
      {"v1", "Pod", "pods", true, kRequired},  // last: what it names is told before it
      {"cluster.x-k8s.io/v1beta2", "MachineDeployment", "machinedeployments", true, kNodeGroups},
      {"cluster.x-k8s.io/v1beta1", "MachineDeployment", "machinedeployments", true, kNodeGroups,
       "cluster.x-k8s.io/v1beta2"},
      {"cluster.x-k8s.io/v1beta2", "Machine", "machines", true, kNodeGroups},
      {"cluster.x-k8s.io/v1beta1", "Machine", "machines", true, kNodeGroups,
       "cluster.x-k8s.io/v1beta2"},
      {"autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", "capacitybuffers", true, kBuffers},
      {"autoscaling.x-k8s.io/v1alpha1", "CapacityBuffer", "capacitybuffers", true, kBuffers,
       "autoscaling.x-k8s.io/v1beta1"},
      {"v1", "PodTemplate", "podtemplates", true, kBuffered},
      {"v1", "ReplicationController", "replicationcontrollers", true, kBuffered},
      {"apps/v1", "Deployment", "deployments", true, kBuffered},
      {"apps/v1", "ReplicaSet", "replicasets", true, kBuffered},
      {"apps/v1", "StatefulSet", "statefulsets", true, kBuffered},
      {"batch/v1", "Job", "jobs", true, kBuffered},
  };
  return kinds;
}

const KubeKind* FindKubeKind(const std::string& api_version, const std::string& kind) {
  const auto it = std::ranges::find_if(KubeKinds(), [&](const KubeKind& k) {
    return api_version == k.api_version && kind == k.kind;
  });
  return it == KubeKinds().end() ? nullptr : &*it;
}

std::string PodPath(const std::string& key) { return FindKubeKind("v1", "Pod")->path(key); }

}  // namespace batholith
