#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace batholith {

// The words by which users name the values of an enum. Specialise it with
// `static constexpr std::pair<std::string_view, Enum> kWords[]`; a value may have several words, of
// which the first is its name.
template <typename Enum>
struct Vocabulary;

namespace vocabulary_detail {

template <typename Enum>
constexpr auto Words() {
  std::array<std::string_view, std::size(Vocabulary<Enum>::kWords)> words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = Vocabulary<Enum>::kWords[i].first;
  return words;
}

}  // namespace vocabulary_detail

// All words of the enum, in the order of its vocabulary.
template <typename Enum>
inline constexpr auto kWordsOf = vocabulary_detail::Words<Enum>();

// Nothing: the text is none of the words.
template <typename Enum>
constexpr std::optional<Enum> FromWord(std::string_view text) {
  for (const auto& [word, value] : Vocabulary<Enum>::kWords) {
    if (word == text) return value;
  }
  return std::nullopt;
}

}  // namespace batholith
