#include "stickslip/shapes/gltf_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "stickslip/base/base64.h"
#include "stickslip/shapes/file_bytes.h"
#include "stickslip/shapes/mesh_assembly.h"
#include "stickslip/shapes/nearby.h"
#include "stickslip/shapes/texture_color.h"

namespace stickslip {
namespace {

constexpr std::size_t kLargestJson = std::size_t{256} << 20;  // bytes; parsed, it takes several times as much
constexpr std::size_t kLargestBuffers = std::size_t{1} << 30;
constexpr std::size_t kMostElements = 3 * MeshAssembly::kMostTriangles;  // of an accessor
constexpr double kLargestSize = 1e12;                                    // sums of a few such numbers fit 64 bits

enum Component { kInt8 = 5120, kUint8 = 5121, kInt16 = 5122, kUint16 = 5123, kUint32 = 5125, kFloat = 5126 };

std::size_t bytes_of(int component) {
  if (component == kInt8 || component == kUint8) return 1;
  if (component == kInt16 || component == kUint16) return 2;
  return component == kUint32 || component == kFloat ? 4 : 0;
}

// Normalised integers stand for -1 to 1, or 0 to 1.
double read_component(std::string_view bytes, std::size_t at, int component, bool normalized) {
  const auto share = [&](double value, double largest) { return normalized ? std::max(value / largest, -1.0) : value; };
  if (component == kInt8) return share(read_value<std::int8_t>(bytes, at), 127);
  if (component == kUint8) return share(read_value<std::uint8_t>(bytes, at), 255);
  if (component == kInt16) return share(read_value<std::int16_t>(bytes, at), 32767);
  if (component == kUint16) return share(read_value<std::uint16_t>(bytes, at), 65535);
  if (component == kUint32) return read_value<std::uint32_t>(bytes, at);
  return read_value<float>(bytes, at);
}

// Some writers leave out the padding.
std::optional<std::string> decode_base64(std::string_view text) {
  std::string padded(text);
  padded.resize((text.size() + 3) / 4 * 4, '=');
  return from_base64(padded);
}

}  // namespace

GltfFile::GltfFile(std::string_view bytes, std::string file) : file_(std::move(file)) {
  const std::string_view text = bytes.starts_with("glTF") ? split_container(bytes) : bytes;
  if (text.size() > kLargestJson) refuse(fmt::format("its JSON text is larger than {} bytes", kLargestJson));
  root_ = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root_.is_object()) refuse("this is not a glTF file: it is not a JSON object");
  check_version();
}

// 12 bytes of header, then chunks: length, type, content.
std::string_view GltfFile::split_container(std::string_view bytes) {
  constexpr std::size_t kHeader = 12, kChunkHeader = 8;
  constexpr std::uint32_t kJson = 0x4E4F534A, kBinary = 0x004E4942;  // "JSON", "BIN"
  std::string_view json;
  if (bytes.size() < kHeader) refuse("the container ends within its header");
  if (const auto version = read_value<std::uint32_t>(bytes, 4); version != 2) {
    refuse(fmt::format("glTF 2.0 was expected, not a container of version {}", version));
  }
  for (std::size_t at = kHeader; at + kChunkHeader <= bytes.size();) {
    const std::size_t length = read_value<std::uint32_t>(bytes, at);
    const std::uint32_t type = read_value<std::uint32_t>(bytes, at + 4);
    at += kChunkHeader;
    if (length > bytes.size() - at) {
      refuse(fmt::format("a chunk promises {} bytes, but {} are left in the file", length, bytes.size() - at));
    }
    if (type == kJson && json.empty()) json = bytes.substr(at, length);
    if (type == kBinary && binary_chunk_.empty()) binary_chunk_ = bytes.substr(at, length);
    at += length;
  }
  if (json.empty()) refuse("the container has no JSON chunk");
  return json;
}

void GltfFile::check_version() const {
  const std::string version = text(member(root_, "asset"), "version");
  if (!version.starts_with("2")) refuse(fmt::format("glTF 2.0 was expected, not version '{}'", version));
  for (const Json& extension : list(root_, "extensionsRequired")) {
    const std::string name = extension.is_string() ? extension.get<std::string>() : "";
    if (name == "KHR_draco_mesh_compression" || name == "EXT_meshopt_compression") {
      refuse(fmt::format("compressed meshes ({}) are not supported; save it without compression", name));
    }
  }
}

void GltfFile::refuse(const std::string& message) const { throw ModelError("bad-mesh", {file_}, message); }

const GltfFile::Json& GltfFile::member(const Json& object, const char* name) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(name);
  return found == object.end() ? kNull : *found;
}

const GltfFile::Json& GltfFile::list(const Json& object, const char* name) const {
  static const Json kEmpty = Json::array();
  const Json& found = member(object, name);
  if (found.is_null()) return kEmpty;
  if (!found.is_array()) refuse(fmt::format("'{}' is not a list", name));
  return found;
}

std::optional<std::size_t> GltfFile::index(const Json& object, const char* name) const {
  const Json& found = member(object, name);
  return found.is_null() ? std::nullopt : std::optional(whole_number(found, name));
}

std::size_t GltfFile::whole_number(const Json& value, const char* name) const {
  const double number = value.is_number() ? value.get<double>() : -1;
  if (!(number >= 0 && number < kLargestSize) || number != std::floor(number)) {
    refuse(fmt::format("'{}' is not a whole number", name));
  }
  return static_cast<std::size_t>(number);
}

std::size_t GltfFile::size(const Json& object, const char* name, std::size_t fallback) const {
  return index(object, name).value_or(fallback);
}

std::string GltfFile::text(const Json& object, const char* name) const {
  const Json& found = member(object, name);
  return found.is_string() ? found.get<std::string>() : "";
}

std::vector<double> GltfFile::numbers(const Json& object, const char* name, std::vector<double> fallback) const {
  const Json& found = member(object, name);
  if (found.is_null()) return fallback;
  if (!found.is_array() || found.size() != fallback.size()) {
    refuse(fmt::format("'{}' is not a list of {} numbers", name, fallback.size()));
  }
  for (std::size_t i = 0; i < fallback.size(); ++i) {
    if (!found[i].is_number()) refuse(fmt::format("an element of '{}' is not a number", name));
    fallback[i] = found[i].get<double>();
  }
  return fallback;
}

const GltfFile::Json& GltfFile::element(const char* name, std::size_t index) const {
  const Json& all = list(root_, name);
  if (index >= all.size()) refuse(fmt::format("there is no element {} in '{}', which has {}", index, name, all.size()));
  return all[index];
}

std::vector<Vector3d> GltfFile::positions(std::size_t accessor) {
  const Accessor a = find_accessor(accessor, "VEC3");
  const std::size_t width = bytes_of(a.component);
  std::vector<Vector3d> out;
  out.reserve(a.count);
  for (std::size_t i = 0; i < a.count; ++i) {
    Vector3d position;
    for (std::size_t k = 0; k < 3; ++k) {
      position[static_cast<Eigen::Index>(k)] =
          read_component(a.bytes, i * a.stride + k * width, a.component, a.normalized);
    }
    out.push_back(position);
  }
  return out;
}

std::vector<std::uint32_t> GltfFile::indices(std::size_t accessor) {
  const Accessor a = find_accessor(accessor, "SCALAR");
  if (a.component != kUint8 && a.component != kUint16 && a.component != kUint32) {
    refuse("indices are not whole numbers without sign");
  }
  std::vector<std::uint32_t> out;
  out.reserve(a.count);
  for (std::size_t i = 0; i < a.count; ++i) {
    out.push_back(static_cast<std::uint32_t>(read_component(a.bytes, i * a.stride, a.component, false)));
  }
  return out;
}

GltfFile::Accessor GltfFile::find_accessor(std::size_t number, const std::string& type) {
  const Json& json = element("accessors", number);
  const std::optional<std::size_t> view_index = index(json, "bufferView");
  if (text(json, "type") != type) refuse(fmt::format("accessor {} is not of type {}", number, type));
  if (!view_index || json.contains("sparse")) refuse(fmt::format("accessor {} is sparse or has no data", number));
  Accessor out;
  out.component = static_cast<int>(size(json, "componentType", 0));
  out.count = size(json, "count", 0);
  out.normalized = member(json, "normalized") == true;
  const std::size_t width = bytes_of(out.component) * (type == "VEC3" ? 3 : 1);
  if (width == 0) refuse(fmt::format("accessor {} has numbers of an unknown type", number));
  out.stride = size(element("bufferViews", *view_index), "byteStride", width);
  const std::size_t offset = size(json, "byteOffset", 0);
  const std::string_view bytes = view(*view_index);
  if (out.count > kMostElements) refuse(fmt::format("accessor {} has more than {} elements", number, kMostElements));
  if (out.stride < width || out.stride > bytes.size() || offset > bytes.size() ||
      (out.count > 0 && (out.count - 1) * out.stride + width > bytes.size() - offset)) {
    refuse(fmt::format("accessor {} reaches beyond its buffer", number));
  }
  out.bytes = bytes.substr(offset);
  return out;
}

std::string_view GltfFile::view(std::size_t number) {
  const Json& json = element("bufferViews", number);
  const std::string_view bytes = buffer(size(json, "buffer", kMostElements));
  const std::size_t offset = size(json, "byteOffset", 0), length = size(json, "byteLength", 0);
  if (offset > bytes.size() || length > bytes.size() - offset) {
    refuse(fmt::format("buffer view {} reaches beyond its buffer of {} bytes", number, bytes.size()));
  }
  return bytes.substr(offset, length);
}

std::string_view GltfFile::buffer(std::size_t number) {
  const Json& json = element("buffers", number);
  const Json& uri = member(json, "uri");
  if (!uri.is_string()) {
    if (number != 0 || binary_chunk_.empty()) refuse(fmt::format("buffer {} has no data", number));
    return binary_chunk_;
  }
  const auto [entry, is_new] = loaded_.try_emplace(uri.get_ref<const std::string&>());
  if (is_new) {
    std::optional<std::string> within = embedded(entry->first);
    entry->second = within ? std::move(*within) : read_beside(entry->first);
    loaded_bytes_ += entry->second.size();
    if (loaded_bytes_ > kLargestBuffers) refuse(fmt::format("its buffers are larger than {} bytes", kLargestBuffers));
  }
  return entry->second;
}

std::string GltfFile::read_beside(const std::string& uri) const {
  const std::string file = resolve_beside(uri, file_);
  require_nearby(file, std::filesystem::path(file_).parent_path().string(), {}, {file_}, uri);
  return read_file_bytes(file, {file_}, kLargestBuffers);
}

std::optional<std::string> GltfFile::embedded(std::string_view uri) const {
  constexpr std::string_view kBase64 = ";base64,";
  if (!uri.starts_with("data:")) return {};
  const std::size_t at = uri.find(kBase64);
  std::optional<std::string> out;
  if (at != std::string_view::npos) out = decode_base64(uri.substr(at + kBase64.size()));
  if (!out) refuse("a data URI is not in base64");
  return out;
}

}  // namespace stickslip
