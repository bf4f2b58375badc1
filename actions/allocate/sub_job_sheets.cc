#include "actions/allocate/sub_job_sheets.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "api/smallest_groups.h"

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
    : job_(&session.snapshot().job(job)),
      members_(BySubJob(session.snapshot(), job_->tasks)),
      waiting_(BySubJob(session.snapshot(), tasks)),
      formed_(job_->record->sub_group_policies),
      failed_(job_->record->sub_group_policies.size()) {
  const Snapshot& snapshot = session.snapshot();
  sheets_.resize(job_->sub_jobs.size());
  for (std::size_t s = 0; s < sheets_.size(); ++s) {
    SubJobSheet& sheet = sheets_[s];
    sheet.sub_job = static_cast<std::uint32_t>(s);
    sheet.minimum = job_->sub_jobs[s].min_available;
    sheet.members = Of(snapshot, *members_, sheet.sub_job);
    sheet.tasks = Of(snapshot, *waiting_, sheet.sub_job);
    for (const TaskIndex t : sheet.tasks) sheet.waiting += snapshot.task(t).request;
  }
  CountWhatIsPlaced(session, tree);
  CountWhatIsFormed();
  PutInOrder(session);
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

void SubJobSheets::CountWhatIsFormed() {
  const std::vector<SubGroupPolicy>& policies = job_->record->sub_group_policies;
  std::vector<std::int32_t> groups(policies.size());
  for (const SubGroupPolicy& policy : policies) {
    if (policy.part_of < 0) continue;
    nested_ = true;
    ++groups[static_cast<std::size_t>(policy.part_of)];
  }
  for (SubJobSheet& sheet : sheets_) {
    const std::int32_t policy = PolicyOf(sheet);
    if (policy < 0) continue;
    ++groups[static_cast<std::size_t>(policy)];
    if (!sheet.formed()) continue;
    sheet.counted = true;
    formed_.Add(policy);
  }
  for (std::size_t p = 0; p < policies.size(); ++p)
    has_choice_ =
        has_choice_ || (policies[p].min_sub_groups > 0 && policies[p].min_sub_groups < groups[p]);
}

void SubJobSheets::PutInOrder(const Session& session) {
  std::vector<std::int64_t> priorities(sheets_.size(), INT32_MIN);
  for (const SubJobSheet& sheet : sheets_) {
    for (const TaskIndex t : sheet.members)
      priorities[sheet.sub_job] =
          std::max<std::int64_t>(priorities[sheet.sub_job], session.snapshot().task(t).priority);
  }
  std::erase_if(sheets_, [](const SubJobSheet& sheet) { return sheet.tasks.empty(); });
  std::ranges::stable_sort(sheets_, {}, [&](const SubJobSheet& sheet) {
    return std::tuple(-priorities[sheet.sub_job], job_->sub_jobs[sheet.sub_job].number,
                      sheet.sub_job);
  });
  PutNeededFirst();
}

std::vector<std::int32_t> SubJobSheets::Missing() const {
  std::vector<std::int32_t> out(failed_.size());
  for (std::size_t p = 0; p < out.size(); ++p)
    out[p] = formed_.Missing(static_cast<std::int32_t>(p));
  return out;
}

// Of each policy as many as it still needs go before the others, in the order in which they are.
void SubJobSheets::PutNeededFirst() {
  std::vector<std::int32_t> missing = Missing();
  std::vector<std::uint8_t> first(job_->sub_jobs.size());
  for (const SubJobSheet& sheet : sheets_) {
    const std::int32_t policy = PolicyOf(sheet);
    if (policy >= 0 && !sheet.done() && missing[static_cast<std::size_t>(policy)]-- > 0)
      first[sheet.sub_job] = 1;
  }
  std::ranges::stable_sort(sheets_, std::ranges::greater(),
                           [&](const SubJobSheet& sheet) { return first[sheet.sub_job]; });
}

std::int32_t SubJobSheets::PolicyOf(const SubJobSheet& sheet) const {
  return job_->sub_jobs[sheet.sub_job].policy;
}

std::optional<std::int32_t> SubJobSheets::PartAround(const SubJobSheet& sheet,
                                                     std::int32_t policy) const {
  std::int32_t below = -1;
  for (std::int32_t at = PolicyOf(sheet); at >= 0;) {
    if (at == policy) return below;
    below = at;
    at = job_->record->sub_group_policies[static_cast<std::size_t>(at)].part_of;
  }
  return std::nullopt;
}

SubJobSheets::Waiting SubJobSheets::WaitingIn(std::int32_t policy) const {
  Waiting out;
  for (const SubJobSheet& sheet : sheets_) {
    if (!sheet.open() || !PartAround(sheet, policy)) continue;
    out.sub_job = sheet.sub_job;
    out.pods += sheet.tasks.size() - sheet.next;
    out.requests += sheet.waiting;
  }
  return out;
}

std::optional<GangPart> SubJobSheets::NextOf(std::int32_t policy) {
  for (SubJobSheet& sheet : sheets_) {
    if (!sheet.open()) continue;
    const std::optional<std::int32_t> part = PartAround(sheet, policy);
    if (!part) continue;
    if (*part < 0 && !sheet.formed()) return GangPart{.sheet = &sheet};
    if (*part >= 0 && !failed_[static_cast<std::size_t>(*part)] && !formed_.Met(*part))
      return GangPart{.policy = *part};
  }
  return std::nullopt;
}

std::optional<GangPart> SubJobSheets::Next() {
  if (nested_ && !formed_.Met()) return NextOf(0);  // the first one is around all others
  SubJobSheet* has_its_minimum = nullptr;
  for (SubJobSheet& sheet : sheets_) {
    if (!sheet.open()) continue;
    std::int32_t lacking = nested_ ? LackingAround(sheet) : -1;
    if (lacking >= 0) {
      if (!failed_[static_cast<std::size_t>(lacking)]) return GangPart{.policy = lacking};
      continue;
    }
    if (!sheet.done()) return GangPart{.sheet = &sheet};
    if (has_its_minimum == nullptr) has_its_minimum = &sheet;
  }
  if (has_its_minimum == nullptr) return std::nullopt;
  return GangPart{.sheet = has_its_minimum};
}

// The widest policy around the sheet that lacks its minimum; -1: none does.
std::int32_t SubJobSheets::LackingAround(const SubJobSheet& sheet) const {
  std::int32_t lacking = -1;
  for (std::int32_t at = PolicyOf(sheet); at >= 0;) {
    if (!formed_.Met(at)) lacking = at;
    at = job_->record->sub_group_policies[static_cast<std::size_t>(at)].part_of;
  }
  return lacking;
}

void SubJobSheets::Note(const GangPart& part, bool formed) {
  if (part.sheet == nullptr) {
    if (!formed) failed_[static_cast<std::size_t>(part.policy)] = true;
    return;
  }
  if (!formed) {
    part.sheet->failed = true;
  } else if (!part.sheet->counted) {
    part.sheet->counted = true;
    formed_.Add(PolicyOf(*part.sheet));
  }
}

void SubJobSheets::PutSmallestFirst() {
  const std::vector<SubGroupPolicy>& policies = job_->record->sub_group_policies;
  const auto lack_of = [](const SubJobSheet& sheet) {
    return std::int64_t{std::max(sheet.minimum - sheet.ready - sheet.reserved, 0)};
  };
  std::vector<std::vector<std::int64_t>> pods(policies.size());  // that groups lack
  for (const SubJobSheet& sheet : sheets_) {
    if (PolicyOf(sheet) >= 0 && !sheet.counted)
      pods[static_cast<std::size_t>(PolicyOf(sheet))].push_back(lack_of(sheet));
  }
  const std::vector<std::int64_t> lack = SmallestSums(policies, Missing(), std::move(pods));
  // From the widest policy around it to the sheet itself, so that parts of one policy stay
  // together.
  const auto key = [&](const SubJobSheet& sheet) {
    std::vector<std::pair<std::int64_t, std::int64_t>> path{{lack_of(sheet), 0}};
    for (std::int32_t at = PolicyOf(sheet); at >= 0;) {
      path.emplace_back(lack[static_cast<std::size_t>(at)], at);
      at = policies[static_cast<std::size_t>(at)].part_of;
    }
    std::ranges::reverse(path);
    return path;
  };
  std::ranges::stable_sort(sheets_, {}, key);
  PutNeededFirst();
}

std::size_t SubJobSheets::CountOpen() const {
  return static_cast<std::size_t>(std::ranges::count_if(sheets_, &SubJobSheet::open));
}

}  // namespace batholith
