#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <memory>

#include "cmd/status_server.h"

namespace batholith {

// One client of a status server: one request, one answer, the end. A client that wants more comes
// again, so nobody can queue up work. On the server's thread only; lives as long as something of it
// is under way, and is no use to anybody after Close.
class StatusConnection : public std::enable_shared_from_this<StatusConnection> {
 public:
  class Owner {
   public:
    virtual StatusReply Answer(const StatusRequest& request) = 0;
    virtual void Ended(StatusConnection& connection) = 0;  // once, unless Close was called

   protected:
    ~Owner() = default;
  };

  StatusConnection(boost::asio::ip::tcp::socket socket, const StatusLimits& limits, Owner& owner);
  void Start();
  void Close();

  bool is_answered_now() const { return phase_ == Phase::kWrites; }
  std::size_t unsent_bytes() const { return is_answered_now() ? response_.body().size() : 0; }

 private:
  using SystemError = boost::beast::error_code;
  enum class Phase { kReads, kWrites, kLingers, kOver };

  void OnRequest(SystemError error);
  StatusReply ReplyToRequest();
  void Write(StatusReply reply);
  void OnWritten(SystemError error);
  void Linger();
  void End();

  const StatusLimits& limits_;
  Owner& owner_;
  Phase phase_ = Phase::kReads;
  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  boost::beast::http::request_parser<boost::beast::http::string_body> parser_;
  boost::beast::http::response<boost::beast::http::string_body> response_;
  bool with_body_ = true;  // HEAD: not
  std::array<char, 4096> rest_;
  std::size_t rest_bytes_ = 0;
};

}  // namespace batholith
