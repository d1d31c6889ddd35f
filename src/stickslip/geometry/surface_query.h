#pragma once

#include <algorithm>

#include "stickslip/geometry/surface_workspace.h"
#include "stickslip/geometry/terrain.h"
#include "stickslip/geometry/triangle_surface.h"

namespace stickslip {

// A body on a surface whose contacts are wanted.
struct SurfaceQuery {
  Placed body;  // in the surface's frame
  SurfaceView surface;
  double reach;
  double band;  // patches fade in over this length before they touch
  double scale;
  SurfaceWorkspace& work;

  // How near a triangle must be to count, as far as what it counts for beyond its edges goes.
  double room() const { return std::max(reach, band) + kFadeBody * scale; }
};

// Contacts with less than this part of the body's face are round-off.
constexpr double kNegligible = 1e-10;

template <class Visitor>
void visit_surface(const SurfaceQuery& query, double margin, Visitor&& visit) {
  const Aabb box = bounding_box(query.body).grown(margin);
  if (query.surface.mesh)
    visit_triangles(*query.surface.mesh, box, visit);
  else
    visit_triangles(*query.surface.terrain, box, visit);
}

}  // namespace stickslip
