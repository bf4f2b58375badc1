#pragma once

#include <memory>
#include <string>

namespace batholith {

// A certificate for 127.0.0.1 with its key, made anew; its own authority. In PEM.
struct TestCertificate {
  std::string cert_pem, key_pem;
};
TestCertificate MakeCertificate();

// Speaks TLS on loopback, before an HTTP server that does not. Ends all in its destructor.
class TlsFront {
 public:
  // `upstream`: http://127.0.0.1:port.
  TlsFront(const std::string& upstream, const TestCertificate& certificate);
  ~TlsFront();
  TlsFront(const TlsFront&) = delete;
  TlsFront& operator=(const TlsFront&) = delete;

  std::string url() const;
  // Ends the connections; those that come from now on see this one.
  void Use(const TestCertificate& certificate);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace batholith
