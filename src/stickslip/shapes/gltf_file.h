#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/math/types.h"

namespace stickslip {

// A glTF 2.0 file, text or binary, and the numbers in its buffers. Throws ModelError "bad-mesh" for whatever does not
// fit: no member has to be there, or to be of the right type.
class GltfFile {
 public:
  using Json = nlohmann::json;

  // `bytes` must outlive it.
  GltfFile(std::string_view bytes, std::string file);

  const std::string& file() const { return file_; }
  const Json& root() const { return root_; }

  // A member; null, an empty list or the fallback if it is missing.
  static const Json& member(const Json& object, const char* name);
  const Json& list(const Json& object, const char* name) const;
  std::optional<std::size_t> index(const Json& object, const char* name) const;
  std::size_t whole_number(const Json& value, const char* name) const;
  std::size_t size(const Json& object, const char* name, std::size_t fallback) const;
  std::string text(const Json& object, const char* name) const;
  // As many numbers as there are fallbacks.
  std::vector<double> numbers(const Json& object, const char* name, std::vector<double> fallback) const;

  // An element of one of the file's lists, such as "nodes".
  const Json& element(const char* name, std::size_t index) const;

  std::vector<Vector3d> positions(std::size_t accessor);
  std::vector<std::uint32_t> indices(std::size_t accessor);
  std::string_view view(std::size_t buffer_view);  // its bytes
  // What a "data:" URI holds; nothing if it is another one.
  std::string read_beside(const std::string& uri) const;
  std::optional<std::string> embedded(std::string_view uri) const;

  [[noreturn]] void refuse(const std::string& message) const;

 private:
  struct Accessor {
    std::string_view bytes;  // from the first number on
    std::size_t count = 0, stride = 0;
    int component = 0;  // type of the numbers, as glTF counts them
    bool normalized = false;
  };

  std::string_view split_container(std::string_view bytes);  // the JSON chunk
  void check_version() const;
  Accessor find_accessor(std::size_t index, const std::string& type);
  std::string_view buffer(std::size_t index);

  std::string file_;
  std::string_view binary_chunk_;
  Json root_;
  std::map<std::string, std::string> loaded_;  // buffers by URI
  std::size_t loaded_bytes_ = 0;
};

}  // namespace stickslip
