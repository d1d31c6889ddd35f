#include "stickslip/scene/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "stickslip/base/names.h"
#include "stickslip/base/out_of_memory.h"
#include "stickslip/scene/mjcf.h"
#include "stickslip/scene/sdf.h"
#include "stickslip/scene/urdf.h"
#include "stickslip/scene/xml.h"
#include "stickslip/scene/yaml.h"
#include "stickslip/shapes/file_bytes.h"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestFile = 256u << 20;  // bytes

void check_exists(const std::string& file) {
  std::error_code ignored;
  const fs::path path(file);
  if (const std::string kind = kind_of_no_file(file); !kind.empty()) {
    const bool folder = kind == "a folder";
    throw ModelError(folder ? "no-such-file" : "not-a-file", {file, 0, 0}, fmt::format("'{}' is {}", file, kind), file,
                     folder ? "name a file in it" : "write what comes out of it to a file first, and name that");
  }
  if (fs::exists(path, ignored)) return;
  std::vector<std::string> neighbours;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    neighbours.push_back(entry.path().filename().string());
  }
  std::sort(neighbours.begin(), neighbours.end());
  const std::string closest = closest_name(path.filename().string(), neighbours);
  throw ModelError("no-such-file", {file, 0, 0}, fmt::format("there is no file '{}'", file), file,
                   closest.empty() ? "check the path" : fmt::format("did you mean '{}'?", (folder / closest).string()));
}

// The name of the first element, without parsing the rest: behind declarations <?...?>, comments and a doctype.
std::string root_element(const std::string& text) {
  size_t at = text.find('<');
  while (at != std::string::npos && at + 1 < text.size()) {
    const bool comment = text.compare(at, 4, "<!--") == 0;
    if (!comment && text[at + 1] != '?' && text[at + 1] != '!') {
      const size_t end = text.find_first_of(" \t\r\n/>", at + 1);
      return text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    }
    const size_t end = text.find(comment ? "-->" : ">", at + 1);
    at = end == std::string::npos ? end : text.find('<', end);
  }
  return "";
}

Scene read_xacro(const std::string& file, const LoadOptions& options) {
  if (!options.expand_xacro) {
    throw ModelError("xacro", {file, 0, 0}, "this is a xacro template, not yet a URDF", file,
                     "run 'xacro robot.urdf.xacro > robot.urdf' and load its output");
  }
  const std::string text = options.expand_xacro(file, options.package_path);
  const std::string folder = std::filesystem::path(file).parent_path().string();
  const bool sdf = root_element(text) == "sdf";
  Scene scene =
      read_scene_string(text, sdf ? SceneFormat::kSdf : SceneFormat::kUrdf, folder.empty() ? "." : folder, options);
  scene.file = file;
  return scene;
}

Scene read_any(const std::string& file, const LoadOptions& options) {
  check_exists(file);
  const std::string extension = lower_extension(file);
  if (extension == ".yaml" || extension == ".yml") return read_yaml(file, options);
  if (extension == ".urdf") return read_urdf(file, options);
  if (extension == ".sdf" || extension == ".world") return read_sdf(file, options);
  if (extension == ".xml" || extension == ".mjcf") {
    const std::string root = root_element(read_text_file(file, {file, 0, 0}, kLargestFile));
    if (root == "robot") return read_urdf(file, options);
    return root == "sdf" ? read_sdf(file, options) : read_mjcf(file, options);
  }
  if (extension == ".xacro") return read_xacro(file, options);
  throw ModelError("unknown-format", {file, 0, 0}, fmt::format("'{}' is not a scene format", extension), extension,
                   "name it .yaml, .urdf, .sdf or .xml (MJCF)");
}

Scene read_any_string(const std::string& text, SceneFormat format, const std::string& folder,
                      const LoadOptions& options) {
  switch (format) {
    case SceneFormat::kYaml:
      return read_yaml_string(text, folder, options);
    case SceneFormat::kUrdf:
      return read_urdf_string(text, folder, options);
    case SceneFormat::kSdf:
      return read_sdf_string(text, folder, options);
    case SceneFormat::kMjcf:
      return read_mjcf_string(text, folder, options);
  }
  throw ModelError("unknown-format", {}, "this is not a scene format");
}

}  // namespace

Scene read_scene(const std::string& file, const LoadOptions& options) {
  try {
    return within_memory({file, 0, 0}, [&] { return read_any(file, options); });
  } catch (const fs::filesystem_error& error) {  // such as a working folder that was removed
    throw ModelError("no-such-file", {file, 0, 0}, error.code().message(), error.path1().string(),
                     "check the path and its permissions");
  }
}

Scene read_scene_string(const std::string& text, SceneFormat format, const std::string& folder,
                        const LoadOptions& options) {
  return within_memory({}, [&] { return read_any_string(text, format, folder, options); });
}

}  // namespace stickslip
