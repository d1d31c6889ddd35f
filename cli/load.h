#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "python_tool.h"
#include "stickslip/base/error.h"
#include "stickslip/base/names.h"
#include "stickslip/stickslip.h"

namespace stickslip::cli {

// What every command that reads a scene shares: the file and how to read it.
struct SceneArguments {
  std::string scene;
  bool floating = false;
  std::vector<std::string> package_path;
  bool repair_all = false, honour_up_axis = false;  // see LoadOptions

  void add_to(CLI::App& command, const char* name = "SCENE") {
    command.add_option(name, scene, "scene (.yaml), MJCF model (.xml), robot (.urdf, .xacro) or SDF world (.sdf)")
        ->required();
    command.add_flag("--floating", floating, "let a URDF's root link float instead of fixing it to the world");
    command.add_option("--package-path", package_path, "folders searched for package:// addresses");
    command.add_flag("--honour-up-axis", honour_up_axis,
                     "turn COLLADA meshes of a URDF or SDF that say that x or y is up, as few programs do");
  }

  // By its name, by what stands in it, or since a run that was to become it was killed.
  bool is_recording() const {
    const std::string extension = lower_extension(scene);
    return extension == ".h5" || extension == ".hdf5" || extension == ".journal" || is_recording_inside(scene) ||
           recording_behind(scene) != scene;
  }
  Scene read() const {
    if (is_recording_inside(scene))
      throw ModelError("not-text", {scene, 0, 0}, "this is a recording, not a scene", "",
                       fmt::format("to play it: stickslip view {}; to have its scene: stickslip convert {} scene.yaml",
                                   scene, scene));
    if (std::string why = why_not_read_back(scene); !why.empty()) throw RecordingError(scene, why);
    LoadOptions options{floating ? BaseType::kFloating : BaseType::kFixed, package_path};
    options.expand_xacro = expand_xacro;
    options.repair_all = repair_all;
    options.honour_up_axis = honour_up_axis;
    return read_scene(scene, options);
  }
  Model load() const { return compile(read()); }
};

}  // namespace stickslip::cli
