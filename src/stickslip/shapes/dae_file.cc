#include "stickslip/shapes/dae_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "stickslip/base/error.h"
#include "stickslip/shapes/number_text.h"

namespace stickslip {
namespace {

constexpr std::size_t kLongestQuote = 40;

class IdCollector : public pugi::xml_tree_walker {
 public:
  explicit IdCollector(std::unordered_map<std::string_view, pugi::xml_node>& by_id) : by_id_(by_id) {}
  bool for_each(pugi::xml_node& node) override {
    if (const pugi::xml_attribute id = node.attribute("id")) by_id_.try_emplace(id.value(), node);
    return true;
  }

 private:
  std::unordered_map<std::string_view, pugi::xml_node>& by_id_;
};

}  // namespace

DaeFile::DaeFile(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {
  const pugi::xml_parse_result result =
      document_.load_buffer(bytes.data(), bytes.size(), pugi::parse_cdata | pugi::parse_escapes);
  if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
  if (!result) refuse(result.offset, fmt::format("not well-formed XML: {}", result.description()), {});
  if (std::string_view(root().name()) != "COLLADA") refuse(root(), "this is not a COLLADA file", root().name());
  IdCollector collector(by_id_);
  document_.traverse(collector);
}

pugi::xml_node DaeFile::find(std::string_view url, std::string_view element) const {
  if (url.empty() || url.front() != '#') return {};
  const auto found = by_id_.find(url.substr(1));
  if (found == by_id_.end() || found->second.name() != element) return {};
  return found->second;
}

std::vector<double> DaeFile::numbers(pugi::xml_node element, std::size_t count) const {
  const std::string_view text = element.text().get();
  const std::size_t most = text.size() / 2 + 1;  // a digit and a blank each
  std::vector<double> out;
  out.reserve(std::min<std::size_t>(most, std::max<std::size_t>(count, element.attribute("count").as_ullong())));
  NumberText words(text);
  while (!words.at_end()) {
    double number = 0;
    NumberText before = words;
    if (!words.take(number) || !std::isfinite(number)) {
      refuse(element, fmt::format("<{}> has a word that is not a finite number", element.name()), before.take_word());
    }
    out.push_back(number);
  }
  if (count != 0 && out.size() != count) {
    refuse(element, fmt::format("<{}> has {} numbers, not {}", element.name(), out.size(), count));
  }
  return out;
}

void DaeFile::refuse(pugi::xml_node where, const std::string& message, std::string_view text) const {
  refuse(where.offset_debug(), message, text);
}

void DaeFile::refuse(std::ptrdiff_t offset, const std::string& message, std::string_view text) const {
  const std::size_t end = std::min(bytes_.size(), static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)));
  const auto line = 1 + std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  throw ModelError("bad-mesh", {file_, static_cast<int>(line), 0}, message, std::string(text.substr(0, kLongestQuote)));
}

}  // namespace stickslip
