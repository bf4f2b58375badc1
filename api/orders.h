#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/effect.h"

// What a session wants done in the cluster, and where it is sent.
namespace batholith {

// Uids are those that the decision was made on: another pod of the same name is left alone.
struct BindOrder {
  Bind bind;
  std::string uid;
};

struct EvictOrder {
  Evict evict;
  std::string uid;
};

struct LabelOrder {
  PodLabel label;
  std::string uid;
};

struct SessionOrders {
  std::string session;  // goes into conditions as their transition id
  std::vector<BindOrder> binds;
  std::vector<EvictOrder> evictions;
  std::vector<LabelOrder> labels;
  std::map<std::string, std::string> nominations;  // pod → node that is kept for it
  std::shared_ptr<const CycleResult>
      report;  // statuses and marks; its binds, evictions and labels are those above
};

// Carries out what sessions decide, in the background. What becomes of binds and evictions is told
// to the cache as EffectOutcome.
class OrderSink {
 public:
  virtual void Send(SessionOrders orders) = 0;

 protected:
  ~OrderSink() = default;
};

}  // namespace batholith
