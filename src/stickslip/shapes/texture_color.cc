#include "stickslip/shapes/texture_color.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "stickslip/shapes/file_bytes.h"
#include "stickslip/shapes/nearby.h"
#include "stickslip/shapes/png_file.h"

namespace stickslip {
namespace {

constexpr std::size_t kLargestPicture = std::size_t{64} << 20;  // bytes
constexpr std::string_view kPngBegins = "\x89PNG";

// "a%20b" to "a b".
std::string without_escapes(std::string_view uri) {
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned code = 0;
    if (uri[i] == '%' && i + 2 < uri.size() &&
        std::from_chars(uri.data() + i + 1, uri.data() + i + 3, code, 16).ptr == uri.data() + i + 3) {
      out += static_cast<char>(code);
      i += 2;
    } else {
      out += uri[i];
    }
  }
  return out;
}

}  // namespace

std::optional<std::array<double, 3>> texture_color(std::string_view bytes) {
  if (!bytes.starts_with(kPngBegins)) return {};
  try {
    return mean_color_of_png(bytes, "");
  } catch (const ModelError&) {
    return {};
  }
}

std::string resolve_beside(std::string_view uri, const std::string& beside) {
  constexpr std::string_view kFile = "file://";
  if (uri.starts_with(kFile)) uri.remove_prefix(kFile.size());
  std::string path = without_escapes(uri);
  std::replace(path.begin(), path.end(), '\\', '/');
  return (std::filesystem::path(beside).parent_path() / path).lexically_normal().string();
}

std::optional<std::array<double, 3>> TextureColors::color_of(const std::string& uri) {
  const std::string file = resolve_beside(uri, beside_);
  const auto [entry, is_new] = known_.try_emplace(file);
  if (is_new) {
    try {
      const std::string folder = std::filesystem::path(beside_).parent_path().string();
      if (is_nearby(file, folder)) entry->second = texture_color(read_file_bytes(file, {}, kLargestPicture));
    } catch (const ModelError&) {
      // no such file: nothing is known of it
    }
  }
  return entry->second;
}

}  // namespace stickslip
