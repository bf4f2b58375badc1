#include "quota/runtime_tree.h"

#include <algorithm>

#include "api/check.h"
#include "quota/water_level.h"

namespace batholith {

RuntimeTree::RuntimeTree(std::vector<TreeQuota> quotas, const Options& options)
    : options_(options), nodes_(quotas.size()) {
  for (std::size_t i = 0; i < quotas.size(); ++i) nodes_[i].quota = std::move(quotas[i]);
  const auto by_name = [&](std::size_t a, std::size_t b) {
    return nodes_[a].quota.name < nodes_[b].quota.name;
  };
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const QuotaIndex parent = nodes_[i].quota.parent;
    CHECK(parent.is_none() || parent.value() < i);
    (parent.is_none() ? top_ : nodes_[parent.value()].children).push_back(i);
  }
  std::ranges::stable_sort(top_, by_name);
  for (Node& node : nodes_) std::ranges::stable_sort(node.children, by_name);
  // A quota that does not lend asks for its min although nobody asked it for anything.
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    UpdateRequest(node);
    ResourceVector& above = node.quota.parent.is_none()
                                ? root_request_
                                : nodes_[node.quota.parent.value()].child_request;
    above += node.limited;
  }
}

void RuntimeTree::UpdateRequest(Node& node) const {
  node.request = node.child_request;
  if (!Lends(node)) node.request = ResourceVector::Max(node.request, node.quota.min.values());
  node.limited = node.request;
  for (std::size_t r = 0; r < options_.dimensions; ++r) {
    if (node.quota.max.Has(r)) node.limited[r] = std::min(node.limited[r], node.quota.max[r]);
  }
}

void RuntimeTree::SetTotal(const ResourceVector& total) {
  dirty_ = dirty_ || total_ != total;
  total_ = total;
}

void RuntimeTree::AddRequest(QuotaIndex q, const ResourceVector& delta) {
  nodes_[q.value()].self_request = (nodes_[q.value()].self_request + delta).ClampedAtZero();
  ResourceVector change = delta;
  while (!q.is_none()) {
    Node& node = nodes_[q.value()];
    const ResourceVector before = node.limited;
    node.child_request = (node.child_request + change).ClampedAtZero();
    UpdateRequest(node);
    if (node.limited == before) return;
    dirty_ = true;
    change = node.limited - before;
    q = node.quota.parent;
  }
  root_request_ = (root_request_ + change).ClampedAtZero();
}

void RuntimeTree::AddUsed(QuotaIndex q, const ResourceVector& delta) {
  dirty_ = dirty_ || options_.guarantee_used;
  for (; !q.is_none(); q = nodes_[q.value()].quota.parent) {
    nodes_[q.value()].used = (nodes_[q.value()].used + delta).ClampedAtZero();
  }
}

const RuntimeTree& RuntimeTree::Fresh() const {
  // Runtimes are a function of the sums; computing them late changes nothing that can be seen.
  if (dirty_) const_cast<RuntimeTree*>(this)->Refresh();
  return *this;
}

void RuntimeTree::Refresh() {
  if (options_.guarantee_used) RefreshGuarantees();
  RefreshLevel(top_, total_);
  // A parent stands before its children, so its runtime is there when it is divided.
  for (Node& node : nodes_) {
    if (!node.children.empty()) RefreshLevel(node.children, node.runtime);
  }
  dirty_ = false;
}

void RuntimeTree::RefreshGuarantees() {
  for (Node& node : nodes_) node.allocated = ResourceVector();
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (node.children.empty()) node.allocated = node.used;
    node.guaranteed = ResourceVector::Max(node.quota.min.values(), node.allocated);
    if (!node.quota.parent.is_none())
      nodes_[node.quota.parent.value()].allocated += node.guaranteed;
  }
}

void RuntimeTree::RefreshLevel(const std::vector<std::size_t>& children,
                               const ResourceVector& total) {
  std::vector<ScaledMin> mins(children.size());
  std::vector<LevelChild> level(children.size());
  for (std::size_t r = 0; r < options_.dimensions; ++r) {
    bool anybody = false;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const Node& node = nodes_[children[i]];
      mins[i] = {node.quota.min[r], true, node.quota.min[r]};
      anybody =
          anybody || node.limited[r] != 0 || node.quota.min[r] != 0 || node.guaranteed[r] != 0;
    }
    if (anybody && options_.scale_min) ScaleMins(total[r], mins);
    for (std::size_t i = 0; i < children.size(); ++i) {
      const Node& node = nodes_[children[i]];
      level[i] = {node.quota.weight[r], node.limited[r], mins[i].scaled,
                  node.guaranteed[r],   Lends(node),     0};
    }
    if (anybody) FillLevel(total[r], level);
    for (std::size_t i = 0; i < children.size(); ++i) {
      nodes_[children[i]].scaled_min[r] = mins[i].scaled;
      nodes_[children[i]].runtime[r] = level[i].runtime;
    }
  }
}

}  // namespace batholith
