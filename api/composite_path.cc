#include "api/composite_path.h"

namespace batholith {

CompositeIndex::CompositeIndex(const ClusterObjects& objects) {
  for (const CompositePodGroupRecord& c : objects.composite_groups)
    by_key_.emplace(c.meta.Key(), &c);
}

CompositePath CompositeIndex::Around(const std::string& namespace_, const std::string& name) const {
  CompositePath out;
  std::string next = name;
  while (!next.empty()) {
    if (out.around.size() == kDeepestComposite) {
      out.why = "CompositePodGroup " + namespace_ + "/" + name + " is below itself or more than " +
                std::to_string(kDeepestComposite) + " deep";
      break;
    }
    const auto it = by_key_.find(namespace_ + "/" + next);
    if (it == by_key_.end()) {
      out.why = "CompositePodGroup " + namespace_ + "/" + next + " does not exist";
      break;
    }
    out.around.push_back(it->second);
    next = it->second->parent;
  }
  return out;
}

}  // namespace batholith
