#pragma once

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/view/command.h"

// One client of the viewer's server. Everything here runs in the server's thread.
namespace stickslip::view {

using SharedText = std::shared_ptr<const std::string>;

// A page that wants frames.
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void send(const SharedText& message, bool is_frame) = 0;
  virtual void close() = 0;
};

// Who has connected, and not yet shown that he knows the token.
class Guest {
 public:
  virtual ~Guest() = default;
  virtual void leave() = 0;  // and gives back the place
};

class Connections {
 public:
  void add(const std::shared_ptr<Watcher>& watcher);
  void remove(const Watcher& watcher);
  void send(const SharedText& message, bool is_frame);
  void close_all();

  // Strangers make room for who comes after them, the first to come first. False: all places belong to who knows the
  // token.
  bool take_place(const std::shared_ptr<Guest>& guest);
  void leave_place() { --places_; }
  void trust(const Guest& guest);          // is a stranger no more
  int watchers() const { return count_; }  // from any thread

 private:
  std::vector<std::shared_ptr<Watcher>> watchers_;
  std::atomic<int> count_ = 0;
  std::deque<std::weak_ptr<Guest>> strangers_;
  int places_ = 0;
  SharedText last_frame_, last_status_;  // for those who come later
};

// What a connection asks of the server.
class ConnectionHost {
 public:
  virtual ~ConnectionHost() = default;
  virtual const std::string& token() const = 0;
  virtual const std::string& page() const = 0;
  virtual const std::string& page_policy() const = 0;  // which lets the page's own script run, and nothing else
  virtual std::optional<std::string> content(std::string_view address) = 0;
  virtual void on_command(const Command& command) = 0;
  virtual Connections& connections() = 0;
};

// Answers requests until the client goes away, or turns into a WebSocket. The host outlives its io_context's work.
void serve(boost::asio::ip::tcp::socket socket, ConnectionHost& host);

}  // namespace stickslip::view
