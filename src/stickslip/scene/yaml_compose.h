#pragma once

#include <string>

#include "stickslip/scene/scene.h"

// What an include does to the scene it brings in.
namespace stickslip {

// Puts `prefix` before every name and every use of a name; the world keeps its own.
void add_prefix(const std::string& prefix, Scene& scene);

// Moves everything that stands in the world by X_WS, as if the scene's world were a frame S of ours.
void place(const Pose& X_WS, Scene& scene);

// Adds everything of `part` but its gravity, simulation options and keyframes, which belong to the whole.
void append(Scene&& part, Scene& scene);

}  // namespace stickslip
