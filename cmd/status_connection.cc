#include "cmd/status_connection.h"

#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <string_view>
#include <utility>

namespace batholith {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

constexpr std::string_view kLogLevel = "/debug/loglevel";  // the only page that takes a PUT

// What is said to somebody whose request cannot be read; 0: nothing, the client went or idled.
int StatusOf(const boost::beast::error_code& error) {
  if (error == http::error::end_of_stream || error == http::error::partial_message) return 0;
  if (error == http::error::header_limit || error == http::error::buffer_overflow) return 431;
  if (error == http::error::body_limit) return 413;
  return error.category() == http::make_error_code(http::error::bad_method).category() ? 400 : 0;
}

template <typename Message>
std::string_view FieldOf(const Message& message, http::field field) {
  const auto text = message[field];
  return {text.data(), text.size()};
}

}  // namespace

StatusConnection::StatusConnection(asio::ip::tcp::socket socket,
                                   std::shared_ptr<asio::ssl::context> tls, const Rules& rules,
                                   Owner& owner)
    : rules_(rules),
      owner_(owner),
      stream_(std::move(socket)),
      tls_(std::move(tls)),
      patience_(stream_.get_executor()),
      buffer_(rules.limits.header_bytes + rules.limits.body_bytes) {
  if (tls_ != nullptr) secure_.emplace(stream_, *tls_);
  parser_.header_limit(static_cast<std::uint32_t>(rules.limits.header_bytes));
  parser_.body_limit(rules.limits.body_bytes);
}

void StatusConnection::Start() {
  stream_.expires_after(rules_.limits.request);
  if (!secure_) return Read();
  secure_->async_handshake(asio::ssl::stream_base::server,
                           [self = shared_from_this()](SystemError error) {
                             if (self->phase_ == Phase::kOver) return;
                             error ? self->End() : self->Read();
                           });
}

void StatusConnection::Read() {
  OnStream([this](auto& stream) {
    http::async_read(stream, buffer_, parser_,
                     [self = shared_from_this()](SystemError error, std::size_t /*bytes*/) {
                       self->OnRequest(error);
                     });
  });
}

void StatusConnection::Close() {
  phase_ = Phase::kOver;
  patience_.cancel();
  more_ = nullptr;
  stream_.close();
}

void StatusConnection::OnRequest(SystemError error) {
  if (phase_ == Phase::kOver) return;
  if (error) {
    const int status = StatusOf(error);
    return status == 0 ? End() : Write({.status = status});
  }
  if (auto reply = ReplyToRequest()) Write(*std::move(reply));
}

std::optional<StatusReply> StatusConnection::ReplyToRequest() {
  auto& message = parser_.get();
  with_body_ = message.method() != http::verb::head;
  const bool put = message.method() == http::verb::put;
  auto request = ParseTarget({message.target().data(), message.target().size()});
  if (!request) return StatusReply{.status = 400};
  if (rules_.own_host_only && !NamesThisMachine(FieldOf(message, http::field::host)))
    return StatusReply{.status = 421, .text = "expected a Host of this machine: localhost\n"};
  const bool settable = request->path == kLogLevel;
  if (put ? !settable : message.method() != http::verb::get && with_body_) {
    response_.set(http::field::allow, settable ? "GET, HEAD, PUT" : "GET, HEAD");
    return StatusReply{.status = 405};
  }
  request->method = put ? "PUT" : "GET";
  request->token = BearerOf(FieldOf(message, http::field::authorization));
  request->body = std::move(message.body());
  phase_ = Phase::kWaits;
  patience_.expires_after(rules_.limits.answer);
  patience_.async_wait([self = shared_from_this()](SystemError ended) {
    if (!ended) self->Reply({.status = 503, .text = "no answer came in time; ask again\n"});
  });
  owner_.Answer(*this, *std::move(request));
  return std::nullopt;
}

}  // namespace batholith
