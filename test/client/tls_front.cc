#include "test/client/tls_front.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <array>
#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <future>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

namespace batholith {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using Secure = asio::ssl::stream<Tcp::socket>;

template <typename Write>
std::string Pem(Write write) {
  BIO* out = BIO_new(BIO_s_mem());
  write(out);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(out, &bytes);
  std::string text(bytes, static_cast<std::size_t>(size));
  BIO_free(out);
  return text;
}

void Extend(X509* certificate, int what, const char* value) {
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, what, value);
  if (extension == nullptr || X509_add_ext(certificate, extension, -1) != 1)
    throw std::runtime_error("an extension is not taken");
  X509_EXTENSION_free(extension);
}

std::shared_ptr<asio::ssl::context> ContextOf(const TestCertificate& certificate) {
  auto context = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  context->use_certificate_chain(asio::buffer(certificate.cert_pem));
  context->use_private_key(asio::buffer(certificate.key_pem), asio::ssl::context::pem);
  return context;
}

// One connection and the plain one behind it; what one says the other hears.
class Relay : public std::enable_shared_from_this<Relay> {
 public:
  Relay(asio::io_context& io, std::shared_ptr<asio::ssl::context> context, Tcp::socket front)
      : context_(std::move(context)), front_(std::move(front), *context_), back_(io) {}

  void Begin(const Tcp::endpoint& upstream) {
    auto self = shared_from_this();
    front_.async_handshake(
        asio::ssl::stream_base::server, [self, upstream](const boost::system::error_code& error) {
          if (error) return self->End();
          self->back_.async_connect(upstream, [self](const boost::system::error_code& refused) {
            if (refused) return self->End();
            self->Pass(self->front_, self->back_, self->forth_);
            self->Pass(self->back_, self->front_, self->back_bytes_);
          });
        });
  }
  void End() {
    boost::system::error_code ignored;
    front_.lowest_layer().close(ignored);
    back_.close(ignored);
  }

 private:
  using Bytes = std::array<char, 16'384>;

  template <typename From, typename To>
  void Pass(From& from, To& to, Bytes& bytes) {
    auto self = shared_from_this();
    from.async_read_some(
        asio::buffer(bytes),
        [self, &from, &to, &bytes](const boost::system::error_code& error, std::size_t size) {
          if (error) return self->End();
          asio::async_write(
              to, asio::buffer(bytes, size),
              [self, &from, &to, &bytes](const boost::system::error_code& bad, std::size_t) {
                bad ? self->End() : self->Pass(from, to, bytes);
              });
        });
  }

  std::shared_ptr<asio::ssl::context> context_;  // of the stream, which outlives a change
  Secure front_;
  Tcp::socket back_;
  Bytes forth_, back_bytes_;
};

}  // namespace

TestCertificate MakeCertificate() {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* certificate = X509_new();
  static long serial = 1;
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial++);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  X509_NAME* name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  Extend(certificate, NID_basic_constraints, "critical,CA:TRUE");
  Extend(certificate, NID_subject_alt_name, "IP:127.0.0.1");
  X509_sign(certificate, key, EVP_sha256());
  TestCertificate out;
  out.cert_pem = Pem([&](BIO* bio) { PEM_write_bio_X509(bio, certificate); });
  out.key_pem = Pem(
      [&](BIO* bio) { PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr); });
  X509_free(certificate);
  EVP_PKEY_free(key);
  return out;
}

struct TlsFront::State {
  State(const std::string& to, const TestCertificate& certificate)
      : context(ContextOf(certificate)),
        upstream(asio::ip::address_v4::loopback(),
                 static_cast<unsigned short>(std::stoi(to.substr(to.rfind(':') + 1)))),
        acceptor(io, Tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
    Accept();
    thread = std::thread([this] { io.run(); });
  }
  void Accept() {
    acceptor.async_accept([this](const boost::system::error_code& error, Tcp::socket socket) {
      if (error) return;
      auto pair = std::make_shared<Relay>(io, context, std::move(socket));
      pairs.insert(pair);
      pair->Begin(upstream);
      Accept();
    });
  }
  void EndAll() {
    for (const auto& pair : pairs) pair->End();
    pairs.clear();
  }

  asio::io_context io;
  std::shared_ptr<asio::ssl::context> context;
  Tcp::endpoint upstream;
  Tcp::acceptor acceptor;
  std::set<std::shared_ptr<Relay>> pairs;
  std::thread thread;
};

TlsFront::TlsFront(const std::string& upstream, const TestCertificate& certificate)
    : state_(std::make_unique<State>(upstream, certificate)) {}

TlsFront::~TlsFront() {
  asio::post(state_->io, [this] {
    state_->EndAll();
    state_->acceptor.close();
  });
  state_->thread.join();
}

std::string TlsFront::url() const {
  return "https://127.0.0.1:" + std::to_string(state_->acceptor.local_endpoint().port());
}

void TlsFront::Use(const TestCertificate& certificate) {
  std::promise<void> done;
  asio::post(state_->io, [&] {
    state_->context = ContextOf(certificate);
    state_->EndAll();
    done.set_value();
  });
  done.get_future().wait();
}

}  // namespace batholith
