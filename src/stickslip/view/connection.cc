#include "stickslip/view/connection.h"

#include <algorithm>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>

#include "stickslip/view/access.h"

namespace stickslip::view {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Error = boost::system::error_code;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

constexpr size_t kMostHeaderBytes = 8192, kMostMessageBytes = 4096;
constexpr int kMostClients = 256;
constexpr auto kPatience = std::chrono::seconds(20);  // with a client that says or takes nothing

// What each answer says: nothing may be loaded from elsewhere, run, framed, sniffed or kept. `may`: what the page
// itself may.
void add_headers(Response& response, const std::string& may) {
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.set("Content-Security-Policy", may + "; frame-ancestors 'none'");
}

constexpr const char* kNothing = "default-src 'none'; script-src 'none'; base-uri 'none'; form-action 'none'";

Response answer(const Request& request, http::status status, const char* type, std::string body,
                const std::string& may = kNothing) {
  Response response(status, request.version());
  add_headers(response, may);
  response.set(http::field::content_type, type);
  response.keep_alive(request.keep_alive() && status == http::status::ok);
  response.body() = std::move(body);
  response.prepare_payload();
  return response;
}

Response refusal(const Request& request, http::status status, const char* sentence) {
  return answer(request, status, "text/plain; charset=utf-8", std::string(sentence) + "\n");
}

std::string_view header(const Request& request, http::field field) {
  const auto found = request.find(field);
  return found == request.end() ? std::string_view() : std::string_view(found->value().data(), found->value().size());
}

// Of a page of ours, or of no page: an address typed by hand, or no browser. Who says two things means neither.
bool is_ours(const Request& request) {
  const std::string_view host = header(request, http::field::host);
  if (request.count(http::field::host) != 1 || !is_own_host(host)) return false;
  const size_t origins = request.count(http::field::origin);
  return origins == 0 || (origins == 1 && is_own_origin(header(request, http::field::origin), host));
}

// The part of the address after the token; none if it may not be asked.
std::optional<std::string> permitted(const Request& request, const std::string& token) {
  if (!is_ours(request)) return {};
  const std::string_view target(request.target().data(), request.target().size());
  const size_t end = 1 + token.size();
  if (target.size() <= end || target[0] != '/' || target[end] != '/' ||
      !same_text(target.substr(1, token.size()), token))
    return {};
  return std::string(target.substr(end + 1));
}

Response respond(const Request& request, const std::string& address, ConnectionHost& host) {
  if (request.method() != http::verb::get)
    return refusal(request, http::status::method_not_allowed, "only GET is understood");
  if (address.empty())
    return answer(request, http::status::ok, "text/html; charset=utf-8", host.page(), host.page_policy());
  std::optional<std::string> found = host.content(address);
  if (!found) return refusal(request, http::status::not_found, "there is no such thing here");
  const char* type = address == "scene.json" ? "application/json" : "application/octet-stream";
  return answer(request, http::status::ok, type, std::move(*found));
}

// One of the clients that there may be.
class Place {
 public:
  explicit Place(Connections& connections) : connections_(connections) {}
  ~Place() { connections_.leave_place(); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  Connections& connections_;
};

// Sends the newest frame and the newest status, never more than one message at a time.
class LivePage final : public Watcher, public std::enable_shared_from_this<LivePage> {
 public:
  LivePage(beast::tcp_stream stream, std::shared_ptr<Place> place, ConnectionHost& host)
      : socket_(std::move(stream)), place_(std::move(place)), host_(host) {
    socket_.set_option(websocket::stream_base::timeout{kPatience, kPatience, true});
    socket_.read_message_max(kMostMessageBytes);
  }

  void start(const Request& request) {
    socket_.async_accept(request, [self = shared_from_this()](Error error) {
      if (error) return;
      self->host_.connections().add(self);
      self->read();
    });
  }

  void send(const SharedText& message, bool is_frame) override {
    (is_frame ? frame_ : status_) = message;
    if (!writing_) write();
  }

  void close() override { beast::get_lowest_layer(socket_).close(); }

 private:
  void write() {
    const bool is_frame = !status_;
    writing_ = std::exchange(is_frame ? frame_ : status_, nullptr);
    if (!writing_) return;
    socket_.binary(is_frame);
    socket_.async_write(asio::buffer(*writing_), [self = shared_from_this()](Error error, size_t) {
      self->writing_ = nullptr;
      if (!error) self->write();
    });
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](Error error, size_t) {
      if (error || !self->take_message()) return self->leave();
      self->read();
    });
  }

  // Its hand lets go with it.
  void leave() {
    if (drags_) host_.on_command(Drop{});
    host_.connections().remove(*this);
    close();
  }

  bool take_message() {
    const std::string text = beast::buffers_to_string(buffer_.data());
    buffer_.consume(buffer_.size());
    const std::optional<Command> command = socket_.got_text() ? parse_command(text) : std::nullopt;
    if (!command) return false;
    drags_ = std::holds_alternative<Drag>(*command) || (drags_ && !std::holds_alternative<Drop>(*command));
    host_.on_command(*command);
    return true;
  }

  websocket::stream<beast::tcp_stream> socket_;
  std::shared_ptr<Place> place_;
  ConnectionHost& host_;
  beast::flat_buffer buffer_;
  SharedText frame_, status_, writing_;
  bool drags_ = false;
};

// Answers requests one after another.
class Client final : public Guest, public std::enable_shared_from_this<Client> {
 public:
  Client(asio::ip::tcp::socket socket, ConnectionHost& host) : stream_(std::move(socket)), host_(host) {}

  void begin() {
    if (!host_.connections().take_place(shared_from_this())) return;
    place_ = std::make_shared<Place>(host_.connections());
    read();
  }

  void leave() override {
    place_ = nullptr;
    stream_.close();
  }

 private:
  void read() {
    parser_.emplace();
    parser_->header_limit(kMostHeaderBytes);
    parser_->body_limit(0);
    stream_.expires_after(kPatience);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](Error error, size_t) {
      if (!error) self->take();
    });
  }

  void take() {
    const Request request = parser_->release();
    const std::optional<std::string> address = permitted(request, host_.token());
    if (!address) return write(refusal(request, http::status::forbidden, "not for you"));
    host_.connections().trust(*this);
    if (!websocket::is_upgrade(request)) return write(respond(request, *address, host_));
    if (*address != "live") return write(refusal(request, http::status::not_found, "there is no such thing here"));
    stream_.expires_never();  // the WebSocket has a clock of its own
    std::make_shared<LivePage>(std::move(stream_), place_, host_)->start(request);
  }

  void write(Response response) {
    response_ = std::move(response);
    stream_.expires_after(kPatience);
    http::async_write(stream_, response_, [self = shared_from_this()](Error error, size_t) {
      if (error) return;
      if (self->response_.keep_alive()) return self->read();
      Error ignored;
      self->stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    });
  }

  beast::tcp_stream stream_;
  std::shared_ptr<Place> place_;
  ConnectionHost& host_;
  beast::flat_buffer buffer_{2 * kMostHeaderBytes};
  std::optional<http::request_parser<http::empty_body>> parser_;
  Response response_;
};

}  // namespace

void Connections::add(const std::shared_ptr<Watcher>& watcher) {
  watchers_.push_back(watcher);
  count_ = static_cast<int>(watchers_.size());
  if (last_status_) watcher->send(last_status_, false);
  if (last_frame_) watcher->send(last_frame_, true);
}

void Connections::remove(const Watcher& watcher) {
  std::erase_if(watchers_, [&](const auto& other) { return other.get() == &watcher; });
  count_ = static_cast<int>(watchers_.size());
}

void Connections::send(const SharedText& message, bool is_frame) {
  (is_frame ? last_frame_ : last_status_) = message;
  for (const auto& watcher : watchers_) watcher->send(message, is_frame);
}

void Connections::close_all() {
  for (const auto& watcher : watchers_) watcher->close();
  watchers_.clear();
  count_ = 0;
}

bool Connections::take_place(const std::shared_ptr<Guest>& guest) {
  const auto is_gone = [](const std::weak_ptr<Guest>& stranger) { return stranger.expired(); };
  if (strangers_.size() >= kMostClients) std::erase_if(strangers_, is_gone);
  while (places_ >= kMostClients && !strangers_.empty()) {
    const std::shared_ptr<Guest> oldest = strangers_.front().lock();
    strangers_.pop_front();
    if (oldest) oldest->leave();
  }
  if (places_ >= kMostClients) return false;
  ++places_;
  strangers_.push_back(guest);
  return true;
}

void Connections::trust(const Guest& guest) {
  std::erase_if(strangers_, [&](const std::weak_ptr<Guest>& stranger) {
    const std::shared_ptr<Guest> known = stranger.lock();
    return !known || known.get() == &guest;
  });
}

void serve(asio::ip::tcp::socket socket, ConnectionHost& host) {
  std::make_shared<Client>(std::move(socket), host)->begin();
}

}  // namespace stickslip::view
