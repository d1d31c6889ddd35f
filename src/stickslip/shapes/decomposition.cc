#include "stickslip/shapes/decomposition.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "stickslip/base/hash.h"
#include "stickslip/shapes/file_bytes.h"
#include "stickslip/shapes/mesh_file.h"

namespace stickslip {
namespace {

constexpr std::uint64_t kFormat = 1;  // to be raised if the file or the way parts are found changes
constexpr std::size_t kLeastVertices = 4;
constexpr std::size_t kLargestMeshFile = std::size_t{1} << 30;

[[noreturn]] void refuse(const std::string& file, const std::string& message) {
  throw ModelError("bad-parts", {file}, "convex parts of a mesh: " + message, "", "remove the file and make it again");
}

void check_parts(const std::string& file, const std::vector<Mesh>& parts) {
  if (parts.empty()) refuse(file, "there are none");
  for (const Mesh& part : parts) {
    if (part.vertices.size() < kLeastVertices) refuse(file, "one has fewer than 4 vertices");
    for (const Vector3d& vertex : part.vertices) {
      if (!vertex.allFinite()) refuse(file, "a coordinate is not finite");
    }
    for (const std::array<int, 3>& triangle : part.triangles) {
      for (int corner : triangle) {
        const bool exists = corner >= 0 && corner < static_cast<int>(part.vertices.size());
        if (!exists) refuse(file, "a face has a corner that its part does not have");
      }
    }
  }
}

// The first line counts what follows, which tells a file that was cut short.
std::string header(const std::vector<Mesh>& parts) {
  std::size_t vertices = 0, triangles = 0;
  for (const Mesh& part : parts) vertices += part.vertices.size(), triangles += part.triangles.size();
  return fmt::format("# stickslip convex parts, format {}: {} parts, {} vertices, {} triangles\n", kFormat,
                     parts.size(), vertices, triangles);
}

// How many vertices stand in each object.
std::vector<std::size_t> count_vertices(std::string_view text, const std::string& file) {
  std::vector<std::size_t> counts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.starts_with("o ")) counts.push_back(0);
    if (line.starts_with("v ")) {
      if (counts.empty()) refuse(file, "a vertex stands before the first object");
      ++counts.back();
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return counts;
}

std::vector<Mesh> split(const Mesh& all, const std::vector<std::size_t>& counts) {
  std::vector<Mesh> parts;
  std::vector<std::array<int, 2>> place(all.vertices.size());  // of each vertex: part, index in it
  std::size_t vertex = 0;
  for (std::size_t count : counts) {
    const int part = static_cast<int>(parts.size());
    parts.emplace_back().file = all.file;
    for (std::size_t i = 0; i < count && vertex < all.vertices.size(); ++i, ++vertex) {
      parts.back().vertices.push_back(all.vertices[vertex]);
      place[vertex] = {part, static_cast<int>(i)};
    }
  }
  if (vertex != all.vertices.size()) refuse(all.file, "a vertex belongs to no object");
  for (const auto& [a, b, c] : all.triangles) {
    const int part = place[a][0];
    if (place[b][0] != part || place[c][0] != part) refuse(all.file, "a face has corners in two parts");
    parts[part].triangles.push_back({place[a][1], place[b][1], place[c][1]});
  }
  return parts;
}

}  // namespace

std::string cache_folder() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  if (const std::string own = variable("STICKSLIP_CACHE"); !own.empty()) return own;
  if (const std::string user = variable("XDG_CACHE_HOME"); !user.empty()) return user + "/stickslip";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.cache/stickslip";
  return ".cache/stickslip";
}

std::string parts_file(const std::string& mesh_file, const Decomposition& how, const Location& from) {
  Hash hash;
  hash.add(kFormat);
  hash.add(std::string_view(read_file_bytes(mesh_file, from, kLargestMeshFile)));
  hash.add(how.threshold);
  hash.add(static_cast<std::uint64_t>(how.max_hulls));
  return (std::filesystem::path(cache_folder()) / fmt::format("parts_{:016x}.obj", hash.value())).string();
}

std::vector<Mesh> read_parts(const std::string& file) {
  const std::string text = read_file_bytes(file, {file}, kLargestMeshFile);
  Mesh all;
  try {
    all = parse_obj(text, file);
  } catch (const ModelError& error) {
    refuse(file, error.message());
  }
  std::vector<Mesh> parts = split(all, count_vertices(text, file));
  check_parts(file, parts);
  if (!text.ends_with('\n')) refuse(file, "the last line has no end");
  if (!text.starts_with(header(parts))) refuse(file, "they are not as many as the first line says");
  return parts;
}

void write_parts(const std::string& file, const std::vector<Mesh>& parts) {
  check_parts(file, parts);
  const std::filesystem::path path(file);
  std::error_code problem;
  std::filesystem::create_directories(path.parent_path(), problem);  // a failure shows when the file is opened
  const std::string unfinished =
      fmt::format("{}.{}.{}", file, getpid(), std::hash<std::thread::id>()(std::this_thread::get_id()));
  {
    std::ofstream stream(unfinished, std::ios::binary);
    stream << header(parts);
    int first = 1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      stream << "o part_" << i << "\n";
      for (const Vector3d& v : parts[i].vertices) stream << fmt::format("v {} {} {}\n", v.x(), v.y(), v.z());
      for (const auto& [a, b, c] : parts[i].triangles) {
        stream << fmt::format("f {} {} {}\n", first + a, first + b, first + c);
      }
      first += static_cast<int>(parts[i].vertices.size());
    }
    stream.flush();
    if (!stream) problem = std::make_error_code(std::errc::io_error);
  }
  if (!problem) std::filesystem::rename(unfinished, path, problem);
  if (!problem) return;
  std::error_code ignored;
  std::filesystem::remove(unfinished, ignored);
  throw ModelError("unwritable-cache", {file}, "cannot write this file", "",
                   "set STICKSLIP_CACHE to a folder that can be written");
}

}  // namespace stickslip
