#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stickslip/view/command.h"
#include "stickslip/view/page_content.h"

namespace stickslip {

struct ServerOptions {
  std::string page;  // file of the page
  int port = 0;      // 0: one that is free
};

// Serves the viewer's page and what it asks for, in a thread of its own, on 127.0.0.1 alone and under a random token.
// Nobody waits for a client: a slow one misses frames.
class ViewerServer {
 public:
  // Throws std::runtime_error with a sentence if the page is not there or the port is taken.
  ViewerServer(const ServerOptions& options, std::unique_ptr<PageContent> content);
  ~ViewerServer();
  ViewerServer(const ViewerServer&) = delete;
  ViewerServer& operator=(const ViewerServer&) = delete;

  const std::string& url() const;
  int port() const;
  int watchers() const;  // pages that are connected and want frames

  void publish_frame(std::string frame);
  void publish_status(std::string json);
  std::vector<view::Command> take_commands();  // that came since the last call, in order

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace stickslip
