#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "actions/common/victim_judge.h"

namespace batholith {

// Chooses among tasks that could each fall by itself, but not all together: the set that may fall
// together, makes the preemptor fit, and whose last task falls first. Every set is tried but those
// that cannot give enough, and those that differ from a tried one only by tasks that are alike;
// after so many questions it gives up.
class VictimSet {
 public:
  // `options` in falling order. `questions`: how many it may ask; it is left with the rest.
  VictimSet(VictimJudge& judge, NodeIndex node, std::span<const TaskIndex> options,
            std::int64_t& questions);

  std::optional<std::vector<TaskIndex>> Find();

 private:
  struct Option {
    TaskIndex task;
    const ResourceVector* request = nullptr;
    std::size_t job = 0;    // place in jobs_
    std::size_t alike = 0;  // the first option that nobody can tell from it
  };
  struct Job {
    JobIndex job;
    std::int64_t most = 0;   // so many of it may fall, at most
    std::int64_t taken = 0;  // so many are chosen
  };

  std::size_t AlikeTo(std::size_t i) const;
  bool Gives(std::size_t from);
  bool Covers() const;
  std::vector<TaskIndex> Tasks() const;
  bool Add(std::size_t i);
  void Drop();
  bool Extend(std::size_t from);

  VictimJudge& judge_;
  NodeIndex node_;
  std::int64_t& questions_;
  std::vector<std::pair<std::size_t, std::int64_t>> lacks_;  // resource, amount
  std::vector<Option> options_;
  std::vector<Job> jobs_;
  std::size_t last_ = 0;                            // in every set that is tried now
  std::vector<std::size_t> chosen_;                 // places in options_, beside the last one
  std::vector<bool> passed_over_;                   // by the first of those alike
  std::vector<std::vector<std::int64_t>> scratch_;  // by job
};

}  // namespace batholith
