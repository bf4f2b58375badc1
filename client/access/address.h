#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "api/result.h"

namespace batholith {

// The address of a server or of a proxy, taken apart so that no message can hold a password.
struct Address {
  std::string url;  // scheme://host:port/path: no user, no query, no '/' at its end
  struct User {
    std::string name, password;
  };
  std::optional<User> user;  // of user:password@host, without %-escapes
};

// Errors: it begins with none of the schemes ("https", …), has no host, or a port or an escape that
// is none. The messages do not repeat it.
Result<Address> ParseAddress(std::string_view text,
                             std::initializer_list<std::string_view> schemes);

}  // namespace batholith
