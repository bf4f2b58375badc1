#include "plugins/drf/hierarchy.h"

#include <algorithm>

#include "plugins/common/queue_hierarchy.h"

namespace batholith {

DrfTree::DrfTree(const Snapshot& snapshot, const ResourceTable& job_allocated,
                 const ResourceTable& job_request)
    : snapshot_(snapshot),
      dims_(snapshot.schema.size()),
      nodes_(1),
      queue_path_(snapshot.queues.size()),
      job_leaf_(snapshot.jobs.size(), 0) {
  for (std::size_t q = 0; q < snapshot.queues.size(); ++q) {
    std::size_t at = 0;
    for (const HierarchyStep& step : HierarchyPath(snapshot.queues[q].record->meta.annotations)) {
      at = Child(at, step.name, step.weight);
      queue_path_[q].push_back(at);
    }
    for (const JobIndex job : snapshot.queues[q].jobs) {
      const std::size_t leaf = nodes_.size();
      nodes_.emplace_back();
      nodes_[leaf].leaf = true;
      nodes_[leaf].request = job_request[job.value()];
      nodes_[leaf].allocated = job_allocated[job.value()];
      nodes_[at].children.push_back(leaf);
      job_leaf_[job.value()] = leaf;
      allocated_ += job_allocated[job.value()];
    }
  }
  Recompute();
}

std::size_t DrfTree::Child(std::size_t parent, const std::string& name, double weight) {
  const auto [it, added] = by_name_.try_emplace({parent, name}, nodes_.size());
  if (added) {
    nodes_.emplace_back();
    nodes_.back().weight = weight;
    nodes_[parent].children.push_back(it->second);
  }
  return it->second;
}

void DrfTree::Add(JobIndex job, const ResourceVector& amount, int sign) {
  const std::size_t leaf = job_leaf_[job.value()];
  if (leaf == 0) return;
  if (sign > 0) {
    nodes_[leaf].allocated += amount;
    allocated_ += amount;
  } else {
    nodes_[leaf].allocated -= amount;
    allocated_ -= amount;
  }
  Recompute();
}

// Children stand behind their parents. No recursion: a queue's annotation may go as deep as it is
// long.
void DrfTree::Recompute() {
  for (std::size_t n = nodes_.size(); n-- > 0;) Update(n);
}

double DrfTree::ShareOf(const ResourceVector& allocated) const {
  double share = 0;
  for (std::size_t r = 0; r < dims_; ++r) {
    if (allocated[r] <= 0) continue;
    const double total = static_cast<double>(snapshot_.total[r]);
    share = std::max(share, total > 0 ? static_cast<double>(allocated[r]) / total : 1.0);
  }
  return share;
}

void DrfTree::Update(std::size_t n) {
  if (nodes_[n].leaf) {
    Node& leaf = nodes_[n];
    leaf.share = ShareOf(leaf.allocated);
    leaf.saturated = false;
    for (std::size_t r = 0; r < dims_; ++r) {
      if (r == ResourceSchema::kPods) continue;
      const bool demanding = allocated_[r] < snapshot_.total[r];
      const bool has_all =
          leaf.allocated[r] != 0 && leaf.request[r] != 0 && leaf.allocated[r] >= leaf.request[r];
      if (has_all || (!demanding && leaf.request[r] != 0)) leaf.saturated = true;
    }
    return;
  }
  const std::vector<std::size_t>& children = nodes_[n].children;
  double least = 1;  // the smallest share of a child that still wants more
  bool saturated = true;
  for (const std::size_t c : children) {
    saturated = saturated && nodes_[c].saturated;
    if (nodes_[c].share > 0 && !nodes_[c].saturated) least = std::min(least, nodes_[c].share);
  }
  ResourceVector sum;
  for (const std::size_t c : children) {
    const Node& child = nodes_[c];
    if (child.share <= 0) continue;
    const double scale = child.saturated ? 1.0 : least / child.share;
    for (std::size_t r = 0; r < dims_; ++r) {
      const auto part = static_cast<double>(child.allocated[r]) * scale;
      // A whole one is taken as it is: as a double the largest amount is one too many.
      sum[r] = ResourceVector::AddSaturating(
          sum[r], scale < 1 ? static_cast<std::int64_t>(part) : child.allocated[r]);
    }
  }
  nodes_[n].allocated = sum;
  nodes_[n].share = ShareOf(sum);
  nodes_[n].saturated = saturated;
}

std::weak_ordering DrfTree::CompareQueues(QueueIndex a, QueueIndex b) const {
  const std::vector<std::size_t>& pa = queue_path_[a.value()];
  const std::vector<std::size_t>& pb = queue_path_[b.value()];
  for (std::size_t level = 0; level < std::min(pa.size(), pb.size()); ++level) {
    const Node& na = nodes_[pa[level]];
    const Node& nb = nodes_[pb[level]];
    if (na.saturated != nb.saturated)
      return na.saturated ? std::weak_ordering::greater : std::weak_ordering::less;
    const double sa = na.share / na.weight;
    const double sb = nb.share / nb.weight;
    if (sa < sb) return std::weak_ordering::less;
    if (sb < sa) return std::weak_ordering::greater;
  }
  return std::weak_ordering::equivalent;
}

}  // namespace batholith
