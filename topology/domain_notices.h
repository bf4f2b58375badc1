#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace batholith {

// What is wrong with domains, one sentence each: the first few, then how many more.
class DomainNotices {
 public:
  void Add(std::string text) {
    if (++count_ <= kMost) texts_.push_back(std::move(text));
  }
  std::vector<std::string> Take() && {
    if (count_ > kMost)
      texts_.push_back("HyperNodes: " + std::to_string(count_ - kMost) + " more of such faults");
    return std::move(texts_);
  }

 private:
  static constexpr std::size_t kMost = 20;
  std::size_t count_ = 0;
  std::vector<std::string> texts_;
};

}  // namespace batholith
