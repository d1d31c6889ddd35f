#include "stickslip/geometry/surface_view.h"

#include "stickslip/geometry/terrain.h"
#include "stickslip/geometry/triangle_surface.h"

namespace stickslip {

SurfaceTriangle SurfaceView::triangle(int index) const {
  return mesh ? surface_triangle(*mesh, index) : surface_triangle(*terrain, index);
}

SurfaceTriangle SurfaceView::triangle_alone(int index) const {
  return mesh ? stickslip::triangle_alone(*mesh, index) : stickslip::triangle_alone(*terrain, index);
}

Vector3d SurfaceView::facet_normal(const SurfaceTriangle& t) const {
  if (t.facet == t.index) return t.normal;
  return mesh ? mesh->normals[t.facet] : terrain->triangle_normal(t.facet);
}

}  // namespace stickslip
