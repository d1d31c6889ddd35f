#pragma once

#include <streambuf>
#include <string>

#include "stickslip/base/error.h"

namespace stickslip {

// A text for yaml-cpp, which bounds how far its scanner reads ahead of what it understands. Before "[" the scanner
// must see whether ":" follows the matching "]", which would make the whole list a key: until then it keeps a few
// hundred bytes for every sign it meets, and says nothing. ModelError "too-deep" or "too-large" ends that.
class YamlLookahead : public std::streambuf {
 public:
  YamlLookahead(const std::string& text, const std::string& file);

  // What has been read so far is understood up to this place, or will be before more is read.
  void understood(int line, int column) {
    last_.line = line;
    last_.column = column;
    signs_ = 0;
    open_ = 0;
  }

 protected:
  std::streamsize xsgetn(char* to, std::streamsize count) override;

 private:
  bool is_in_comment(char c);

  Location last_;
  std::size_t signs_ = 0;                        // that may be tokens, since then
  std::ptrdiff_t open_ = 0;                      // brackets that were opened and not closed
  bool in_comment_ = false, has_quote_ = false;  // of the line that is read
  bool is_after_space_ = true;
};

}  // namespace stickslip
