#include "cmd/status_connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace batholith {
namespace {

namespace http = boost::beast::http;

constexpr std::string_view kLogLevel = "/debug/loglevel";  // the only page that takes a PUT
constexpr std::size_t kMostRestBytes = 1 << 20;

// What is said to somebody whose request cannot be read; 0: nothing, the client went or idled.
int StatusOf(const boost::beast::error_code& error) {
  if (error == http::error::end_of_stream || error == http::error::partial_message) return 0;
  if (error == http::error::header_limit || error == http::error::buffer_overflow) return 431;
  if (error == http::error::body_limit) return 413;
  return error.category() == http::make_error_code(http::error::bad_method).category() ? 400 : 0;
}

std::string StatusLine(int status) {
  const auto reason = http::obsolete_reason(static_cast<http::status>(status));
  return std::to_string(status) + " " + std::string(reason.data(), reason.size()) + "\n";
}

}  // namespace

StatusConnection::StatusConnection(boost::asio::ip::tcp::socket socket, const StatusLimits& limits,
                                   Owner& owner)
    : limits_(limits),
      owner_(owner),
      stream_(std::move(socket)),
      buffer_(limits.header_bytes + limits.body_bytes) {
  parser_.header_limit(static_cast<std::uint32_t>(limits.header_bytes));
  parser_.body_limit(limits.body_bytes);
}

void StatusConnection::Start() {
  stream_.expires_after(limits_.request);
  http::async_read(stream_, buffer_, parser_,
                   [self = shared_from_this()](SystemError error, std::size_t /*bytes*/) {
                     self->OnRequest(error);
                   });
}

void StatusConnection::Close() {
  phase_ = Phase::kOver;
  stream_.close();
}

void StatusConnection::OnRequest(SystemError error) {
  if (phase_ == Phase::kOver) return;
  if (!error) return Write(ReplyToRequest());
  const int status = StatusOf(error);
  if (status == 0) return End();
  Write({.status = status});
}

StatusReply StatusConnection::ReplyToRequest() {
  auto& message = parser_.get();
  with_body_ = message.method() != http::verb::head;
  const bool put = message.method() == http::verb::put;
  auto request = ParseTarget({message.target().data(), message.target().size()});
  if (!request) return {.status = 400};
  const bool settable = request->path == kLogLevel;
  if (put ? !settable : message.method() != http::verb::get && with_body_) {
    response_.set(http::field::allow, settable ? "GET, HEAD, PUT" : "GET, HEAD");
    return {.status = 405};
  }
  request->method = put ? "PUT" : "GET";
  request->body = std::move(message.body());
  return owner_.Answer(*request);
}

void StatusConnection::Write(StatusReply reply) {
  if (reply.text.empty()) reply.text = StatusLine(reply.status);
  response_.result(static_cast<unsigned>(reply.status));
  response_.set(http::field::content_type, reply.content_type);
  response_.content_length(reply.text.size());
  response_.keep_alive(false);
  if (with_body_) response_.body() = std::move(reply.text);
  phase_ = Phase::kWrites;
  stream_.expires_after(limits_.reply);
  http::async_write(stream_, response_,
                    [self = shared_from_this()](SystemError error, std::size_t /*bytes*/) {
                      self->OnWritten(error);
                    });
}

void StatusConnection::OnWritten(SystemError error) {
  if (phase_ == Phase::kOver) return;
  if (error) return End();
  phase_ = Phase::kLingers;
  response_.body() = std::string();
  // Where the client is gone already, the first read says so.
  std::ignore = stream_.socket().shutdown(boost::asio::socket_base::shutdown_send, error);
  stream_.expires_after(limits_.linger);
  Linger();
}

// To close a socket with bytes that nobody read resets it, and the client would lose its answer. So
// what else it sends is thrown away until it has closed too.
void StatusConnection::Linger() {
  stream_.async_read_some(boost::asio::buffer(rest_),
                          [self = shared_from_this()](SystemError error, std::size_t bytes) {
                            if (self->phase_ == Phase::kOver) return;
                            self->rest_bytes_ += bytes;
                            if (error || self->rest_bytes_ > kMostRestBytes) return self->End();
                            self->Linger();
                          });
}

void StatusConnection::End() {
  Close();
  owner_.Ended(*this);
}

}  // namespace batholith
