#include "plugins/nodeorder/image_index.h"

#include "plugins/nodeorder/resource_score.h"

namespace batholith {
namespace {

// As the nodes name it: a name without a tag means the latest.
std::string NormalizedName(const std::string& image) {
  const std::size_t colon = image.rfind(':');
  const std::size_t slash = image.rfind('/');
  const bool tagged = colon != std::string::npos && (slash == std::string::npos || colon > slash);
  return tagged ? image : image + ":latest";
}

}  // namespace

ImageIndex::ImageIndex(const Snapshot& snapshot) {
  for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
    for (const NodeImage& image : snapshot.nodes[n].record->images) {
      for (const std::string& name : image.names) {
        images_[name][static_cast<std::uint32_t>(n)] = image.size_bytes;
      }
    }
  }
  const auto nodes = static_cast<double>(snapshot.nodes.size());
  for (auto& [name, by_node] : images_) {  // each entry on its own: order does not matter
    if (by_node.size() == snapshot.nodes.size()) continue;
    const double share = static_cast<double>(by_node.size()) / nodes;
    for (auto& [node, size] : by_node) {
      size = static_cast<std::int64_t>(static_cast<double>(size) * share);
    }
  }
}

double ImageIndex::Score(const PodConstraints& constraints, NodeIndex node) const {
  std::int64_t sum = 0;
  for (const std::string& image : constraints.images) {
    const auto by_node = images_.find(NormalizedName(image));
    if (by_node == images_.end()) continue;
    const auto size = by_node->second.find(static_cast<std::uint32_t>(node.value()));
    if (size != by_node->second.end()) sum = ResourceVector::AddSaturating(sum, size->second);
  }
  return static_cast<double>(ImageScore(sum, std::ssize(constraints.images)));
}

}  // namespace batholith
