#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stickslip/scene/scene.h"
#include "stickslip/shapes/decomposition.h"

namespace stickslip {

enum class BaseType { kFixed, kFloating };

struct LoadOptions {
  BaseType base = BaseType::kFixed;       // of a URDF's root link
  std::vector<std::string> package_path;  // folders searched first for package://
  // Puts the convex parts of a mesh file into the cache; called where they are missing or damaged. False, or no
  // function: it cannot be done here, which is ModelError "needs-decomposition".
  std::function<bool(const std::string& mesh_file, const Decomposition& how)> decompose = nullptr;
  // Of URDF and SDF: what no matter can have or nothing can simulate is mended, with a warning: inertias with negative
  // moments or one above the sum of the others, what moves without any mass, and links of a URDF that overlap where it
  // starts, which then do not collide with each other. False: all is as written.
  bool repair = true;
  // The URDF that a xacro template describes. No function: it cannot be expanded here, which is ModelError "xacro".
  std::function<std::string(const std::string& file, const std::vector<std::string>& package_path)> expand_xacro =
      nullptr;
  // Mends inertias of MJCF and scene files, too, which are refused otherwise, as by MuJoCo.
  bool repair_all = false;
  // Of URDF and SDF: COLLADA meshes that say that x or y is up are turned, as the standard has it; see
  // docs/decisions/up_axis.md for why they are not otherwise.
  bool honour_up_axis = false;
};

// By extension: .yaml/.yml, .xml/.mjcf (MJCF; a <robot> root is URDF, an <sdf> root SDF), .urdf, .sdf/.world,
// .xacro. Throws ModelError.
Scene read_scene(const std::string& file, const LoadOptions& options = {});

enum class SceneFormat { kYaml, kMjcf, kUrdf, kSdf };
// Files named in the text are looked up relative to `folder`.
Scene read_scene_string(const std::string& text, SceneFormat format, const std::string& folder = ".",
                        const LoadOptions& options = {});

}  // namespace stickslip
