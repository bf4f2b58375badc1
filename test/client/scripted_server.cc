#include "test/client/scripted_server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

namespace batholith {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using Tcp = asio::ip::tcp;

const Tcp::endpoint kLoopback(asio::ip::address_v4::loopback(), 0);

std::string Text(boost::beast::string_view text) { return {text.data(), text.size()}; }

ScriptedRequest Simplify(const http::request<http::string_body>& from) {
  ScriptedRequest to;
  to.method = Text(from.method_string());
  to.target = Text(from.target());
  to.body = from.body();
  for (const auto& field : from) {
    std::string name = Text(field.name_string());
    std::ranges::transform(name, name.begin(), [](char c) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    std::string& value = to.headers[name];
    value += (value.empty() ? "" : ",") + Text(field.value());
  }
  return to;
}

}  // namespace

std::string ScriptedRequest::Query(const std::string& key) const {
  const std::size_t mark = target.find('?');
  if (mark == std::string::npos) return "";
  const std::string query = "&" + target.substr(mark + 1);
  const std::size_t at = query.find("&" + key + "=");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + key.size() + 2;
  return query.substr(begin, query.find('&', begin) - begin);
}

Actions Answer(int status, const std::string& body, const std::string& more_headers) {
  return {Raw("HTTP/1.1 " + std::to_string(status) +
              " Scripted\r\nContent-Type: application/json\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n" + more_headers + "\r\n" + body)};
}

Actions Says(int status, const std::string& message) {
  return Answer(status, R"({"kind":"Status","message":")" + message + "\"}");
}

Action Head(int status, const std::string& content_type) {
  return Raw("HTTP/1.1 " + std::to_string(status) + " Scripted\r\nContent-Type: " + content_type +
             "\r\nTransfer-Encoding: chunked\r\n\r\n");
}

Action Chunk(const std::string& data) {
  char size[32];
  std::snprintf(size, sizeof(size), "%zx\r\n", data.size());
  return Raw(size + data + "\r\n");
}

Action Last() { return Raw("0\r\n\r\n"); }
Action Raw(const std::string& bytes) { return {Action::Kind::kBytes, bytes}; }
Action WaitFor(const std::string& gate) { return {Action::Kind::kWait, gate}; }
Action Reset() { return {Action::Kind::kReset, ""}; }
Action Close() { return {Action::Kind::kClose, ""}; }

struct ScriptedServer::Listener {
  asio::io_context context;
  Tcp::acceptor acceptor{context, kLoopback};
};

struct ScriptedServer::Connection {
  explicit Connection(Tcp::socket s) : socket(std::move(s)) {}
  Tcp::socket socket;
  std::thread thread;
};

ScriptedServer::ScriptedServer(Script script)
    : script_(std::move(script)), listener_(std::make_unique<Listener>()) {
  thread_ = std::thread([this] { Accept(); });
}

ScriptedServer::~ScriptedServer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    // Whoever waits in a call of the system returns from it.
    shutdown(listener_->acceptor.native_handle(), SHUT_RDWR);
    for (const auto& connection : connections_)
      shutdown(connection->socket.native_handle(), SHUT_RDWR);
  }
  opened_.notify_all();
  thread_.join();
  for (const auto& connection : connections_) connection->thread.join();
}

std::string ScriptedServer::url() const {
  return "http://127.0.0.1:" + std::to_string(listener_->acceptor.local_endpoint().port());
}

void ScriptedServer::Open(const std::string& gate) {
  const std::lock_guard lock(mutex_);
  gates_.insert(gate);
  opened_.notify_all();
}

std::vector<ScriptedRequest> ScriptedServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void ScriptedServer::Accept() {
  while (true) {
    boost::system::error_code error;
    Tcp::socket socket = listener_->acceptor.accept(error);
    const std::lock_guard lock(mutex_);
    if (stopping_ || error) return;
    socket.set_option(Tcp::no_delay(true), error);
    Connection& connection =
        *connections_.emplace_back(std::make_unique<Connection>(std::move(socket)));
    connection.thread = std::thread([this, &connection] { Serve(connection); });
  }
}

void ScriptedServer::Serve(Connection& connection) {
  boost::beast::flat_buffer buffer;
  bool is_open = true;
  while (is_open) {
    http::request_parser<http::string_body> parser;
    parser.body_limit(boost::none);
    boost::system::error_code error;
    http::read(connection.socket, buffer, parser, error);
    if (error) break;
    for (const Action& action : Ask(Simplify(parser.get()))) {
      is_open = is_open && Do(connection, action);
    }
  }
  // The number of the socket must stay its own until the destructor is done with it.
  shutdown(connection.socket.native_handle(), SHUT_RDWR);
}

Actions ScriptedServer::Ask(ScriptedRequest request) {
  const std::lock_guard lock(mutex_);
  request.number = counts_[request.path()]++;
  requests_.push_back(request);
  return script_(request);
}

bool ScriptedServer::Do(Connection& connection, const Action& action) {
  boost::system::error_code error;
  switch (action.kind) {
    case Action::Kind::kBytes:
      asio::write(connection.socket, asio::buffer(action.text), error);
      return !error;
    case Action::Kind::kWait: {
      std::unique_lock lock(mutex_);
      opened_.wait(lock, [&] { return stopping_ || gates_.contains(action.text); });
      return !stopping_;
    }
    case Action::Kind::kReset: {
      const std::lock_guard lock(mutex_);
      connection.socket.set_option(asio::socket_base::linger(true, 0), error);
      // Closing is what sends the RST; another socket takes the number, so that it stays ours.
      Tcp::socket other(listener_->context, Tcp::v4());
      dup2(other.native_handle(), connection.socket.native_handle());
      return false;
    }
    case Action::Kind::kClose:
      return false;
  }
  return false;
}

std::string DeadUrl() {
  asio::io_context context;
  const Tcp::acceptor acceptor(context, kLoopback);
  return "http://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port());
}

}  // namespace batholith
