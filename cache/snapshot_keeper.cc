#include "cache/snapshot_keeper.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cache/snapshot_update.h"
#include "cache/total.h"

namespace batholith {
namespace {

// Where the facts of each record stand.
template <typename Record, typename Facts>
std::vector<std::uint32_t> IndexOf(const std::vector<Record>& records,
                                   const std::vector<Facts>& facts) {
  std::vector<std::uint32_t> index(records.size(), ChangedPlaces::kNone);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const auto place = facts[i].record - records.data();
    index[static_cast<std::size_t>(place)] = static_cast<std::uint32_t>(i);
  }
  return index;
}

// A group of Volcano's is one job; others are several, or several are one.
bool IsRegular(const Snapshot& snapshot) {
  const ClusterObjects& objects = *snapshot.objects;
  return snapshot.buffers.empty() && snapshot.bundles.empty() &&
         snapshot.tasks.size() == objects.pods.size() &&
         snapshot.jobs.size() == objects.pod_groups.size() &&
         std::ranges::adjacent_find(snapshot.jobs, {}, &JobFacts::record) == snapshot.jobs.end() &&
         std::ranges::none_of(snapshot.queues,
                              [](const QueueFacts& q) { return q.flawed != nullptr; });
}

// But for the time.
bool AreSame(const SnapshotOptions& a, const SnapshotOptions& b) {
  return a.scheduler_names == b.scheduler_names && a.default_queue == b.default_queue &&
         a.node_resources == b.node_resources && a.scope == b.scope && a.ignored == b.ignored &&
         a.hold_device_claims == b.hold_device_claims;
}

}  // namespace

std::shared_ptr<const Snapshot> SnapshotKeeper::Take(
    const std::shared_ptr<const ClusterObjects>& objects, const SnapshotOptions& options,
    const std::unordered_map<std::string, std::size_t>& group_places) {
  counts_.last_was_built = !Follow(options, group_places);
  ++(counts_.last_was_built ? counts_.built : counts_.followed);
  if (counts_.last_was_built) Build(objects, options);
  others_ = false;
  nodes_.clear();
  first_pod_ = objects->pods.data();
  first_group_ = objects->pod_groups.data();
  snapshot_->now = options.now;
  return snapshot_;
}

bool SnapshotKeeper::Follow(const SnapshotOptions& options,
                            const std::unordered_map<std::string, std::size_t>& group_places) {
  if (snapshot_ == nullptr || others_ || !AreSame(options, tables_->options) || !CanBeFollowed())
    return false;
  if (snapshot_.use_count() > 1) return false;  // whoever holds the last one sees it as it was
  const ClusterObjects& objects = *snapshot_->objects;
  SnapshotUpdate update(*snapshot_, *tables_,
                        {pods_, groups_, nodes_, group_places, first_pod_ != objects.pods.data(),
                         first_group_ != objects.pod_groups.data()});
  if (!update.CanFollow()) return false;
  update.Follow();
  return true;
}

bool SnapshotKeeper::CanBeFollowed() const {
  // Classes and amounts that nobody has any more stay until the next one is built.
  constexpr std::size_t kMore = 256;
  return regular_ && tables_->classes.size() <= 2 * classes_ + kMore &&
         tables_->amounts->size() <= 2 * amounts_ + kMore && !IsCutOff(snapshot_->total) &&
         !IsCutOff(tables_->foreign);
}

void SnapshotKeeper::Build(const std::shared_ptr<const ClusterObjects>& objects,
                           const SnapshotOptions& options) {
  snapshot_.reset();
  BuiltSnapshot built = BuildSnapshotAndTables(objects, options);
  snapshot_ = std::move(built.snapshot);
  tables_ = std::move(built.tables);
  classes_ = tables_->classes.size();
  amounts_ = tables_->amounts->size();
  regular_ = IsRegular(*snapshot_);
  if (regular_ && !tables_->mark_counts.Any(PodMark::kAbsurd))
    snapshot_->standing = tables_->standing = std::make_shared<Standing>(*snapshot_);
  if (!regular_) {
    pods_.Reset(std::vector<std::uint32_t>(objects->pods.size()));
    groups_.Reset(std::vector<std::uint32_t>(objects->pod_groups.size()));
    return;
  }
  pods_.Reset(IndexOf(objects->pods, snapshot_->tasks));
  groups_.Reset(IndexOf(objects->pod_groups, snapshot_->jobs));
}

}  // namespace batholith
