#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "cmd/status_server.h"

namespace batholith {

// One client of a status server: one request, one answer, the end. A client that wants more comes
// again, so nobody can queue up work. On the server's thread only; lives as long as something of it
// is under way, and is no use to anybody after Close.
class StatusConnection : public std::enable_shared_from_this<StatusConnection> {
 public:
  class Owner {
   public:
    // Calls Reply of the connection, at once or later.
    virtual void Answer(StatusConnection& connection, StatusRequest request) = 0;
    virtual void Ended(StatusConnection& connection) = 0;  // once, unless Close was called

   protected:
    ~Owner() = default;
  };
  struct Rules {
    StatusLimits limits;
    bool own_host_only = false;  // a request that names another host than this machine is refused
  };

  // `tls`: none is plain HTTP. `rules` and `owner` outlive it.
  StatusConnection(boost::asio::ip::tcp::socket socket,
                   std::shared_ptr<boost::asio::ssl::context> tls, const Rules& rules,
                   Owner& owner);
  void Start();
  void Reply(StatusReply reply);  // once; ignored where the client has an answer or is gone
  void Close();

  bool is_answered_now() const { return phase_ == Phase::kWaits || phase_ == Phase::kWrites; }
  std::size_t unsent_bytes() const { return response_.body().size() + part_.size(); }

 private:
  using SystemError = boost::beast::error_code;
  enum class Phase { kReads, kWaits, kWrites, kLingers, kOver };

  // Calls `use` with the stream that the client is spoken to on.
  template <typename Use>
  void OnStream(Use use) {
    secure_ ? use(*secure_) : use(stream_);
  }
  void Read();
  void OnRequest(SystemError error);
  std::optional<StatusReply> ReplyToRequest();  // nothing: the owner was asked
  void Write(StatusReply reply);
  void WriteHead(StatusReply reply);
  void WritePart();
  void OnWritten(SystemError error);
  void Linger();
  void End();

  const Rules& rules_;
  Owner& owner_;
  Phase phase_ = Phase::kReads;
  boost::beast::tcp_stream stream_;
  std::shared_ptr<boost::asio::ssl::context> tls_;
  std::optional<boost::asio::ssl::stream<boost::beast::tcp_stream&>> secure_;
  boost::asio::steady_timer patience_;
  boost::beast::flat_buffer buffer_;
  boost::beast::http::request_parser<boost::beast::http::string_body> parser_;
  boost::beast::http::response<boost::beast::http::string_body> response_;
  bool with_body_ = true;  // HEAD: not
  // Of an answer that comes in parts: what goes before them, and the part that is on its way.
  boost::beast::http::response<boost::beast::http::empty_body> head_;
  std::optional<boost::beast::http::response_serializer<boost::beast::http::empty_body>> heading_;
  std::function<std::string()> more_;
  std::string part_;
  std::array<char, 4096> rest_;
  std::size_t rest_bytes_ = 0;
};

}  // namespace batholith
