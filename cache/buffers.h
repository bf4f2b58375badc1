#pragma once

#include <vector>

#include "api/snapshot.h"

// What a snapshot knows of capacity buffers.
namespace batholith {

// The buffers of our strategy that are not being deleted, first to be served first, with what they
// refer to and without samples.
std::vector<BufferFacts> FindBuffers(const ClusterObjects& objects);

// The pod of the template behind the buffer, or nullptr.
const PodRecord* TemplateOf(const BufferFacts& buffer);

}  // namespace batholith
