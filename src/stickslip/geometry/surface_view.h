#pragma once

#include "stickslip/geometry/surface_triangle.h"

namespace stickslip {

struct TriangleSurface;  // triangle_surface.h
struct Terrain;          // terrain.h

// A mesh or a terrain, in its own frame.
struct SurfaceView {
  const TriangleSurface* mesh = nullptr;
  const Terrain* terrain = nullptr;

  SurfaceTriangle triangle(int index) const;
  SurfaceTriangle triangle_alone(int index) const;  // without what its neighbours' normals tell
  Vector3d facet_normal(const SurfaceTriangle& triangle) const;
};

}  // namespace stickslip
