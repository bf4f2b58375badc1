#pragma once

#include <curl/curl.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "client/access/access.h"
#include "client/access/credentials.h"
#include "client/http/http.h"

namespace batholith {

// One request on the wire: a curl easy handle, what it sends, and what has come back. Lives on the
// client's thread; what its constructor is given outlives it. Not to be destroyed while it is in a
// multi handle, nor from inside its hooks.
class Transfer {
 public:
  // Called while curl works, so they must not add or remove transfers. False ends the transfer.
  struct Hooks {
    std::function<bool()> on_begin;                 // status and headers are there
    std::function<bool(std::string_view)> on_data;  // of the body
  };

  Transfer(const ClusterAccess& access, const HttpOptions& options, const HttpRequest& request,
           std::shared_ptr<const Credential> credential, Hooks hooks);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  CURL* handle() const { return handle_; }
  HttpReply& reply() { return reply_; }
  const std::shared_ptr<const Credential>& credential() const { return credential_; }

  // At least a byte of the request was handed to the connection.
  bool sent() const;
  bool is_http2() const;
  // What curl says about an end with this code.
  std::string Describe(CURLcode code) const;

 private:
  void SetTarget();
  void SetProxy();
  void SetMethod();
  void SetHeaders();
  void SetTls();
  void AddHeader(const std::string& line);

  static std::size_t OnHeader(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t OnBody(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t OnRead(char* buffer, std::size_t size, std::size_t count, void* self);
  bool ReadHeader(std::string_view line);

  const ClusterAccess& access_;
  const HttpRequest& request_;
  std::shared_ptr<const Credential> credential_;
  Hooks hooks_;
  HttpReply reply_;
  bool begun_ = false;  // of the answer, the headers are over; trailers may follow
  std::size_t body_sent_ = 0;
  CURL* handle_;
  curl_slist* headers_ = nullptr;
  curl_slist* connect_to_ = nullptr;
  char error_[CURL_ERROR_SIZE] = {};
};

}  // namespace batholith
