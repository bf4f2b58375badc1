// What a credential plugin prints → a credential.
#include "client/access/exec_credentials.h"
#include "test/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace batholith;
  for (const char* version :
       {"client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"}) {
    const auto credential = ParseExecCredential(fuzz::TextOf(data, size), version);
    if (credential) {
      CHECK(!credential->token.empty() || !credential->cert_pem.empty());
      CHECK(credential->cert_pem.empty() == credential->key_pem.empty());
    } else {
      CHECK(!credential.error().message.empty());
    }
  }
  return fuzz::kKeep;
}
