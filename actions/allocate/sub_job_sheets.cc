#include "actions/allocate/sub_job_sheets.h"

#include <algorithm>
#include <tuple>

namespace batholith {
namespace {

using Tasks = std::vector<TaskIndex>;

std::shared_ptr<const Tasks> BySubJob(const Snapshot& snapshot, std::span<const TaskIndex> tasks) {
  auto out = std::make_shared<Tasks>(tasks.begin(), tasks.end());
  std::ranges::stable_sort(*out, {}, [&](TaskIndex t) { return snapshot.task(t).sub_job; });
  return out;
}

std::span<const TaskIndex> Of(const Snapshot& snapshot, const Tasks& tasks, std::uint32_t sub_job) {
  const auto found = std::ranges::equal_range(
      tasks, sub_job, {}, [&](TaskIndex t) { return snapshot.task(t).sub_job; });
  return {found.begin(), found.end()};
}

}  // namespace

SubJobSheets::SubJobSheets(const Session& session, JobIndex job, std::span<const TaskIndex> tasks,
                           const DomainTree* tree)
    : members_(BySubJob(session.snapshot(), session.snapshot().job(job).tasks)),
      waiting_(BySubJob(session.snapshot(), tasks)) {
  const Snapshot& snapshot = session.snapshot();
  const JobFacts& facts = snapshot.job(job);
  sheets_.resize(facts.sub_jobs.size());
  for (std::size_t s = 0; s < sheets_.size(); ++s) {
    SubJobSheet& sheet = sheets_[s];
    sheet.sub_job = static_cast<std::uint32_t>(s);
    sheet.minimum = facts.sub_jobs[s].min_available;
    sheet.members = Of(snapshot, *members_, sheet.sub_job);
    sheet.tasks = Of(snapshot, *waiting_, sheet.sub_job);
    for (const TaskIndex t : sheet.tasks) sheet.waiting += snapshot.task(t).request;
  }
  CountWhatIsPlaced(session, tree);
  PutInOrder(session, job);
}

void SubJobSheets::CountWhatIsPlaced(const Session& session, const DomainTree* tree) {
  for (SubJobSheet& sheet : sheets_) {
    for (const TaskIndex t : sheet.members) {
      const TaskStatus status = session.state().status(t);
      if (CountsAsReady(status)) ++sheet.ready;
      if (status == TaskStatus::kPipelined) ++sheet.reserved;
      const NodeIndex node = session.state().node(t);
      if (tree == nullptr || node.is_none() ||
          (!HoldsAllocation(status) && status != TaskStatus::kPipelined))
        continue;
      sheet.held = sheet.held.is_none() ? tree->LeafOf(node) : tree->Common(sheet.held, node);
    }
  }
}

void SubJobSheets::PutInOrder(const Session& session, JobIndex job) {
  const JobFacts& facts = session.snapshot().job(job);
  const auto policy = [&](const SubJobSheet& sheet) {
    return static_cast<std::size_t>(facts.sub_jobs[sheet.sub_job].policy + 1);
  };
  std::vector<std::int64_t> needed(facts.record->sub_group_policies.size() + 1);
  for (std::size_t p = 1; p < needed.size(); ++p)
    needed[p] = facts.record->sub_group_policies[p - 1].min_sub_groups;
  for (const SubJobSheet& sheet : sheets_) needed[policy(sheet)] -= sheet.done() ? 1 : 0;
  std::vector<std::int64_t> priorities(sheets_.size(), INT32_MIN);
  for (const SubJobSheet& sheet : sheets_) {
    for (const TaskIndex t : sheet.members)
      priorities[sheet.sub_job] =
          std::max<std::int64_t>(priorities[sheet.sub_job], session.snapshot().task(t).priority);
  }
  std::erase_if(sheets_, [](const SubJobSheet& sheet) { return sheet.tasks.empty(); });
  std::ranges::stable_sort(sheets_, {}, [&](const SubJobSheet& sheet) {
    return std::tuple(-priorities[sheet.sub_job], facts.sub_jobs[sheet.sub_job].number,
                      sheet.sub_job);
  });
  std::vector<std::uint8_t> first(facts.sub_jobs.size());
  for (const SubJobSheet& sheet : sheets_) {
    if (!sheet.done() && needed[policy(sheet)]-- > 0) first[sheet.sub_job] = 1;
  }
  std::ranges::stable_sort(sheets_, std::ranges::greater(),
                           [&](const SubJobSheet& sheet) { return first[sheet.sub_job]; });
}

SubJobSheet* SubJobSheets::Next() {
  SubJobSheet* has_its_minimum = nullptr;
  for (SubJobSheet& sheet : sheets_) {
    if (!sheet.open()) continue;
    if (!sheet.done()) return &sheet;
    if (has_its_minimum == nullptr) has_its_minimum = &sheet;
  }
  return has_its_minimum;
}

std::size_t SubJobSheets::CountOpen() const {
  return static_cast<std::size_t>(std::ranges::count_if(sheets_, &SubJobSheet::open));
}

}  // namespace batholith
