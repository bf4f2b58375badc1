#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/error.hpp>
#include <string>

namespace batholith {

// What a server sent until it closed.
struct RawAnswer {
  std::string bytes;

  int status() const { return bytes.size() < 12 ? 0 : std::stoi(bytes.substr(9, 3)); }
  std::string head() const { return bytes.substr(0, bytes.find("\r\n\r\n")); }
  std::string body() const {
    const std::size_t end = bytes.find("\r\n\r\n");
    return end == std::string::npos ? "" : bytes.substr(end + 4);
  }
};

// One blocking connection to a port of this machine.
class StatusClient {
 public:
  explicit StatusClient(int port, const std::string& host = "127.0.0.1") {
    socket_.connect({boost::asio::ip::make_address(host), static_cast<unsigned short>(port)},
                    error_);
  }

  // Nothing has failed yet.
  bool connected() const { return !error_; }
  void Send(const std::string& bytes) {
    boost::asio::write(socket_, boost::asio::buffer(bytes), error_);
  }
  void CloseSending() { socket_.shutdown(boost::asio::socket_base::shutdown_send, error_); }
  std::string Read(std::size_t bytes) {
    std::string text(bytes, '\0');
    text.resize(boost::asio::read(socket_, boost::asio::buffer(text), error_));
    return text;
  }
  // Blocks until the server closes.
  RawAnswer ReadAll() {
    RawAnswer answer;
    boost::asio::read(socket_, boost::asio::dynamic_buffer(answer.bytes), error_);
    return answer;
  }

 private:
  boost::asio::io_context io_;
  boost::asio::ip::tcp::socket socket_{io_};
  boost::beast::error_code error_;
};

inline RawAnswer Exchange(int port, const std::string& bytes) {
  StatusClient client(port);
  client.Send(bytes);
  return client.ReadAll();
}

inline RawAnswer Ask(int port, const std::string& method, const std::string& target,
                     const std::string& body = "") {
  return Exchange(port, method + " " + target + " HTTP/1.1\r\nHost: x\r\nContent-Length: " +
                            std::to_string(body.size()) + "\r\n\r\n" + body);
}

}  // namespace batholith
