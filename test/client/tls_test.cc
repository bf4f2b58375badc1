// Certificates of a server, and what becomes of a client when they change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/http/http.h"
#include "client/http/reply.h"
#include "test/client/client_env.h"
#include "test/client/scripted_server.h"
#include "test/client/tls_front.h"

namespace batholith {
namespace {

using ::testing::HasSubstr;

// 200, or why there is no answer.
std::string Ask(HttpClient& client) {
  HttpRequest request;
  request.path = "/version";
  const HttpResult result = client.SendAndWait(request);
  return result ? std::to_string(result->status) : TroubleOf(result);
}

class Tls : public ::testing::Test {
 protected:
  TestCertificate first_ = MakeCertificate(), second_ = MakeCertificate();
  ScriptedServer server_{[](const ScriptedRequest&) { return Answer(200, "{}"); }};
  TlsFront front_{server_.url(), first_};
  TestFolder folder_;
};

TEST_F(Tls, a_server_is_trusted_by_the_bytes_or_the_file_of_its_authority) {
  ClusterAccess access = AccessTo(front_.url());
  access.ca_pem = first_.cert_pem;
  HttpClient by_bytes(access, {});
  EXPECT_EQ(Ask(by_bytes), "200");
  access.ca_pem.clear();
  access.ca_file = folder_.Write("ca.crt", first_.cert_pem);
  HttpClient by_file(access, {});
  EXPECT_EQ(Ask(by_file), "200");
}

TEST_F(Tls, a_server_of_another_authority_is_refused_with_the_reason) {
  ClusterAccess access = AccessTo(front_.url());
  access.ca_pem = second_.cert_pem;
  HttpClient client(access, {});
  EXPECT_THAT(Ask(client), HasSubstr("certificate"));
  EXPECT_TRUE(server_.requests().empty()) << "no token goes to whom is not trusted";
  access.skip_tls_verify = true;
  HttpClient careless(access, {});
  EXPECT_EQ(Ask(careless), "200");
}

TEST_F(Tls, a_server_whose_name_is_another_is_refused) {
  ClusterAccess access = AccessTo(front_.url());
  access.ca_pem = first_.cert_pem;
  access.tls_server_name = "elsewhere.example";
  HttpClient client(access, {});
  EXPECT_THAT(Ask(client), HasSubstr("elsewhere.example"));
}

// As it is done in practice: the new authority is trusted before its certificate is used. What is
// written into the file later counts for connections a minute later.
TEST_F(Tls, a_certificate_may_change_to_one_of_another_authority_that_is_trusted) {
  ClusterAccess access = AccessTo(front_.url());
  access.ca_file = folder_.Write("ca.crt", first_.cert_pem + second_.cert_pem);
  HttpClient client(access, {});
  EXPECT_EQ(Ask(client), "200");
  front_.Use(second_);
  EXPECT_EQ(Ask(client), "200");
  front_.Use(MakeCertificate());
  EXPECT_THAT(Ask(client), HasSubstr("certificate"));
  front_.Use(first_);
  EXPECT_EQ(Ask(client), "200");
}

}  // namespace
}  // namespace batholith
