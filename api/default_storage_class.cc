#include "api/default_storage_class.h"

#include <algorithm>
#include <string_view>

namespace batholith {

const StorageClassRecord* DefaultStorageClass(std::span<const StorageClassRecord> classes) {
  const auto is_marked = [](const StorageClassRecord& storage) {
    return std::ranges::any_of(*storage.meta.annotations, [](const auto& annotation) {
      return annotation.second == "true" &&
             (annotation.first == "storageclass.kubernetes.io/is-default-class" ||
              annotation.first == "storageclass.beta.kubernetes.io/is-default-class");
    });
  };
  const StorageClassRecord* best = nullptr;
  for (const StorageClassRecord& storage : classes) {
    if (!is_marked(storage)) continue;
    const bool newer =
        best == nullptr || storage.meta.creation > best->meta.creation ||
        (storage.meta.creation == best->meta.creation && storage.meta.name < best->meta.name);
    if (newer) best = &storage;
  }
  return best;
}

}  // namespace batholith
