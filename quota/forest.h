#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "quota/compare.h"
#include "quota/options.h"
#include "quota/over_quota.h"
#include "quota/quota_list.h"
#include "quota/runtime_tree.h"

namespace batholith {

enum class QuotaRole : std::uint8_t {
  kQuota,    // an object of a user
  kFamily,   // the virtual parent of a flat dialect: max = Σ min of its quotas
  kDefault,  // Koordinator's default quota
  kSystem,   // Koordinator's system quota: never limited
};

// How messages name a quota: "ElasticQuota ns/name (group)".
std::string KindAndName(const ElasticQuotaRecord& record);

// What a pod weighs in its quota. Amounts in tree units, gpu-memory filled in.
struct QuotaPod {
  ResourceVector request;
  std::int32_t priority = 0;
  bool preemptible = true;  // false: never a victim, and limited to min (Koordinator)
};

// How a pod holds its quota.
enum class QuotaHold : std::uint8_t {
  kAssigned,   // has a node
  kInflight,   // a place is reserved for it on room that is being released
  kReleasing,  // is leaving
};

// One quota of the forest with its sums. Amounts in tree units; sums include what is below.
struct QuotaNode {
  QuotaRole role = QuotaRole::kQuota;
  QuotaDialect dialect = QuotaDialect::kKoordinator;
  const ElasticQuotaRecord* record = nullptr;  // none: built in
  std::string name;                            // namespace/name, or the built-in's name
  QuotaIndex parent;                           // none: nothing above it limits
  QuotaList min;
  QuotaList max;
  ResourceLimits max_limits;  // max as the dialect reads what it does not list
  QuotaPolicy policy;
  CompareRule compare;
  std::string broken;  // why pods of this quota wait; empty: nothing is wrong
  std::size_t tree = 0;
  QuotaIndex in_tree;  // place in that tree; none: takes no part in one

  ResourceVector assigned;
  ResourceVector releasing;
  ResourceVector running;          // of assigned, what runs
  ResourceVector non_preemptible;  // of assigned, of pods that may not be preempted
  std::map<std::int32_t, ResourceVector> inflight;  // by priority; of pods bound to it itself
  ResourceVector inflight_non_preemptible;          // of these, of such pods
};

// What a quota may use now: its max, or its computed runtime. What it does not limit is kUnlimited.
// Reads the forest without a copy, so it is valid until that changes.
class QuotaLimit {
 public:
  QuotaLimit() = default;  // no limit
  explicit QuotaLimit(const QuotaNode& node, const ResourceVector* runtime)
      : node_(&node), runtime_(runtime) {}
  std::int64_t operator[](std::size_t r) const {
    if (node_ == nullptr) return ResourceLimits::kUnlimited;
    if (runtime_ == nullptr) return node_->max_limits[r];
    return node_->max.Has(r) ? (*runtime_)[r] : ResourceLimits::kUnlimited;
  }
  ResourceLimits Copy() const {
    ResourceLimits out;
    for (std::size_t r = 0; r < ResourceVector::kMaxDimensions; ++r) out[r] = (*this)[r];
    return out;
  }

 private:
  const QuotaNode* node_ = nullptr;
  const ResourceVector* runtime_ = nullptr;  // none: max counts
};

// All quotas of a cluster in one model: Koordinator's trees with computed runtimes,
// and the flat dialects as two-level trees whose virtual parent is limited to Σ min. Sums change
// with Ask and Charge; nothing else is mutable. Cost: building O(quotas log quotas); Charge O(depth
// × dimensions); figures of a tree are computed when they are asked for after a change.
class QuotaForest {
 public:
  // `total`: allocatable of all nodes, base units. `objects` must outlive the forest.
  QuotaForest(const ClusterObjects& objects, const ResourceSchema& schema,
              const ResourceVector& total, QuotaOptions options);

  std::size_t size() const { return nodes_.size(); }
  bool empty() const { return nodes_.empty(); }
  const QuotaNode& node(QuotaIndex q) const { return nodes_[q.value()]; }
  const QuotaOptions& options() const { return options_; }
  const ResourceSchema& schema() const { return *schema_; }
  std::size_t dimensions() const { return dims_; }

  // The quota that a pod is bound to; none: no quota.
  QuotaIndex QuotaOf(const PodRecord& pod) const;
  // What is wrong or overruled among the objects, one sentence each, in a fixed order.
  const std::vector<QuotaNotice>& problems() const { return problems_; }

  // A pod of q asks for room, whether it has it or not.
  void Ask(QuotaIndex q, const QuotaPod& pod);
  // A pod of q takes (sign +1) or gives back (−1) its hold. `running`: it runs (for reports).
  void Charge(QuotaIndex q, const QuotaPod& pod, QuotaHold hold, int sign, bool running = false);

  // --- figures, tree units ---
  QuotaLimit LimitOf(QuotaIndex q) const;
  // The resources in which a pod counts in q: what it asks for and, of Koordinator's, max lists.
  std::uint32_t CountedIn(QuotaIndex q, const QuotaPod& pod) const;
  // Whether pods of q take the place of pods of q only.
  bool TakesFromItself(QuotaIndex q) const;
  // The tree that q's runtime is computed in; nullptr: none.
  const RuntimeTree* TreeOf(QuotaIndex q) const;
  // What counts as used by q: assigned, and what is leaving unless `soon` or the policy says so.
  ResourceVector UsedBy(QuotaIndex q, bool soon) const;
  std::int64_t UsedBy(QuotaIndex q, bool soon, std::size_t r) const;
  // Reservations of pods of q itself that count for a pod of this priority, without that of
  // `except`, which must be among them (nullptr: with all).
  ResourceVector Inflight(QuotaIndex q, std::int32_t priority,
                          const QuotaPod* except = nullptr) const;
  // Quotas whose pods hold a reservation now.
  const std::vector<QuotaIndex>& with_inflight() const { return with_inflight_; }
  // Whether a quota that uses `used` and gets `more` is beyond its min.
  bool OverMin(QuotaIndex q, const ResourceVector& used, const ResourceVector& more) const;
  // Resources that q or a quota beside it bounds: min of a flat dialect, max of Koordinator's. What
  // nobody lists is free. All of them where the dialect's own scheduler compares.
  std::uint32_t BoundedBeside(QuotaIndex q) const;
  // The same of what is used, in the resources `looked` only.
  bool OverMinIn(QuotaIndex q, const ResourceVector& used, std::uint32_t looked) const;
  // Σ over the dialect's quotas, as they are now.
  const OverQuotaSums& SumsOf(QuotaDialect d) const { return sums_[static_cast<std::size_t>(d)]; }

 private:
  struct Builder;
  void Reserve(QuotaIndex q, const QuotaPod& pod, int sign);
  void RefreshTotal() const;

  QuotaOptions options_;
  std::vector<ElasticQuotaRecord> made_;  // where profiles make quotas: all of them, theirs too
  const ResourceSchema* schema_;
  std::size_t dims_;
  std::vector<QuotaNode> nodes_;
  mutable std::vector<RuntimeTree> trees_;  // 0: the default tree
  mutable bool total_is_stale_ = true;      // of the default tree
  ResourceVector default_tree_total_;       // before use outside of the tree is subtracted
  std::array<OverQuotaSums, 3> sums_;
  std::array<QuotaIndex, 3> family_;  // by dialect
  std::vector<QuotaIndex> with_inflight_;
  std::vector<QuotaNotice> problems_;
  std::map<std::string, QuotaIndex, std::less<>> by_name_;              // Koordinator's
  std::map<std::string, std::vector<QuotaIndex>, std::less<>> claims_;  // namespace → first wins
  QuotaIndex default_, system_;
};

}  // namespace batholith
