#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/ids.h"
#include "quota/quota_list.h"

namespace batholith {

using QuotaIndex = Index<struct QuotaTag>;

// One quota of a tree that shares a total. Amounts in tree units.
struct TreeQuota {
  std::string name;
  QuotaIndex parent;  // none: directly below the root
  QuotaList min;
  QuotaList max;     // what it does not list is not limited and not distributed
  QuotaList weight;  // dimensions that it does not list weigh 0
  bool lends = true;
};

// Quotas whose limit is computed: what a quota may use now, its runtime, is a share of its parent's
// runtime by what the siblings ask for. Requests and use are kept bottom-up as they change;
// runtimes are computed top-down, all siblings at once, when they are asked for. The result depends
// on the sums only, never on the order of calls. Cost: O(depth × dimensions) for a change of
// request or use; O(quotas × dimensions) for a refresh after a change. Source:
// Koordinator's ElasticQuota (GroupQuotaManager): limited requests, guarantees, shared runtimes.
class RuntimeTree {
 public:
  struct Options {
    std::size_t dimensions = 0;
    bool scale_min = true;        // enableMinQuotaScale
    bool guarantee_used = false;  // gate ElasticQuotaGuaranteeUsage
  };
  // REQUIRES: a parent stands before its children. `total` is asked at each refresh.
  RuntimeTree(std::vector<TreeQuota> quotas, const Options& options);

  std::size_t size() const { return nodes_.size(); }
  const TreeQuota& quota(QuotaIndex q) const { return nodes_[q.value()].quota; }

  void SetTotal(const ResourceVector& total);
  const ResourceVector& total() const { return total_; }
  // Of pods bound directly to q; may be negative. Sums never fall below 0.
  void AddRequest(QuotaIndex q, const ResourceVector& delta);
  void AddUsed(QuotaIndex q, const ResourceVector& delta);

  const ResourceVector& self_request(QuotaIndex q) const { return nodes_[q.value()].self_request; }
  // Σ limited requests of the children + what is bound directly to it.
  const ResourceVector& child_request(QuotaIndex q) const {
    return nodes_[q.value()].child_request;
  }
  // child_request, or at least min where the quota does not lend.
  const ResourceVector& request(QuotaIndex q) const { return nodes_[q.value()].request; }
  const ResourceVector& limited_request(QuotaIndex q) const { return nodes_[q.value()].limited; }
  const ResourceVector& root_request() const { return root_request_; }
  const ResourceVector& used(QuotaIndex q) const { return nodes_[q.value()].used; }
  const ResourceVector& runtime(QuotaIndex q) const { return Fresh().nodes_[q.value()].runtime; }
  const ResourceVector& scaled_min(QuotaIndex q) const {
    return Fresh().nodes_[q.value()].scaled_min;
  }
  // With guarantee_used; else 0.
  const ResourceVector& allocated(QuotaIndex q) const {
    return Fresh().nodes_[q.value()].allocated;
  }
  const ResourceVector& guaranteed(QuotaIndex q) const {
    return Fresh().nodes_[q.value()].guaranteed;
  }

 private:
  struct Node {
    TreeQuota quota;
    std::vector<std::size_t> children;  // in name order
    ResourceVector self_request, child_request, request, limited, used;
    ResourceVector scaled_min, runtime, allocated, guaranteed;
  };

  const RuntimeTree& Fresh() const;
  void Refresh();
  void RefreshGuarantees();
  void RefreshLevel(const std::vector<std::size_t>& children, const ResourceVector& total);
  void UpdateRequest(Node& node) const;
  bool Lends(const Node& node) const { return node.quota.lends && !options_.guarantee_used; }

  Options options_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> top_;  // children of the root, in name order
  ResourceVector total_;
  ResourceVector root_request_;
  bool dirty_ = true;
};

}  // namespace batholith
