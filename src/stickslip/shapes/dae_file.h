#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stickslip {

// A COLLADA document, its elements by their ids.
class DaeFile {
 public:
  // `bytes` must outlive it. Throws ModelError "bad-mesh", as all of it does.
  DaeFile(std::string_view bytes, std::string file);

  const std::string& file() const { return file_; }
  pugi::xml_node root() const { return document_.document_element(); }

  // The element that "#id" means; null unless there is one of that name.
  pugi::xml_node find(std::string_view url, std::string_view element) const;

  // All numbers in the text of an element, of which there must be `count` unless that is 0.
  std::vector<double> numbers(pugi::xml_node element, std::size_t count = 0) const;

  [[noreturn]] void refuse(pugi::xml_node where, const std::string& message, std::string_view text = {}) const;

 private:
  [[noreturn]] void refuse(std::ptrdiff_t offset, const std::string& message, std::string_view text) const;

  std::string_view bytes_;
  std::string file_;
  pugi::xml_document document_;
  std::unordered_map<std::string_view, pugi::xml_node> by_id_;
};

}  // namespace stickslip
