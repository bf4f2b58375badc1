#pragma once

#include <boost/asio/ssl/context.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>

#include "api/result.h"

namespace batholith {

// The certificate of a TLS server and its key, from two files in PEM that are read again when they
// change. One thread. A pair that cannot be used is told in the log once, and the one before goes
// on.
class ServerCertificate {
 public:
  // The certificate's file may hold those of its issuers after it. Errors name file and reason.
  static Result<std::shared_ptr<ServerCertificate>> Load(std::string cert_file,
                                                         std::string key_file);

  // For connections that come now: TLS 1.2 and newer.
  std::shared_ptr<boost::asio::ssl::context> Current();

 private:
  using Stamp = std::tuple<std::uintmax_t, std::uintmax_t, std::int64_t, std::uintmax_t>;

  ServerCertificate(std::string cert_file, std::string key_file)
      : cert_file_(std::move(cert_file)), key_file_(std::move(key_file)) {}
  static Stamp StampOf(const std::string& file);
  Result<std::shared_ptr<boost::asio::ssl::context>> Read() const;

  std::string cert_file_, key_file_;
  std::tuple<Stamp, Stamp> stamps_;
  std::shared_ptr<boost::asio::ssl::context> context_;
};

}  // namespace batholith
