#pragma once

#include <boost/json/value.hpp>
#include <chrono>
#include <initializer_list>
#include <string>
#include <vector>

#include "api/result.h"
#include "client/http/http.h"
#include "codec/kube_kinds.h"

namespace batholith {

// Kinds that commands know and no scheduler reads.
inline constexpr KubeKind kJobKind{"batch.volcano.sh/v1alpha1", "Job", "jobs", true,
                                   KindUse::kOptional};
inline constexpr KubeKind kEventKind{"v1", "Event", "events", true, KindUse::kOptional};

using Kinds = std::vector<const KubeKind*>;
using Objects = std::vector<boost::json::value>;

// The kinds of these names, in all their API groups.
Kinds KindsNamed(std::initializer_list<const char*> names);
// The path of a list; of all namespaces where `namespace_` is empty.
std::string ListPath(const KubeKind& kind, const std::string& namespace_);

// A text, number or boolean at a path as a cell of a table.
std::string CellAt(const boost::json::value& value, std::initializer_list<const char*> path,
                   const std::string& otherwise = "-");
// Amounts at a path: cpu=4,memory=8Gi.
std::string AmountsAt(const boost::json::value& value, std::initializer_list<const char*> path);
// namespace/name, or name.
std::string KeyOfObject(const boost::json::value& object);

// What commands ask a cluster for: of an API server, or of manifests. Errors name the object:
// kNotFound, kConflict (refused, with the reason), kUnavailable (no answer).
class ClusterApi {
 public:
  virtual ~ClusterApi() = default;

  virtual Result<boost::json::value> Get(const KubeKind& kind, const std::string& namespace_,
                                         const std::string& name) = 0;
  // The first of the kinds that has an object of that name.
  Result<boost::json::value> Find(const Kinds& kinds, const std::string& namespace_,
                                  const std::string& name);
  // With apiVersion and kind, of those kinds that are served, by namespace and name. `query` may
  // be empty, or labelSelector=… . Errors: none is served.
  virtual Result<Objects> List(const Kinds& kinds, const std::string& namespace_,
                               const std::string& query) = 0;
  virtual Result<bool> IsServed(const KubeKind& kind) = 0;

  // Writes: refused as usage (kInvalid) where a class has none.
  virtual Result<boost::json::value> Create(const KubeKind& kind, const std::string& namespace_,
                                            const boost::json::value& object);
  // A merge patch; `sub` is empty or "/status".
  virtual Result<boost::json::value> Patch(const boost::json::value& object, const KubeKind& kind,
                                           const std::string& sub, const boost::json::value& patch);
  virtual Result<boost::json::value> Delete(const boost::json::value& object, const KubeKind& kind);
};

// By namespace, then by name.
void SortByKey(Objects& objects);

// Single requests of a command, each of which blocks.
class KubeApi : public ClusterApi {
 public:
  KubeApi(HttpClient& client, std::chrono::milliseconds timeout)
      : client_(client), timeout_(timeout) {}

  Result<boost::json::value> Get(const KubeKind& kind, const std::string& namespace_,
                                 const std::string& name) override;
  Result<Objects> List(const Kinds& kinds, const std::string& namespace_,
                       const std::string& query) override;
  Result<bool> IsServed(const KubeKind& kind) override;
  Result<boost::json::value> Create(const KubeKind& kind, const std::string& namespace_,
                                    const boost::json::value& object) override;
  Result<boost::json::value> Patch(const boost::json::value& object, const KubeKind& kind,
                                   const std::string& sub,
                                   const boost::json::value& patch) override;
  Result<boost::json::value> Delete(const boost::json::value& object,
                                    const KubeKind& kind) override;

 private:
  Result<boost::json::value> Ask(HttpRequest request, const std::string& what);

  HttpClient& client_;
  std::chrono::milliseconds timeout_;
};

}  // namespace batholith
