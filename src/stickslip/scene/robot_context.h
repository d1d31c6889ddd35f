#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "stickslip/scene/reader.h"
#include "stickslip/scene/xml.h"

namespace stickslip {

// What reading a robot's file remembers, be it URDF or SDF: where to look for files, meshes already read, what was
// warned.
struct RobotContext {
  explicit RobotContext(std::string format_name) : format(std::move(format_name)) {}

  std::string format;  // for messages
  std::filesystem::path folder;
  LoadOptions options;
  std::map<std::string, std::shared_ptr<const Mesh>> meshes;  // by file and scale
  std::map<std::string, int> ignored;                         // how often each kind of element was left out
  std::vector<Warning> warnings;
  bool has_warned_of_up_axis = false;

  void warn(const std::string& code, const Location& where, const std::string& message);
  // Warns once of each kind.
  void ignore(const XmlElement& parent, const XmlElement& element, const std::vector<std::string>& understood);
  void ignore_all_but(const XmlElement& element, const std::vector<std::string>& understood);
};

// A mesh that a link's geometry names.
struct MeshReference {
  std::string uri;
  Location where;
  Vector3d scale = Vector3d::Ones();
  std::string owner;             // for messages: "link 'arm'"
  std::filesystem::path folder;  // of the file that names it
  bool collides = true;          // otherwise it is only seen
  std::string part;              // of the file, by name; empty: all of it
  bool is_centered = false;      // moved to the middle of its box
};

// Nothing, with a warning, if it is missing or cannot be read: the robot still loads.
std::shared_ptr<const Mesh> find_mesh(const MeshReference& reference, RobotContext& context);

// Its vertices multiplied by `scale`; mirrored meshes keep their outside outside.
Mesh scaled(Mesh mesh, const Vector3d& scale);
std::shared_ptr<const Mesh> read_scaled_mesh(const std::string& file, const Vector3d& scale, const Location& from);

}  // namespace stickslip
