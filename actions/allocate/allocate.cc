#include "actions/allocate/allocate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>

#include "actions/allocate/gang_search.h"
#include "actions/common/error_cache.h"
#include "actions/common/hard_topology.h"
#include "actions/common/job_queue.h"
#include "actions/common/slot_chooser.h"
#include "framework/node_chooser.h"
#include "framework/session.h"
#include "framework/statement.h"

namespace batholith {
namespace {

struct Worksheet {
  std::vector<TaskIndex> tasks;  // in task order
  std::size_t next = 0;
  std::set<std::uint32_t> failed_roles;
  std::set<ClassIndex> failed_classes;
};

class Allocator {
 public:
  explicit Allocator(Session& session)
      : session_(session),
        snapshot_(session.snapshot()),
        chooser_(session, Fit::kResources),
        topologies_(session),
        somebody_admits_(session.pipeline().Any(&ActionDescriptor::admits)),
        promised_(session),
        waiting_(session) {}

  void Run() {
    for (std::size_t j = 0; j < snapshot_.jobs.size(); ++j) Open(JobIndex(j));
    // Whom an earlier session made room for comes before all others, once: else a queue that is
    // served earlier takes the room back, and the victims fell for nothing, session after session.
    Serve(promised_);
    Serve(waiting_);
  }

 private:
  void Serve(QueuedJobs& jobs_by_queue) {
    while (!jobs_by_queue.empty()) {
      const QueueIndex queue = jobs_by_queue.Best();
      JobQueue& jobs = jobs_by_queue.Of(queue);
      if (jobs.empty() || Overused(queue, jobs)) {
        jobs_by_queue.Drop(queue);
        continue;
      }
      const JobIndex job = jobs.Pop();
      if (Turn(job)) {
        waiting_.Add(job);
      } else {
        KeepOrder(session_, jobs, job);
      }
    }
  }

  // In a fifo queue nobody goes before his turn.
  bool IsPromised(JobIndex job) const {
    return !snapshot_.queue(snapshot_.job(job).queue).record->fifo &&
           std::ranges::any_of(sheets_.at(job).tasks,
                               [&](TaskIndex t) { return !snapshot_.task(t).nominated.is_none(); });
  }

  void Open(JobIndex job) {
    const QueueIndex queue = snapshot_.job(job).queue;
    if (session_.state().phase(job) == JobPhase::kPending) {
      if (somebody_admits_ || queue.is_none()) return;
      session_.SetPhase(job, JobPhase::kInqueue);
    }
    if (queue.is_none()) return;
    Worksheet sheet;
    sheet.tasks = PendingTasks(session_, job);
    if (sheet.tasks.empty() || !session_.chains().ValidateJob(job).ok()) return;
    if (HoldForTopology(session_, topologies_, job)) return;
    if (GangSearch::Concerns(snapshot_, job)) {
      if (!gangs_) gangs_.emplace(session_, chooser_, topologies_);
      gangs_->Open(job, sheet.tasks);
    }
    sheets_.emplace(job, std::move(sheet));
    (IsPromised(job) ? promised_ : waiting_).Add(job);
  }

  // An overused queue gets nothing more; its waiting jobs are told so.
  bool Overused(QueueIndex queue, JobQueue& jobs) {
    if (!session_.chains().Overused(queue)) return false;
    while (!jobs.empty()) {
      const JobIndex job = jobs.Pop();
      session_.attempts().RecordQueueRefusal(job, OverusedFor(queue, job));
    }
    return true;
  }

  // Of the first resource that the job's next task asks for.
  QueueVerdict OverusedFor(QueueIndex queue, JobIndex job) const {
    QueueVerdict verdict{.why = {Reason::kQueueOverused, true, 0}};
    const auto figures = session_.chains().Figures(queue);
    const Worksheet& sheet = sheets_.at(job);
    if (!figures || sheet.next >= sheet.tasks.size()) return verdict;
    const ResourceVector& request = snapshot_.task(sheet.tasks[sheet.next]).request;
    for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
      if (r == ResourceSchema::kPods || request[r] <= 0) continue;
      verdict.why.detail = static_cast<std::uint32_t>(r);
      verdict.held = session_.state().queue_allocated(queue)[r];
      verdict.asked = request[r];
      verdict.limit = figures->deserved[r];
      break;
    }
    return verdict;
  }

  // One turn. True: the job waits for another one.
  bool Turn(JobIndex job) {
    Worksheet& sheet = sheets_.at(job);
    Statement statement(session_);
    refusal_.reset();
    const bool again = Serve(job, sheet, statement);
    if (refusal_) session_.attempts().RecordQueueRefusal(job, *refusal_);
    return again;
  }

  bool Serve(JobIndex job, Worksheet& sheet, Statement& statement) {
    const bool searched = GangSearch::Concerns(snapshot_, job);
    const bool placed =
        searched ? gangs_->Place(job, statement, refusal_) : PlaceTasks(job, sheet, statement);
    const bool ready = session_.chains().JobReady(job);
    if (ready && RestHasRoom(job, statement)) {
      statement.Commit();
      return placed && (searched ? gangs_->HasMore(job) : sheet.next < sheet.tasks.size());
    }
    session_.attempts().RecordGivenBack(job, static_cast<std::int32_t>(statement.placed().size()));
    if (!ready && (session_.chains().JobPipelined(job) || snapshot_.job(job).record->keeps_parts)) {
      statement.KeepReserved();
    } else if (refusal_ && refusal_->asked > 0) {
      AskForWholeGang(job, sheet, statement.placed(), *refusal_);
    }
    return false;
  }

  // True always: what finds no place has had its turn all the same.
  bool PlaceTasks(JobIndex job, Worksheet& sheet, Statement& statement) {
    while (sheet.next < sheet.tasks.size()) {
      if (!Place(job, sheet, sheet.tasks[sheet.next++], statement)) break;
      if (session_.chains().JobReady(job)) break;
    }
    return true;
  }

  // The places that a gang gives back were never held: what it asked for is those and the task that
  // was refused, or its whole minimum, where that is more.
  void AskForWholeGang(JobIndex job, const Worksheet& sheet, const std::vector<TaskIndex>& placed,
                       QueueVerdict& refusal) const {
    const auto add = [&](std::int64_t& sum, TaskIndex t) {
      sum = ResourceVector::AddSaturating(sum, session_.chains().WeightIn(refusal, t));
    };
    std::int64_t given_back = 0;
    for (const TaskIndex t : placed) add(given_back, t);
    std::int64_t minimum = 0;
    const auto ready_for_now = std::ranges::count_if(
        placed, [&](TaskIndex t) { return CountsAsReady(session_.state().status(t)); });
    const std::int64_t lacking =
        snapshot_.job(job).min_available - (session_.state().job(job).Ready() - ready_for_now);
    for (const TaskIndex t : sheet.tasks | std::views::take(std::max(lacking, std::int64_t{0})))
      add(minimum, t);
    refusal.held = ResourceVector::SubSaturating(refusal.held, given_back);
    refusal.asked = std::max(ResourceVector::AddSaturating(refusal.asked, given_back), minimum);
  }

  // Whether the pods of the gang that ask for nothing find the places that it needs, so that
  // backfill can complete what is started here.
  bool RestHasRoom(JobIndex job, Statement& statement) {
    if (session_.chains().JobWhole(job) ||
        !session_.pipeline().Any(&ActionDescriptor::places_best_effort))
      return true;
    if (!slots_) slots_.emplace(session_, topologies_);
    const Statement::Checkpoint start = statement.checkpoint();
    for (const TaskIndex task : UnplacedBestEffortTasks(session_, job)) {
      if (session_.state().status(task) != TaskStatus::kPending) continue;
      const NodeChoice choice = slots_->Best(task);
      if (choice.node.is_none()) {
        slots_->Tell(task);
        continue;
      }
      statement.Allocate(task, choice.node);
      if (session_.chains().JobWhole(job)) break;
    }
    const bool whole = session_.chains().JobWhole(job);
    statement.RollbackTo(start);
    return whole;
  }

  // False: it is no use to go on with this job in this turn.
  bool Place(JobIndex job, Worksheet& sheet, TaskIndex task, Statement& statement) {
    const TaskFacts& facts = snapshot_.task(task);
    const QueueVerdict verdict = session_.chains().Admits(snapshot_.job(job).queue, task);
    if (!verdict.ok()) {
      refusal_ = verdict;
      return true;
    }
    if (sheet.failed_classes.contains(session_.classes().Of(task))) return true;
    const NodeChoice choice = chooser_.Best(task);
    if (!choice.node.is_none()) {
      if (choice.idle) {
        statement.Allocate(task, choice.node);
      } else {
        statement.Pipeline(task, choice.node);
      }
      return true;
    }
    session_.attempts().RecordUnfit(task, chooser_.Explain(task));
    sheet.failed_classes.insert(session_.classes().Of(task));
    sheet.failed_roles.insert(facts.role);
    return MayGoOn(job, sheet, facts.role);
  }

  // Whether the minimum is still in reach without the tasks
  // that failed.
  bool MayGoOn(JobIndex job, const Worksheet& sheet, std::uint32_t failed_role) const {
    const JobFacts& facts = snapshot_.job(job);
    if (!facts.record->sub_group_policies.empty()) return true;
    if (facts.min_available == static_cast<std::int32_t>(facts.tasks.size())) return false;
    const bool by_total = facts.min_available < facts.role_min_total;
    std::int32_t in_reach = 0;
    for (const TaskIndex t : facts.tasks) {
      const TaskStatus s = session_.state().status(t);
      const bool failed =
          s == TaskStatus::kPending && sheet.failed_classes.contains(session_.classes().Of(t));
      const bool counts = by_total || snapshot_.task(t).role == failed_role;
      if (counts && !failed &&
          (CountsAsReady(s) || s == TaskStatus::kPipelined || s == TaskStatus::kPending)) {
        ++in_reach;
      }
    }
    return in_reach >= (by_total ? facts.min_available : facts.roles[failed_role].min);
  }

  Session& session_;
  const Snapshot& snapshot_;
  NodeChooser chooser_;
  JobTopologies topologies_;
  bool somebody_admits_;
  std::optional<QueueVerdict> refusal_;  // the last one of this turn
  std::optional<GangSearch> gangs_;      // once there is such a job
  std::optional<SlotChooser> slots_;     // for pods that ask for nothing, once asked
  std::map<JobIndex, Worksheet> sheets_;
  QueuedJobs promised_;
  QueuedJobs waiting_;
};

constexpr ArgumentSpec kArguments[] = {ErrorCacheArgument()};

void Allocate(Session& session) { Allocator(session).Run(); }

}  // namespace

ActionDescriptor AllocateAction() {
  return DescribeAction<Allocate>({
      .name = "allocate",
      .summary = "places waiting pods where there is room, gangs whole",
      .arguments = kArguments,
      .places = true,
      .serves_jobs = true,
  });
}

}  // namespace batholith
