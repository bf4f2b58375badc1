#include "cmd/server_certificate.h"

#include <sys/stat.h>

#include <boost/asio/buffer.hpp>
#include <utility>

#include "api/log.h"
#include "codec/load.h"

namespace batholith {
namespace {

namespace ssl = boost::asio::ssl;

// Without a terminal to ask for it on, a key that needs a password is no key.
std::string NoPassword(std::size_t /*bytes*/, ssl::context::password_purpose /*purpose*/) {
  return {};
}

}  // namespace

Result<std::shared_ptr<ServerCertificate>> ServerCertificate::Load(std::string cert_file,
                                                                   std::string key_file) {
  std::shared_ptr<ServerCertificate> out(
      new ServerCertificate(std::move(cert_file), std::move(key_file)));
  out->stamps_ = {StampOf(out->cert_file_), StampOf(out->key_file_)};
  auto context = out->Read();
  if (!context) return std::unexpected(context.error());
  out->context_ = std::move(*context);
  return out;
}

// Whatever replaces or edits a file changes one of them; links are followed, as Secrets have them.
ServerCertificate::Stamp ServerCertificate::StampOf(const std::string& file) {
  struct stat s{};
  if (stat(file.c_str(), &s) != 0) return {};
  return {s.st_dev, s.st_ino, s.st_mtim.tv_sec * std::int64_t{1'000'000'000} + s.st_mtim.tv_nsec,
          static_cast<std::uintmax_t>(s.st_size)};
}

Result<std::shared_ptr<ssl::context>> ServerCertificate::Read() const {
  const Result<std::string> certificate = ReadText(cert_file_);
  if (!certificate) return std::unexpected(certificate.error());
  const Result<std::string> key = ReadText(key_file_);
  if (!key) return std::unexpected(key.error());
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  context->set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 |
                       ssl::context::no_sslv3 | ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
  boost::system::error_code error;
  context->set_password_callback(NoPassword, error);
  context->use_certificate_chain(boost::asio::buffer(*certificate), error);
  if (error) return Invalid(cert_file_ + ": expected a certificate in PEM");
  context->use_private_key(boost::asio::buffer(*key), ssl::context::pem, error);
  if (error && error.message().contains("mismatch"))
    return Invalid(key_file_ + ": is the key of another certificate than " + cert_file_);
  if (error) return Invalid(key_file_ + ": expected a private key in PEM, without a password");
  return context;
}

std::shared_ptr<ssl::context> ServerCertificate::Current() {
  const std::tuple<Stamp, Stamp> now{StampOf(cert_file_), StampOf(key_file_)};
  if (now == stamps_) return context_;
  stamps_ = now;
  auto context = Read();
  if (context) {
    context_ = std::move(*context);
    Log(LogLevel::kInfo, "the certificate was read again", {{"file", cert_file_}});
  } else {
    Log(LogLevel::kError, "the certificate cannot be used; the one before goes on",
        {{"why", context.error().message}});
  }
  return context_;
}

}  // namespace batholith
