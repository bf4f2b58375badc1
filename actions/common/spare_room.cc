#include "actions/common/spare_room.h"

#include <algorithm>
#include <set>

#include "api/label_match.h"

namespace batholith {

SpareRoom::SpareRoom(const Session& session) : session_(session) {
  std::set<TaskIndex> seen;
  for (const TaskIndex task : session.state().moved()) {
    if (session.state().status(task) == TaskStatus::kPipelined && seen.insert(task).second)
      pipelined_[session.state().node(task)] += session.snapshot().task(task).request;
  }
}

ResourceVector SpareRoom::Of(NodeIndex node) const {
  const auto it = pipelined_.find(node);
  return it == pipelined_.end() ? session_.state().idle(node)
                                : session_.state().idle(node) - it->second;
}

bool SelectsItself(const PodAffinityTerm& term, const PodRecord& pod) {
  const bool here =
      term.namespaces.empty()
          ? !term.namespace_selector.has_value()
          : std::ranges::find(term.namespaces, pod.meta.namespace_) != term.namespaces.end();
  const bool anywhere = term.namespace_selector && term.namespace_selector->requirements.empty();
  return (here || anywhere) && MatchesSelector(term.selector, pod.meta.labels);
}

}  // namespace batholith
