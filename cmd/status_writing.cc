// How a status server's connection gives its answer; the request is read in status_connection.cc.
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/write.hpp>
#include <tuple>
#include <utility>

#include "api/printable.h"
#include "cmd/status_connection.h"

namespace batholith {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

constexpr std::size_t kMostRestBytes = 1 << 20;

std::string StatusLine(int status) {
  const auto reason = http::obsolete_reason(static_cast<http::status>(status));
  return std::to_string(status) + " " + std::string(reason.data(), reason.size()) + "\n";
}

}  // namespace

void StatusConnection::Reply(StatusReply reply) {
  if (phase_ != Phase::kWaits) return;
  patience_.cancel();
  Write(std::move(reply));
}

void StatusConnection::Write(StatusReply reply) {
  phase_ = Phase::kWrites;
  stream_.expires_after(rules_.limits.reply);
  if (reply.more) return WriteHead(std::move(reply));
  if (reply.text.empty()) reply.text = StatusLine(reply.status);
  response_.result(static_cast<unsigned>(reply.status));
  // What curl shows to people on a terminal; metrics have a format of their own.
  if (reply.content_type == StatusReply().content_type) reply.text = ManyLines(reply.text);
  response_.set(http::field::content_type, reply.content_type);
  if (reply.status == 401) response_.set(http::field::www_authenticate, "Bearer");
  response_.content_length(reply.text.size());
  response_.keep_alive(false);
  if (with_body_) response_.body() = std::move(reply.text);
  OnStream([this](auto& stream) {
    http::async_write(stream, response_,
                      [self = shared_from_this()](SystemError error, std::size_t /*bytes*/) {
                        self->OnWritten(error);
                      });
  });
}

// HTTP/1.0 knows no chunks: there the end of the connection is the end of the answer.
void StatusConnection::WriteHead(StatusReply reply) {
  if (with_body_) more_ = std::move(reply.more);
  head_.result(static_cast<unsigned>(reply.status));
  head_.set(http::field::content_type, reply.content_type);
  head_.chunked(parser_.get().version() >= 11);
  head_.keep_alive(false);
  part_ = std::move(reply.text);
  heading_.emplace(head_);
  OnStream([this](auto& stream) {
    http::async_write_header(stream, *heading_,
                             [self = shared_from_this()](SystemError error, std::size_t /*bytes*/) {
                               if (self->phase_ == Phase::kOver) return;
                               error ? self->End() : self->WritePart();
                             });
  });
}

void StatusConnection::WritePart() {
  if (more_ && part_.empty()) part_ = more_();
  const bool last = part_.empty();
  const auto then = [self = shared_from_this(), last](SystemError error, std::size_t /*bytes*/) {
    if (self->phase_ == Phase::kOver) return;
    self->part_.clear();
    if (error || last) return self->OnWritten(error);
    self->WritePart();
  };
  if (last) more_ = nullptr;
  OnStream([&](auto& stream) {
    if (!head_.chunked()) {
      asio::async_write(stream, asio::buffer(part_), then);
    } else if (last) {
      asio::async_write(stream, http::make_chunk_last(), then);
    } else {
      asio::async_write(stream, http::make_chunk(asio::buffer(part_)), then);
    }
  });
}

void StatusConnection::OnWritten(SystemError error) {
  if (phase_ == Phase::kOver) return;
  if (error) return End();
  phase_ = Phase::kLingers;
  response_.body() = std::string();
  stream_.expires_after(rules_.limits.linger);
  if (secure_) {
    secure_->async_shutdown([self = shared_from_this()](SystemError /*closed*/) {
      if (self->phase_ != Phase::kOver) self->End();
    });
    return;
  }
  // Where the client is gone already, the first read says so.
  std::ignore = stream_.socket().shutdown(asio::socket_base::shutdown_send, error);
  Linger();
}

// To close a socket with bytes that nobody read resets it, and the client would lose its answer. So
// what else it sends is thrown away until it has closed too.
void StatusConnection::Linger() {
  stream_.async_read_some(asio::buffer(rest_),
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
