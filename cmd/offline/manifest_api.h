#pragma once

#include "cmd/kube_api.h"

namespace batholith {

// A cluster that consists of these objects and takes no writes.
class ManifestApi : public ClusterApi {
 public:
  explicit ManifestApi(Objects objects);

  Result<boost::json::value> Get(const KubeKind& kind, const std::string& namespace_,
                                 const std::string& name) override;
  // Selectors are those of equality: team=a,tier!=test,has,!has-not.
  Result<Objects> List(const Kinds& kinds, const std::string& namespace_,
                       const std::string& query) override;
  Result<bool> IsServed(const KubeKind& kind) override;

 private:
  Objects objects_;  // by namespace and name
};

}  // namespace batholith
