#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "stickslip/scene/reader.h"
#include "stickslip/scene/xml.h"

namespace stickslip {

// What reading one URDF file remembers: where to look for files, colours by name, meshes already read, what was warned.
struct UrdfContext {
  std::filesystem::path folder;
  LoadOptions options;
  std::map<std::string, std::array<double, 4>> colors;
  std::map<std::string, std::shared_ptr<const Mesh>> meshes;  // by file and scale
  std::map<std::string, int> ignored;                         // how often each kind of element was left out
  std::vector<Warning> warnings;

  void warn(const std::string& code, const Location& where, const std::string& message);
  // Warns once of each kind.
  void ignore(const XmlElement& parent, const XmlElement& element, const std::vector<std::string>& understood);
};

struct UrdfLink {
  Body body;
  bool has_inertial = false;
};

UrdfLink read_link(const XmlElement& element, UrdfContext& context);

// A <material> with a colour; remembered by its name if it has one.
std::optional<std::array<double, 4>> read_color(const XmlElement& material, UrdfContext& context);

// The <origin> child of an element: fixed-axis roll, pitch, yaw. Identity if there is none.
Pose read_origin(const XmlElement& element);

}  // namespace stickslip
