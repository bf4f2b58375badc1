// A status server that speaks TLS, and the files of its certificate.
#include "cmd/server_certificate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "cmd/status_server.h"
#include "test/client/client_env.h"
#include "test/client/tls_front.h"
#include "test/cmd/status_client.h"

namespace batholith {
namespace {

namespace asio = boost::asio;
using ::testing::HasSubstr;

struct TlsAnswer {
  boost::beast::error_code error;  // of the handshake
  RawAnswer answer;
};

// Asks for /metrics, trusting this certificate alone.
TlsAnswer AskSecurely(int port, const std::string& trusted) {
  asio::io_context io;
  asio::ssl::context context(asio::ssl::context::tls_client);
  context.add_certificate_authority(asio::buffer(trusted));
  asio::ssl::stream<asio::ip::tcp::socket> stream(io, context);
  stream.set_verify_mode(asio::ssl::verify_peer);
  stream.next_layer().connect(
      {asio::ip::address_v4::loopback(), static_cast<unsigned short>(port)});
  TlsAnswer out;
  stream.handshake(asio::ssl::stream_base::client, out.error);
  if (out.error) return out;
  const std::string request = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
  asio::write(stream, asio::buffer(request));
  boost::beast::error_code end;
  asio::read(stream, asio::dynamic_buffer(out.answer.bytes), end);
  EXPECT_EQ(end, asio::error::eof);  // the server said that it was all
  return out;
}

class ServerCertificateTest : public ::testing::Test {
 protected:
  void Write(const TestCertificate& certificate) {
    cert_ = folder_.Write("tls.crt", certificate.cert_pem);
    key_ = folder_.Write("tls.key", certificate.key_pem);
  }
  std::unique_ptr<StatusServer> Serve(StatusLimits limits = {}) {
    auto certificate = ServerCertificate::Load(cert_, key_);
    EXPECT_TRUE(certificate) << certificate.error().message;
    auto server = StatusServer::Listen(
        "127.0.0.1:0", StatusServer::AtOnce([](const StatusRequest&) -> StatusReply {
          return {.text = std::string(1 << 20, 'm')};
        }),
        {.limits = limits, .certificate = *certificate});
    return *std::move(server);
  }
  std::string Complaint() {
    const auto certificate = ServerCertificate::Load(cert_, key_);
    return certificate ? "" : certificate.error().message;
  }

  TestFolder folder_;
  std::string cert_, key_;
};

TEST_F(ServerCertificateTest, a_client_that_trusts_it_has_its_whole_answer) {
  const TestCertificate certificate = MakeCertificate();
  Write(certificate);
  const auto server = Serve();
  const TlsAnswer got = AskSecurely(server->port(), certificate.cert_pem);
  ASSERT_FALSE(got.error) << got.error.message();
  EXPECT_EQ(got.answer.status(), 200);
  EXPECT_EQ(got.answer.body().size(), 1U << 20);
}

TEST_F(ServerCertificateTest, plain_http_gets_no_page) {
  Write(MakeCertificate());
  const auto server = Serve();
  EXPECT_THAT(Ask(server->port(), "GET", "/metrics").bytes, Not(HasSubstr("HTTP/1.1")));
}

TEST_F(ServerCertificateTest, a_client_that_shakes_no_hands_is_let_go) {
  Write(MakeCertificate());
  const auto server = Serve({.request = std::chrono::milliseconds(50)});
  StatusClient silent(server->port());
  EXPECT_EQ(silent.ReadAll().bytes, "");
}

TEST_F(ServerCertificateTest, is_read_again_when_it_changes) {
  const TestCertificate before = MakeCertificate();
  Write(before);
  const auto server = Serve();
  ASSERT_FALSE(AskSecurely(server->port(), before.cert_pem).error);
  const TestCertificate after = MakeCertificate();
  Write(after);
  EXPECT_FALSE(AskSecurely(server->port(), after.cert_pem).error);
  EXPECT_TRUE(AskSecurely(server->port(), before.cert_pem).error);
}

// A key that came a moment before its certificate, or never.
TEST_F(ServerCertificateTest, goes_on_where_the_new_pair_cannot_be_used) {
  const TestCertificate before = MakeCertificate();
  Write(before);
  const auto server = Serve();
  const TestCertificate after = MakeCertificate();
  folder_.Write("tls.key", after.key_pem);
  EXPECT_FALSE(AskSecurely(server->port(), before.cert_pem).error);
  folder_.Write("tls.crt", "no certificate");
  EXPECT_FALSE(AskSecurely(server->port(), before.cert_pem).error);
  folder_.Write("tls.crt", after.cert_pem);
  EXPECT_FALSE(AskSecurely(server->port(), after.cert_pem).error);
}

TEST_F(ServerCertificateTest, says_what_is_wrong_with_which_file) {
  const TestCertificate one = MakeCertificate();
  cert_ = folder_.Path("none.crt");
  key_ = folder_.Write("tls.key", one.key_pem);
  EXPECT_EQ(Complaint(), cert_ + ": cannot be read");
  cert_ = folder_.Write("tls.crt", "nonsense");
  EXPECT_EQ(Complaint(), cert_ + ": expected a certificate in PEM");
  cert_ = folder_.Write("tls.crt", one.cert_pem);
  key_ = folder_.Write("tls.key", MakeCertificate().key_pem);
  EXPECT_EQ(Complaint(), key_ + ": is the key of another certificate than " + cert_);
  key_ = folder_.Write("tls.key", "");
  EXPECT_EQ(Complaint(), key_ + ": expected a private key in PEM, without a password");
}

}  // namespace
}  // namespace batholith
