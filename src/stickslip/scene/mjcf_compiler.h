#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stickslip/math/pose.h"
#include "stickslip/scene/mjcf_defaults.h"
#include "stickslip/scene/xml.h"

namespace stickslip::mjcf {

enum class InertiaFromGeom { kFalse, kTrue, kAuto };

// The <compiler> elements of a model: how its numbers and names are to be read.
struct Compiler {
  bool degrees = true;
  bool global = false;  // positions and orientations are the world's, in the start configuration
  std::string euler_sequence = "xyz";
  bool autolimits = true;
  std::string mesh_folder;
  bool strip_path = false;
  bool fit_bounding_box = false;
  InertiaFromGeom inertia_from_geom = InertiaFromGeom::kAuto;
  int first_inertia_group = 0, last_inertia_group = 5;
  bool balance_inertia = false;
  double bound_mass = 0;
  double bound_inertia = 0;
  double total_mass = -1;                    // positive: all masses are scaled to this sum
  std::string main_file, folder;             // and where it is
  std::vector<std::string> allowed_folders;  // by the user, besides it

  double radians(double angle) const;
  // Where the file of a mesh or height field is: in the mesh folder of the main file, or else beside the included file
  // that names it. ModelError "outside-folder" if the model may not name it.
  std::string asset_path(const XmlElement& asset) const;
};

Compiler read_compiler(const XmlElement& root, const std::string& folder,
                       const std::vector<std::string>& allowed_folders);

// pos with one of quat, axisangle, euler, xyaxes, zaxis; identity where absent.
Pose read_pose(const MjcfElement& element, const Compiler& compiler);
Matrix3d read_rotation(const MjcfElement& element, const Compiler& compiler);
// The smallest rotation that turns z into the direction given.
Matrix3d rotation_to_z(const Vector3d& direction);
// Three angles in the order the compiler says.
Matrix3d rotation_from_euler(const Vector3d& angles, const Compiler& compiler);

}  // namespace stickslip::mjcf
