#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace batholith {

// An address as people may see it: `***` for a user with a password before its host, and for its
// query, where tokens stand. Also of a text that is meant as an address and is none.
std::string UrlForPeople(std::string_view url);

// A sentence with each address in it as people may see it.
std::string WithoutUrlSecrets(std::string_view text);

// What %XX stands for, which escapes bytes in addresses. Nothing: a % without two digits.
std::optional<std::string> PercentDecoded(std::string_view text);

}  // namespace batholith
