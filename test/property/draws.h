#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace batholith::property {

// Random choices that are the same with every standard library, which its distributions are not.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed) {}

  std::int64_t Between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  int Int(int low, int high) { return static_cast<int>(Between(low, high)); }
  bool Chance(int percent) { return Between(1, 100) <= percent; }
  template <typename List>
  const auto& Of(const List& list) {
    return list[static_cast<std::size_t>(Between(0, std::ssize(list) - 1))];
  }
  std::string Word(std::initializer_list<const char*> words) {
    return *(words.begin() + Between(0, static_cast<std::int64_t>(words.size()) - 1));
  }
  template <typename T>
  void Shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[static_cast<std::size_t>(Between(0, static_cast<int>(i) - 1))]);
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace batholith::property
