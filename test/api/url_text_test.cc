// Addresses as people see them: no password, no token.
#include "api/url_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace batholith {
namespace {

TEST(UrlText, a_user_and_a_query_are_not_shown) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"https://host:6443/prefix", "https://host:6443/prefix"},
      {"https://user:secret@host:6443/prefix", "https://***@host:6443/prefix"},
      {"https://secret@host", "https://***@host"},
      {"https://user:sec/ret@host", "https://***@host"},  // nobody escaped the password
      {"https://user:sec?ret@host/", "https://***@host/"},
      {"https://user:s@cret@host/", "https://***@host/"},
      {"https://host/path?token=secret", "https://host/path?***"},
      {"https://host#access_token=secret", "https://host#***"},
      {"socks5://user:secret@[::1]:1080", "socks5://***@[::1]:1080"},
      {"user:secret@host", "***@host"},  // without a scheme it is none, and is shown all the same
      {"host:6443", "host:6443"},
      {"", ""},
  };
  for (const auto& [url, shown] : rows) EXPECT_EQ(UrlForPeople(url), shown);
}

TEST(UrlText, a_sentence_keeps_all_but_the_secrets_of_its_addresses) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"no address: a@b, x?y", "no address: a@b, x?y"},
      {"GET https://u:secret@h/p: no answer", "GET https://***@h/p: no answer"},
      {"proxy 'http://u:secret@p:1' is bad; http://q?k=secret, too",
       "proxy 'http://***@p:1' is bad; http://q?***, too"},
      {"(see http://h/manual?).", "(see http://h/manual?)."},
      {"ends in ://", "ends in ://"},
  };
  for (const auto& [text, shown] : rows) EXPECT_EQ(WithoutUrlSecrets(text), shown);
}

}  // namespace
}  // namespace batholith
