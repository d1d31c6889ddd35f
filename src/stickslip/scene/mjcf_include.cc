#include "stickslip/scene/mjcf_include.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

#include "stickslip/base/names.h"
#include "stickslip/shapes/nearby.h"

namespace stickslip::mjcf {
namespace {

namespace fs = std::filesystem;

// Bounds what a chain of files that each include several others can grow to.
constexpr std::size_t kMostElements = 2'000'000;
constexpr int kMostIncludes = 10'000;
constexpr std::size_t kDeepestInclude = 16;

class Expander {
 public:
  Expander(std::string folder, const std::vector<std::string>& allowed_folders)
      : folder_(std::move(folder)), allowed_folders_(allowed_folders) {}

  // Without recursion but for files within files.
  void expand(XmlElement& root) {
    std::vector<XmlElement*> pending{&root};
    while (!pending.empty()) {
      XmlElement& next = *pending.back();
      pending.pop_back();
      expand_children(next, pending);
    }
  }

 private:
  // What is included has been expanded; all else is put off.
  void expand_children(XmlElement& element, std::vector<XmlElement*>& pending) {
    std::vector<XmlElement> children;
    std::vector<std::size_t> own;
    children.reserve(element.children.size());
    for (XmlElement& child : element.children) {
      if (++elements_ > kMostElements) {
        throw ModelError("too-large", child.where(),
                         fmt::format("more than {} elements after includes", kMostElements));
      }
      if (child.name == "include") {
        std::vector<XmlElement> included = load(child);
        std::move(included.begin(), included.end(), std::back_inserter(children));
      } else {
        if (!child.children.empty()) own.push_back(children.size());
        children.push_back(std::move(child));
      }
    }
    element.children = std::move(children);
    for (auto i = own.rbegin(); i != own.rend(); ++i) pending.push_back(&element.children[*i]);
  }

  std::vector<XmlElement> load(const XmlElement& include) {
    const std::string file = resolve(include);
    if (!include.is_in_memory()) {
      require_nearby(file, folder_, allowed_folders_, include.where("file"), include.text("file", ""));
    }
    check_count(include);
    std::error_code ignored;  // a name that cannot be looked up is the name of no file
    const std::string canonical = fs::weakly_canonical(file, ignored).string();
    if (std::find(open_.begin(), open_.end(), canonical) != open_.end()) {
      throw ModelError("include-cycle", include.where("file"), "this file includes itself", include.text("file", ""),
                       "remove one of the includes of the cycle");
    }
    open_.push_back(canonical);
    XmlElement root = parse_xml(read_text_file(file, include.where("file")), file, kDeepestBody);
    expand(root);
    open_.pop_back();
    return std::move(root.children);
  }

  void check_count(const XmlElement& include) {
    if (open_.size() >= kDeepestInclude) {
      throw ModelError("include-too-deep", include.where("file"),
                       fmt::format("includes are nested deeper than {}", kDeepestInclude), include.text("file", ""));
    }
    if (++includes_ > kMostIncludes) {
      throw ModelError("too-many-includes", include.where("file"), "the model includes too many files",
                       include.text("file", ""));
    }
  }

  std::string resolve(const XmlElement& include) const {
    const fs::path name = with_slashes(include.required_text("file"));
    if (name.is_absolute()) return name.string();
    const fs::path beside_main = fs::path(folder_) / name;
    if (include.is_in_memory()) return beside_main.string();
    const fs::path beside_includer = fs::path(*include.file).parent_path() / name;
    std::error_code ignored;
    const bool is_beside_main = fs::exists(beside_main, ignored) || !fs::exists(beside_includer, ignored);
    return is_beside_main ? beside_main.string() : beside_includer.string();
  }

  std::string folder_;
  const std::vector<std::string>& allowed_folders_;
  int includes_ = 0;
  std::vector<std::string> open_;
  std::size_t elements_ = 0;
};

}  // namespace

void expand_includes(XmlElement& root, const std::string& folder, const std::vector<std::string>& allowed_folders) {
  Expander(folder, allowed_folders).expand(root);
}

}  // namespace stickslip::mjcf
