#include "cmd/status_server.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/error.hpp>
#include <cerrno>
#include <list>
#include <thread>
#include <utility>
#include <vector>

#include "cmd/listen_address.h"
#include "cmd/server_certificate.h"
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
  Loop(Handler handler, Options options)
      : handler_(std::move(handler)),
        guard_(std::move(options.guard)),
        certificate_(std::move(options.certificate)),
        rules_{options.limits, options.loopback_only} {}
  ~Loop() {
    io_->stop();
    if (thread_.joinable()) thread_.join();
    // What waits for its answer may be held by whoever owes it.
    for (const auto& connection : connections_) connection->Close();
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  Result<void> Start(const std::string& text) {
    const Result<ListenAddress> address = ParseListenAddress(text);
    if (!address) return std::unexpected(address.error());
    SystemError error;
    const std::vector<Tcp::endpoint> endpoints = EndpointsOf(*io_, *address, error);
    for (const Tcp::endpoint& endpoint : endpoints) {
      if (rules_.own_host_only && !endpoint.address().is_loopback())
        return Invalid("address \"" + text +
                       "\" can be reached from other machines; expected one of loopback, such as "
                       "127.0.0.1:6060");
    }
    for (const Tcp::endpoint& endpoint : endpoints) {
      error = TryListen(acceptor_, endpoint);
      // Only a family that the machine does not have is a reason to try the next one.
      if (error != asio::error::address_family_not_supported && error.value() != EADDRNOTAVAIL)
        break;
    }
    if (!error) port_ = acceptor_.local_endpoint(error).port();
    if (error) {
      return std::unexpected(
          Error{ErrorCode::kUnavailable, "cannot listen on " + text + ": " + error.message()});
    }
    Accept();
    thread_ = std::thread([this] { io_->run(); });
    return {};
  }

  int port() const { return port_; }

  // The client and the io context, but not this object, may be asked for from another thread.
  void Answer(StatusConnection& connection, StatusRequest request) override {
    std::size_t unsent = 0;
    for (const auto& one : connections_) unsent += one->unsent_bytes();
    if (unsent > rules_.limits.unsent_bytes) return connection.Reply({.status = 503});
    const auto to = connection.weak_from_this();
    const auto answer = [io = io_, to](StatusReply reply) {
      asio::post(*io, [to, reply = std::move(reply)]() mutable {
        if (const auto client = to.lock()) client->Reply(std::move(reply));
      });
    };
    if (!guard_) return handler_(request, answer);
    guard_(request, [this, io = io_, to, request, answer](std::optional<StatusReply> refusal) {
      asio::post(*io, [this, to, request, answer, refusal = std::move(refusal)] {
        if (to.expired()) return;
        refusal ? answer(*refusal) : handler_(request, answer);
      });
    });
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
    if (connections_.size() >= rules_.limits.connections) {
      auto oldest = std::ranges::find_if(
          connections_, [](const auto& connection) { return !connection->is_answered_now(); });
      if (oldest == connections_.end()) oldest = connections_.begin();
      (*oldest)->Close();
      connections_.erase(oldest);
    }
    connections_.push_back(std::make_shared<StatusConnection>(
        std::move(socket), certificate_ == nullptr ? nullptr : certificate_->Current(), rules_,
        *this));
    connections_.back()->Start();
  }

  Handler handler_;
  Guard guard_;
  std::shared_ptr<ServerCertificate> certificate_;
  StatusConnection::Rules rules_;
  // Shared with those who owe an answer and may come with it when the server is gone.
  std::shared_ptr<asio::io_context> io_ = std::make_shared<asio::io_context>(1);
  Tcp::acceptor acceptor_{*io_};
  asio::steady_timer pause_{*io_};
  std::list<std::shared_ptr<StatusConnection>> connections_;  // oldest first
  int port_ = 0;
  std::thread thread_;
};

StatusServer::StatusServer(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}
StatusServer::~StatusServer() = default;
int StatusServer::port() const { return loop_->port(); }

StatusServer::Handler StatusServer::AtOnce(
    std::function<StatusReply(const StatusRequest&)> answer) {
  return [answer = std::move(answer)](const StatusRequest& request, const Answer& reply) {
    reply(answer(request));
  };
}

Result<std::unique_ptr<StatusServer>> StatusServer::Listen(const std::string& address,
                                                           Handler handler, Options options) {
  auto loop = std::make_unique<Loop>(std::move(handler), std::move(options));
  const Result<void> started = loop->Start(address);
  if (!started) return std::unexpected(started.error());
  return std::unique_ptr<StatusServer>(new StatusServer(std::move(loop)));
}

}  // namespace batholith
