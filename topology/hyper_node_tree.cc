#include "topology/hyper_node_tree.h"

#include <algorithm>
#include <utility>

#include "api/printable.h"
#include "topology/domain_notices.h"
#include "topology/name_finder.h"

namespace batholith {
namespace {

std::string Shown(const std::string& text) { return ShortLine(text, 80); }

std::vector<std::string_view> NamesOf(const auto& records) {
  std::vector<std::string_view> out;
  for (const auto& record : records) {
    if constexpr (requires { record.meta; }) {
      out.emplace_back(record.meta.name);
    } else {
      out.emplace_back(record->meta.name);
    }
  }
  return out;
}

class Builder {
 public:
  Builder(std::span<const HyperNodeRecord> hyper_nodes, std::span<const NodeRecord* const> nodes)
      : hyper_nodes_(hyper_nodes),
        node_count_(nodes.size()),
        node_names_(NamesOf(nodes), looks_left_),
        hyper_node_names_(NamesOf(hyper_nodes), looks_left_),
        labels_(nodes, looks_left_),
        of_(hyper_nodes.size()) {}

  Domains Build() && {
    for (std::size_t i = 0; i < of_.size(); ++i) ReadMembers(i);
    for (std::size_t i = 0; i < of_.size(); ++i) Settle(i);
    std::vector<std::size_t> spec_of(of_.size(), DomainSpec::kNoParent);
    std::vector<DomainSpec> specs;
    for (std::size_t i = 0; i < of_.size(); ++i) {
      if (of_[i].standing != Standing::kGood) continue;
      spec_of[i] = specs.size();
      specs.push_back({Name(i), hyper_nodes_[i].tier, of_[i].parent, std::move(of_[i].nodes)});
    }
    for (DomainSpec& spec : specs) {
      if (spec.parent != DomainSpec::kNoParent) spec.parent = spec_of[spec.parent];
    }
    Domains out{DomainTree(std::move(specs), node_count_), {}, {}};
    for (const HyperNodeRecord& h : hyper_nodes_) {
      if (h.tier_name.empty()) continue;
      const auto [at, added] = out.tier_of_name.try_emplace(h.tier_name, h.tier);
      if (!added) at->second = std::min<std::int64_t>(at->second, h.tier);
    }
    out.notices = std::move(notices_).Take();
    return out;
  }

 private:
  enum class Standing : std::uint8_t { kUnknown, kAsked, kGood, kLeftOut };
  struct Work {
    std::size_t parent = DomainSpec::kNoParent;
    std::vector<NodeIndex> nodes;
    Standing standing = Standing::kUnknown;
    std::size_t level = 1;
  };

  const std::string& Name(std::size_t i) const { return hyper_nodes_[i].meta.name; }

  void Tell(std::size_t i, const std::string& what) {
    notices_.Add("HyperNode " + Shown(Name(i)) + ": " + what);
  }
  void LeaveOut(std::size_t i, const std::string& why) {
    if (of_[i].standing == Standing::kLeftOut) return;
    of_[i].standing = Standing::kLeftOut;
    Tell(i, why + ", so it is left out with all that is inside it");
  }

  void ReadMembers(std::size_t i) {
    if (!hyper_nodes_[i].meta.flaw.empty())
      return LeaveOut(i, "could not be read: " + hyper_nodes_[i].meta.flaw);
    const std::vector<HyperNodeMember>& members = hyper_nodes_[i].members;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const NameFinder::Found found = Find(i, members[m]);
      if (!found) {
        return LeaveOut(i, "spec.members[" + std::to_string(m) + "]: " +
                               (members[m].labels ? ""
                                                  : Shown(members[m].pattern) +
                                                        " is no regular expression, or ") +
                               "there is too much to look up");
      }
      if (found->empty() && !members[m].name.empty()) {
        Tell(i, std::string("there is no ") + (members[m].is_node ? "node " : "HyperNode ") +
                    Shown(members[m].name));
      }
      for (const std::size_t at : *found) {
        if (members[m].is_node) {
          of_[i].nodes.push_back(NodeIndex(at));
        } else {
          Adopt(i, at);
        }
      }
    }
  }

  NameFinder::Found Find(std::size_t i, const HyperNodeMember& member) {
    if (member.labels) return labels_.Matching(*member.labels);
    NameFinder& names = member.is_node ? node_names_ : hyper_node_names_;
    if (member.name.empty()) {
      NameFinder::Found found = names.Matching(member.pattern);
      // A pattern of HyperNodes means closer ones.
      if (found && !member.is_node)
        std::erase_if(*found,
                      [&](std::size_t h) { return hyper_nodes_[h].tier >= hyper_nodes_[i].tier; });
      return found;
    }
    const std::optional<std::size_t> at = names.Named(member.name);
    return at ? std::vector{*at} : std::vector<std::size_t>{};
  }

  void Adopt(std::size_t parent, std::size_t child) {
    std::size_t& current = of_[child].parent;
    if (current != DomainSpec::kNoParent && current != parent)
      return LeaveOut(
          child, "is a member of both " + Shown(Name(current)) + " and " + Shown(Name(parent)));
    current = parent;
  }

  // Whether all around it stands. Goes up once for each.
  void Settle(std::size_t start) {
    std::vector<std::size_t> path;
    std::size_t i = start;
    while (of_[i].standing == Standing::kUnknown) {
      of_[i].standing = Standing::kAsked;
      path.push_back(i);
      if (of_[i].parent == DomainSpec::kNoParent) break;
      i = of_[i].parent;
    }
    if (of_[i].standing == Standing::kAsked && i != path.back()) TellCycle(i);
    if (of_[i].standing == Standing::kAsked && of_[i].parent == i) TellCycle(i);
    for (; !path.empty(); path.pop_back()) {
      Work& work = of_[path.back()];
      if (work.standing != Standing::kAsked) continue;
      work.standing = Standing::kGood;
      if (work.parent == DomainSpec::kNoParent) continue;
      const Work& around = of_[work.parent];
      if (around.standing == Standing::kLeftOut) work.standing = Standing::kLeftOut;
      work.level = around.level + 1;
      if (work.level >= DomainTree::kMostLevels)
        LeaveOut(path.back(),
                 "is more than " + std::to_string(DomainTree::kMostLevels) + " levels down");
    }
  }

  void TellCycle(std::size_t on) {
    std::size_t i = on;
    do {
      const std::size_t next = of_[i].parent;
      LeaveOut(i, "is on a cycle of members with " + Shown(Name(next)));
      i = next;
    } while (i != on);
  }

  std::span<const HyperNodeRecord> hyper_nodes_;
  std::size_t node_count_;
  std::size_t looks_left_ = kMostLookUps;
  NameFinder node_names_;
  NameFinder hyper_node_names_;
  LabelFinder labels_;
  std::vector<Work> of_;
  DomainNotices notices_;
};

}  // namespace

Domains DomainsOfHyperNodes(std::span<const HyperNodeRecord> hyper_nodes,
                            std::span<const NodeRecord* const> nodes) {
  return Builder(hyper_nodes, nodes).Build();
}

}  // namespace batholith
