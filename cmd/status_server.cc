#include "cmd/status_server.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/error.hpp>
#include <cerrno>
#include <list>
#include <thread>
#include <utility>
#include <vector>

#include "cmd/listen_address.h"
#include "cmd/status_connection.h"

namespace batholith {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using SystemError = boost::beast::error_code;

// Where accept fails, it does so until somebody gives a descriptor back.
constexpr std::chrono::milliseconds kPauseOfAccept{100};

std::vector<Tcp::endpoint> EndpointsOf(asio::io_context& io, const ListenAddress& address,
                                       SystemError& error) {
  if (address.host.empty())
    return {Tcp::endpoint(Tcp::v6(), address.port), Tcp::endpoint(Tcp::v4(), address.port)};
  std::vector<Tcp::endpoint> endpoints;
  Tcp::resolver resolver(io);
  const auto found = resolver.resolve(address.host, std::to_string(address.port),
                                      asio::ip::resolver_base::passive, error);
  for (const auto& entry : found) endpoints.push_back(entry.endpoint());
  return endpoints;
}

SystemError TryListen(Tcp::acceptor& acceptor, const Tcp::endpoint& endpoint) {
  try {
    acceptor.close();
    acceptor.open(endpoint.protocol());
    acceptor.set_option(Tcp::acceptor::reuse_address(true));
    if (endpoint.address().is_v6())
      acceptor.set_option(asio::ip::v6_only(!endpoint.address().is_unspecified()));
    acceptor.bind(endpoint);
    acceptor.listen();
    return {};
  } catch (const boost::beast::system_error& error) {
    return error.code();
  }
}

}  // namespace

class StatusServer::Loop final : public StatusConnection::Owner {
 public:
  Loop(Handler handler, StatusLimits limits) : handler_(std::move(handler)), limits_(limits) {}
  ~Loop() {
    io_.stop();
    if (thread_.joinable()) thread_.join();
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  SystemError Start(const ListenAddress& address) {
    SystemError error;
    for (const Tcp::endpoint& endpoint : EndpointsOf(io_, address, error)) {
      error = TryListen(acceptor_, endpoint);
      // Only a family that the machine does not have is a reason to try the next one.
      if (error != asio::error::address_family_not_supported && error.value() != EADDRNOTAVAIL)
        break;
    }
    if (!error) port_ = acceptor_.local_endpoint(error).port();
    if (error) return error;
    Accept();
    thread_ = std::thread([this] { io_.run(); });
    return {};
  }

  int port() const { return port_; }

  StatusReply Answer(const StatusRequest& request) override {
    std::size_t unsent = 0;
    for (const auto& connection : connections_) unsent += connection->unsent_bytes();
    if (unsent > limits_.unsent_bytes) return {.status = 503};
    return handler_(request);
  }

  void Ended(StatusConnection& connection) override {
    std::erase_if(connections_, [&](const auto& one) { return one.get() == &connection; });
  }

 private:
  void Accept() {
    acceptor_.async_accept([this](SystemError error, Tcp::socket socket) {
      if (error) return AcceptLater();
      Serve(std::move(socket));
      Accept();
    });
  }

  void AcceptLater() {
    pause_.expires_after(kPauseOfAccept);
    pause_.async_wait([this](SystemError /*error*/) { Accept(); });
  }

  void Serve(Tcp::socket socket) {
    if (connections_.size() >= limits_.connections) {
      auto oldest = std::ranges::find_if(
          connections_, [](const auto& connection) { return !connection->is_answered_now(); });
      if (oldest == connections_.end()) oldest = connections_.begin();
      (*oldest)->Close();
      connections_.erase(oldest);
    }
    connections_.push_back(std::make_shared<StatusConnection>(std::move(socket), limits_, *this));
    connections_.back()->Start();
  }

  Handler handler_;
  StatusLimits limits_;
  asio::io_context io_{1};
  Tcp::acceptor acceptor_{io_};
  asio::steady_timer pause_{io_};
  std::list<std::shared_ptr<StatusConnection>> connections_;  // oldest first
  int port_ = 0;
  std::thread thread_;
};

StatusServer::StatusServer(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}
StatusServer::~StatusServer() = default;
int StatusServer::port() const { return loop_->port(); }

Result<std::unique_ptr<StatusServer>> StatusServer::Listen(const std::string& address,
                                                           Handler handler, StatusLimits limits) {
  const Result<ListenAddress> parsed = ParseListenAddress(address);
  if (!parsed) return std::unexpected(parsed.error());
  auto loop = std::make_unique<Loop>(std::move(handler), limits);
  if (const SystemError error = loop->Start(*parsed)) {
    return std::unexpected(
        Error{ErrorCode::kUnavailable, "cannot listen on " + address + ": " + error.message()});
  }
  return std::unique_ptr<StatusServer>(new StatusServer(std::move(loop)));
}

}  // namespace batholith
