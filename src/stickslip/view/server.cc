#include "stickslip/view/server.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "stickslip/view/access.h"
#include "stickslip/view/connection.h"
#include "stickslip/view/page_file.h"

namespace stickslip {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;

// The acceptor and what connections share; all but the mailboxes belongs to the server's thread.
class ViewerServer::Implementation final : public view::ConnectionHost {
 public:
  Implementation(std::string page, int port, std::unique_ptr<PageContent> content)
      : page_(std::move(page)),
        policy_(policy_of(page_)),
        content_(std::move(content)),
        acceptor_(io_),
        token_(random_token()) {
    listen(port);
    url_ = fmt::format("http://127.0.0.1:{}/{}/", port_, token_);
    accept();
    thread_ = std::thread([this] { work(); });
  }

  ~Implementation() override {
    asio::post(io_, [this] {
      boost::system::error_code ignored;
      acceptor_.close(ignored);
      connections_.close_all();
      io_.stop();
    });
    thread_.join();
  }

  // For connections, in the server's thread.
  const std::string& token() const override { return token_; }
  const std::string& page() const override { return page_; }
  const std::string& page_policy() const override { return policy_; }
  std::optional<std::string> content(std::string_view address) override { return content_->get(address); }
  void on_command(const view::Command& command) override {
    const std::lock_guard lock(mutex_);
    if (!commands_.empty() && supersedes(command, commands_.back())) {
      commands_.back() = command;
    } else if (commands_.size() < kMostCommands || std::holds_alternative<view::Drop>(command)) {
      commands_.push_back(command);
    }
  }
  view::Connections& connections() override { return connections_; }

  // For the simulation, in its own.
  void publish(std::string message, bool is_frame) {
    auto shared = std::make_shared<const std::string>(std::move(message));
    asio::post(io_, [this, shared = std::move(shared), is_frame] { connections_.send(shared, is_frame); });
  }
  std::vector<view::Command> take_commands() {
    const std::lock_guard lock(mutex_);
    return std::exchange(commands_, {});
  }
  int watchers() const { return connections_.watchers(); }

  int port_ = 0;
  std::string url_;

 private:
  static constexpr size_t kMostCommands = 1000;  // that wait to be taken

  // Whatever goes wrong with a client, out of memory for one, is not the simulation's end.
  void work() {
    while (!io_.stopped()) {
      try {
        io_.run();
      } catch (const std::exception&) {
        continue;
      }
    }
  }

  // Where only the newest counts.
  static bool supersedes(const view::Command& next, const view::Command& last) {
    if (next.index() != last.index()) return false;
    if (const auto* drag = std::get_if<view::Drag>(&next)) return drag->body == std::get<view::Drag>(last).body;
    const auto* control = std::get_if<view::SetControl>(&next);
    return control && control->actuator == std::get<view::SetControl>(last).actuator;
  }

  void listen(int port) {
    boost::system::error_code error;
    const Tcp::endpoint here(asio::ip::make_address("127.0.0.1"), static_cast<unsigned short>(port));
    acceptor_.open(here.protocol(), error);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(here, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error)
      throw std::runtime_error(
          fmt::format("cannot listen on port {}: {}; give another, or 0 for one that is free", port, error.message()));
    close_in_children(acceptor_.native_handle());
    port_ = acceptor_.local_endpoint().port();
  }

  void accept() {
    acceptor_.async_accept([this](boost::system::error_code error, Tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return accept_later();  // no descriptors are left, for one
      close_in_children(socket.native_handle());
      view::serve(std::move(socket), *this);
      accept();
    });
  }

  void accept_later() {
    pause_.expires_after(std::chrono::milliseconds(100));
    pause_.async_wait([this](boost::system::error_code error) {
      if (!error) accept();
    });
  }

  // A browser that we start must not hold our port.
  static void close_in_children(int descriptor) { ::fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

  const std::string page_, policy_;
  std::unique_ptr<PageContent> content_;
  view::Connections connections_;  // outlives the clients, which go with the io_context
  asio::io_context io_{1};
  Tcp::acceptor acceptor_;
  asio::steady_timer pause_{io_};
  const std::string token_;
  std::mutex mutex_;
  std::vector<view::Command> commands_;
  std::thread thread_;
};

ViewerServer::ViewerServer(const ServerOptions& options, std::unique_ptr<PageContent> content) {
  if (options.port < 0 || options.port > 65535)
    throw std::runtime_error(fmt::format("port {} does not exist; expected 0 to 65535", options.port));
  implementation_ = std::make_unique<Implementation>(read_page(options.page), options.port, std::move(content));
}

ViewerServer::~ViewerServer() = default;
const std::string& ViewerServer::url() const { return implementation_->url_; }
int ViewerServer::port() const { return implementation_->port_; }
int ViewerServer::watchers() const { return implementation_->watchers(); }
void ViewerServer::publish_frame(std::string frame) { implementation_->publish(std::move(frame), true); }
void ViewerServer::publish_status(std::string json) { implementation_->publish(std::move(json), false); }
std::vector<view::Command> ViewerServer::take_commands() { return implementation_->take_commands(); }

}  // namespace stickslip
