#include "plugins/common/pod_index.h"

#include <algorithm>

#include "api/node_match.h"
#include "api/sort_unique.h"

namespace batholith {
namespace {

void AppendText(std::string& out, std::string_view text) {
  out += std::to_string(text.size());
  out += ':';
  out += text;
}

void AppendSelector(std::string& out, const std::optional<LabelSelector>& selector) {
  if (!selector) {
    out += '-';
    return;
  }
  for (const Requirement& r : selector->requirements) {
    AppendText(out, r.key);
    out += static_cast<char>('a' + static_cast<int>(r.op));
    for (const std::string& value : r.values) AppendText(out, value);
    out += ';';
  }
  out += '.';
}

std::string LabelKey(std::string_view key, std::string_view value) {
  std::string out(key);
  out += '=';
  out += value;
  return out;
}

void AddTo(PodCounts& counts, std::uint32_t node, std::int64_t by) {
  const auto it = counts.try_emplace(node, 0).first;
  it->second += by;
  if (it->second == 0) counts.erase(it);
}

}  // namespace

bool StandsOnNode(const SessionState& state, TaskIndex task) {
  if (state.node(task).is_none()) return false;
  switch (state.status(task)) {
    case TaskStatus::kPending:
    case TaskStatus::kSucceeded:
    case TaskStatus::kFailed:
      return false;
    case TaskStatus::kReleasing:
    case TaskStatus::kAllocated:
    case TaskStatus::kPipelined:
    case TaskStatus::kBinding:
    case TaskStatus::kBound:
    case TaskStatus::kRunning:
    case TaskStatus::kUnknown:
      return true;
  }
  return false;
}

PodIndex::PodIndex(const Snapshot& snapshot, const SessionState& state)
    : snapshot_(snapshot), classes_(snapshot.base_classes), carried_(snapshot.base_classes) {
  for (const NamespaceFacts& namespace_ : snapshot.namespaces)
    namespace_labels_[namespace_.name] = &namespace_.labels;
  for (const TaskFacts& task : snapshot.tasks) {
    ClassTerms& terms = classes_[task.base_class.value()];
    if (terms.pod == nullptr) terms.pod = task.record;
  }
  for (std::size_t c = 0; c < classes_.size(); ++c) BuildTerms(c);
  for (std::size_t c = 0; c < classes_.size(); ++c) BuildCarried(c);
  for (std::size_t c = 0; c < classes_.size(); ++c) FindMatches(c);
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    const TaskIndex task(t);
    if (!StandsOnNode(state, task)) continue;
    Add(task, state.node(task));
    if (state.status(task) == TaskStatus::kReleasing) Leave(task, state.node(task));
  }
}

void PodIndex::BuildTerms(std::size_t c) {
  ClassTerms& terms = classes_[c];
  if (terms.pod == nullptr) return;
  const PodRecord& pod = *terms.pod;
  const PodConstraints& constraints = *pod.constraints;
  Matcher all;
  all.own_namespace = pod.meta.namespace_;
  for (const PodAffinityTerm& term : constraints.required_affinity) {
    terms.affinity.push_back(MakeTerm(term, pod, 0));
    all.all_of.push_back({&term.selector, &term});
  }
  if (!terms.affinity.empty()) {
    terms.affine_to_self = Matches(all, pod);
    terms.all_affinity = InternMatcher(std::move(all));
  }
  for (const PodAffinityTerm& term : constraints.required_anti_affinity) {
    terms.anti.push_back(MakeTerm(term, pod, 0));
  }
  for (const PodAffinityTerm& term : constraints.preferred_affinity) {
    terms.preferred.push_back(MakeTerm(term, pod, term.weight));
  }
  for (const PodAffinityTerm& term : constraints.preferred_anti_affinity) {
    terms.preferred.push_back(MakeTerm(term, pod, -term.weight));
  }
  for (const TopologySpread& spread : constraints.topology_spread) {
    const bool self = MatchesSelector(spread.selector, pod.meta.labels);
    Matcher matcher;
    matcher.own_namespace = pod.meta.namespace_;
    matcher.skips_leaving = true;
    matcher.all_of.push_back({&spread.selector, nullptr});
    terms.spread.push_back(
        {InternMatcher(std::move(matcher)), InternKey(spread.topology_key), self, &spread});
  }
}

// What a standing pod requires of others draws nobody: Volcano leaves hardPodAffinityWeight at 0.
void PodIndex::BuildCarried(std::size_t c) {
  for (const Term& term : classes_[c].anti) Carry(c, term, true, 1);
  for (const Term& term : classes_[c].preferred) Carry(c, term, false, term.weight);
}

void PodIndex::Carry(std::size_t c, const Term& term, bool required_anti, std::int64_t weight) {
  std::vector<Carrier>& carriers = matchers_[term.matcher].carriers;
  const auto it = std::ranges::find_if(carriers, [&](const Carrier& carrier) {
    return carrier.key == term.key && carrier.required_anti == required_anti;
  });
  const auto index = static_cast<std::uint32_t>(it - carriers.begin());
  if (it == carriers.end()) carriers.push_back({term.key, required_anti, {}});
  carried_[c].push_back({term.matcher, index, weight});
}

// Only matchers that ask for one of the pod's labels, or for none in particular, can select it.
void PodIndex::FindMatches(std::size_t c) {
  ClassTerms& terms = classes_[c];
  if (terms.pod == nullptr) return;
  const auto try_all = [&](const std::vector<std::uint32_t>& candidates) {
    for (const std::uint32_t m : candidates) {
      if (Matches(matchers_[m], *terms.pod)) terms.matched_by.push_back(m);
    }
  };
  try_all(unlabelled_);
  for (const auto& [key, value] : terms.pod->meta.labels) {
    const auto it = by_label_.find(LabelKey(key, value));
    if (it != by_label_.end()) try_all(it->second);
  }
}

std::uint32_t PodIndex::InternKey(const std::string& name) {
  const auto it = std::ranges::find(keys_, name, &Key::name);
  if (it != keys_.end()) return static_cast<std::uint32_t>(it - keys_.begin());
  Key& key = keys_.emplace_back();
  key.name = name;
  key.of_node.assign(snapshot_.nodes.size(), kNoDomain);
  std::map<std::string_view, std::uint32_t> values;
  for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
    const Labels& labels = snapshot_.nodes[n].record->meta.labels;
    const auto label = labels.find(name);
    if (label == labels.end()) continue;
    const auto next = static_cast<std::uint32_t>(values.size());
    key.of_node[n] = values.try_emplace(label->second, next).first->second;
  }
  key.domains = values.size();
  return static_cast<std::uint32_t>(keys_.size() - 1);
}

std::uint32_t PodIndex::InternMatcher(Matcher matcher) {
  std::string text(matcher.skips_leaving ? "s" : "a");
  AppendText(text, matcher.own_namespace);
  for (const Selection& selection : matcher.all_of) {
    AppendSelector(text, *selection.selector);
    if (selection.term == nullptr) continue;
    for (const std::string& name : selection.term->namespaces) AppendText(text, name);
    text += '/';
    AppendSelector(text, selection.term->namespace_selector);
  }
  const auto id = static_cast<std::uint32_t>(matchers_.size());
  const auto [it, added] = known_matchers_.try_emplace(std::move(text), id);
  if (!added) return it->second;
  const std::optional<LabelSelector>& first = *matcher.all_of.front().selector;
  matchers_.push_back(std::move(matcher));
  if (!first) return id;  // selects nobody
  const auto in = std::ranges::find(first->requirements, Requirement::Op::kIn, &Requirement::op);
  if (in == first->requirements.end()) {
    unlabelled_.push_back(id);
    return id;
  }
  std::vector<std::string> values = in->values;
  SortUnique(values);
  for (const std::string& value : values) by_label_[LabelKey(in->key, value)].push_back(id);
  return id;
}

PodIndex::Term PodIndex::MakeTerm(const PodAffinityTerm& term, const PodRecord& pod,
                                  std::int64_t weight) {
  Matcher matcher;
  matcher.own_namespace = pod.meta.namespace_;
  matcher.all_of.push_back({&term.selector, &term});
  return {InternMatcher(std::move(matcher)), InternKey(term.topology_key), weight};
}

bool PodIndex::InNamespaces(const PodAffinityTerm& term, const std::string& own,
                            const std::string& asked) const {
  if (term.namespaces.empty() && !term.namespace_selector) return asked == own;
  if (std::ranges::find(term.namespaces, asked) != term.namespaces.end()) return true;
  if (!term.namespace_selector) return false;
  static const Labels kNoLabels;
  const auto it = namespace_labels_.find(asked);
  return MatchesSelector(term.namespace_selector,
                         it == namespace_labels_.end() ? kNoLabels : *it->second);
}

bool PodIndex::Matches(const Matcher& matcher, const PodRecord& pod) const {
  return std::ranges::all_of(matcher.all_of, [&](const Selection& s) {
    const std::string& asked = pod.meta.namespace_;
    const bool here = s.term == nullptr ? asked == matcher.own_namespace
                                        : InNamespaces(*s.term, matcher.own_namespace, asked);
    return here && MatchesSelector(*s.selector, pod.meta.labels);
  });
}

void PodIndex::Change(TaskIndex task, NodeIndex node, std::int64_t by) {
  ++version_;
  const std::size_t c = snapshot_.task(task).base_class.value();
  const auto n = static_cast<std::uint32_t>(node.value());
  for (const std::uint32_t m : classes_[c].matched_by) AddTo(matchers_[m].pods.all, n, by);
  for (const Carried& carried : carried_[c])
    AddTo(matchers_[carried.matcher].carriers[carried.carrier].pods.all, n, by * carried.weight);
}

void PodIndex::ChangeLeaving(TaskIndex task, NodeIndex node, std::int64_t by) {
  ++version_;
  const std::size_t c = snapshot_.task(task).base_class.value();
  const auto n = static_cast<std::uint32_t>(node.value());
  for (const std::uint32_t m : classes_[c].matched_by) {
    StandingCounts& pods = matchers_[m].pods;
    if (matchers_[m].skips_leaving) {
      AddTo(pods.all, n, -by);
    } else {
      AddTo(pods.leaving, n, by);
    }
  }
  for (const Carried& carried : carried_[c]) {
    Carrier& carrier = matchers_[carried.matcher].carriers[carried.carrier];
    AddTo(carrier.pods.leaving, n, by * carried.weight);
  }
}

}  // namespace batholith
