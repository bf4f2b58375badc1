#include "cache/schema.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "cache/resource_names.h"

namespace batholith {
namespace {

constexpr std::size_t kMostTold = 8;

// Who needs a name most; the first that applies.
enum class Need : std::uint8_t {
  kAlways,
  kOffered,      // by a node
  kToCome,       // by nodes that a group would bring
  kComputed,     // made out of what pods ask for, as soon as a quota lists it
  kQueue,        // listed by a queue
  kQuota,        // listed by an elastic quota
  kNothingOfIt,  // a node lists it at 0
};

struct Claim {
  Need need = Need::kNothingOfIt;
  std::size_t nodes = 0;  // that have some of it
  std::string_view kind;  // of who listed it first
  const ObjectMeta* who = nullptr;
};

bool IsComputed(std::string_view name) {
  constexpr std::string_view kGpuMemory = "/gpu-memory";
  return name.ends_with(kGpuMemory) &&
         (name.starts_with(kNosGroup) || name.starts_with(kOldNosGroup));
}

class Claims {
 public:
  Claims() {
    for (const char* name : {"cpu", "memory", "pods"}) by_name_[name].need = Need::kAlways;
  }

  void AddNodes(const ClusterObjects& objects) {
    for (const NodeRecord& node : objects.nodes) {
      for (const auto& [name, amount] : node.allocatable) {
        Claim& claim =
            Add(name, amount > 0 ? Need::kOffered : Need::kNothingOfIt, "Node", node.meta);
        if (amount > 0) ++claim.nodes;
      }
    }
  }

  void AddNodesToCome(const ClusterObjects& objects, std::span<const std::string> offers) {
    for (const NodeGroupRecord& group : objects.node_groups) {
      if (!group.node_template) continue;
      for (const auto& [name, amount] : group.node_template->allocatable)
        Add(name, Need::kToCome, "node group", group.meta);
    }
    static const ObjectMeta kConf = [] {
      ObjectMeta meta;
      meta.name = "of the conf";
      return meta;
    }();
    for (const std::string& name : offers) Add(name, Need::kToCome, "node group", kConf);
  }

  void AddQueues(const ClusterObjects& objects) {
    for (const QueueRecord& queue : objects.queues) {
      for (const ResourceList* list : {&queue.capability, &queue.guarantee, &queue.deserved}) {
        for (const auto& [name, amount] : *list) {
          if (!IsQuotaKey(name) && !IsDeviceClass(name))
            Add(name, Need::kQueue, "Queue", queue.meta);
        }
      }
    }
  }

  void AddQuotas(const ClusterObjects& objects) {
    for (const ElasticQuotaRecord& quota : objects.elastic_quotas) {
      for (const auto* list :
           {&quota.min, &quota.max, &quota.shared_weight, &quota.total_resource}) {
        if (!*list) continue;
        for (const auto& [name, amount] : **list)
          Add(name, IsComputed(name) ? Need::kComputed : Need::kQuota, quota.kind, quota.meta);
      }
    }
  }

  SchemaChoice Choose() const {
    std::vector<std::string> names;
    SchemaChoice out;
    if (by_name_.size() <= ResourceVector::kMaxDimensions) {
      for (const auto& [name, claim] : by_name_) names.emplace_back(name);
    } else {
      const std::vector<Entry> order = InOrder();
      for (std::size_t i = 0; i < ResourceVector::kMaxDimensions; ++i)
        names.emplace_back(order[i]->first);
      out.notices.push_back(LeftOut(order));
    }
    out.schema = ResourceSchema(std::move(names));
    return out;
  }

 private:
  using Entry = std::map<std::string_view, Claim>::const_pointer;

  Claim& Add(std::string_view name, Need need, std::string_view kind, const ObjectMeta& who) {
    Claim& claim = by_name_[name];
    if (need < claim.need || claim.who == nullptr) {
      if (need < claim.need) claim.need = need;
      claim.kind = kind;
      claim.who = &who;
    }
    return claim;
  }

  std::vector<Entry> InOrder() const {
    std::vector<Entry> order;
    for (const auto& entry : by_name_) order.push_back(&entry);
    std::ranges::sort(order, [](Entry a, Entry b) {
      return std::tuple(a->second.need, b->second.nodes, a->first) <
             std::tuple(b->second.need, a->second.nodes, b->first);
    });
    return order;
  }

  static std::string LeftOut(const std::vector<Entry>& order) {
    constexpr std::size_t kMost = ResourceVector::kMaxDimensions;
    std::string names;
    for (std::size_t i = kMost; i < std::min(order.size(), kMost + kMostTold); ++i) {
      names += (names.empty() ? "" : ", ") + std::string(order[i]->first) + " (" +
               std::string(order[i]->second.kind) + " " + order[i]->second.who->Key() + ")";
    }
    const std::size_t more = order.size() - kMost;
    if (more > kMostTold) names += " and " + std::to_string(more - kMostTold) + " more";
    return "nodes, queues and quotas name " + std::to_string(order.size()) +
           " resources, at most " + std::to_string(kMost) +
           " are counted: pods that ask for the others wait: " + names;
  }

  std::map<std::string_view, Claim> by_name_;  // thousands of objects write the same few
};

}  // namespace

SchemaChoice ChooseSchema(const ClusterObjects& objects, std::span<const std::string> offers) {
  Claims claims;
  claims.AddNodes(objects);
  claims.AddNodesToCome(objects, offers);
  claims.AddQueues(objects);
  claims.AddQuotas(objects);
  return claims.Choose();
}

}  // namespace batholith
