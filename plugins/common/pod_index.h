#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/snapshot.h"
#include "framework/session_state.h"

namespace batholith {

// True when the task's pod stands on its node, or is about to. A pod that is leaving still does.
bool StandsOnNode(const SessionState& state, TaskIndex task);

// Number (or sum of weights) of pods by NodeIndex::value(); no entry is zero.
using PodCounts = std::map<std::uint32_t, std::int64_t>;
// Of pods by node: all that stand, and those of them that are leaving.
struct StandingCounts {
  PodCounts all;
  PodCounts leaving;
};

// Where the pods stand that pod affinity and topology spread ask for, kept up to date by the
// owner's AllocationObserver calls. Selectors are interned as matchers; a pod's answer to a matcher
// depends on its base class only. Built for snapshots with labels_matter. One thread.
class PodIndex {
 public:
  static constexpr std::uint32_t kNoDomain = 0xffffffffU;

  struct Term {
    std::uint32_t matcher = 0;
    std::uint32_t key = 0;
    std::int64_t weight = 0;  // preferred terms; negative: away from
  };
  struct Spread {
    std::uint32_t matcher = 0;
    std::uint32_t key = 0;
    bool self = false;  // selects the pod itself
    const TopologySpread* constraint = nullptr;
  };
  struct ClassTerms {
    const PodRecord* pod = nullptr;  // one of the class
    std::vector<Term> affinity;      // required
    std::uint32_t all_affinity = 0;  // matcher of pods that all of `affinity` select
    bool affine_to_self = false;
    std::vector<Term> anti;       // required
    std::vector<Term> preferred;  // both kinds
    std::vector<Spread> spread;
    std::vector<std::uint32_t> matched_by;  // matchers that select the class
  };
  // Pods that carry a term towards the pods of a matcher, by the node on which they stand.
  struct Carrier {
    std::uint32_t key = 0;
    bool required_anti = false;  // else a sum of score weights
    StandingCounts pods;
  };

  PodIndex(const Snapshot& snapshot, const SessionState& state);

  const ClassTerms& terms(ClassIndex c) const { return classes_[c.value()]; }
  const StandingCounts& matched(std::uint32_t matcher) const { return matchers_[matcher].pods; }
  const std::vector<Carrier>& carriers(std::uint32_t matcher) const {
    return matchers_[matcher].carriers;
  }
  std::size_t domains(std::uint32_t key) const { return keys_[key].domains; }
  // kNoDomain: the node has no such label.
  std::uint32_t domain(std::uint32_t key, NodeIndex node) const {
    return keys_[key].of_node[node.value()];
  }
  const std::string& key_name(std::uint32_t key) const { return keys_[key].name; }
  // Grows with every change.
  std::uint64_t version() const { return version_; }

  void Add(TaskIndex task, NodeIndex node) { Change(task, node, 1); }
  void Remove(TaskIndex task, NodeIndex node) { Change(task, node, -1); }
  // A pod that stands begins to leave, or stays after all.
  void Leave(TaskIndex task, NodeIndex node) { ChangeLeaving(task, node, 1); }
  void Stay(TaskIndex task, NodeIndex node) { ChangeLeaving(task, node, -1); }

 private:
  struct Selection {  // one term of a matcher
    const std::optional<LabelSelector>* selector = nullptr;
    const PodAffinityTerm* term = nullptr;  // none: of a spread constraint
  };
  struct Matcher {
    std::vector<Selection> all_of;
    std::string own_namespace;
    bool skips_leaving = false;  // who is leaving counts as gone
    StandingCounts pods;
    std::vector<Carrier> carriers;
  };
  struct Key {
    std::string name;
    std::vector<std::uint32_t> of_node;
    std::size_t domains = 0;
  };
  struct Carried {
    std::uint32_t matcher = 0;
    std::uint32_t carrier = 0;
    std::int64_t weight = 1;
  };

  void BuildTerms(std::size_t c);
  void BuildCarried(std::size_t c);
  void FindMatches(std::size_t c);
  std::uint32_t InternKey(const std::string& name);
  std::uint32_t InternMatcher(Matcher matcher);
  Term MakeTerm(const PodAffinityTerm& term, const PodRecord& pod, std::int64_t weight);
  void Carry(std::size_t c, const Term& term, bool required_anti, std::int64_t weight);
  bool Matches(const Matcher& matcher, const PodRecord& pod) const;
  bool InNamespaces(const PodAffinityTerm& term, const std::string& own,
                    const std::string& asked) const;
  void Change(TaskIndex task, NodeIndex node, std::int64_t by);
  void ChangeLeaving(TaskIndex task, NodeIndex node, std::int64_t by);

  const Snapshot& snapshot_;
  std::vector<ClassTerms> classes_;
  std::vector<std::vector<Carried>> carried_;  // by ClassIndex
  std::vector<Matcher> matchers_;
  std::vector<Key> keys_;
  std::map<std::string, const Labels*, std::less<>> namespace_labels_;
  // Looked up only, never walked.
  std::unordered_map<std::string, std::uint32_t> known_matchers_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> by_label_;  // "key=value" asked for
  std::vector<std::uint32_t> unlabelled_;  // matchers that ask for no particular value
  std::uint64_t version_ = 0;
};

}  // namespace batholith
