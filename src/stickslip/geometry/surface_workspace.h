#pragma once

#include <limits>
#include <vector>

#include "stickslip/geometry/manifold.h"
#include "stickslip/geometry/surface_overlap.h"

namespace stickslip {

// One facet of the surface, or one edge or peak of it, in touch with the body.
struct SurfacePatch {
  int facet = -1;                                         // -1: an edge or a peak
  int sheet = -1;                                         // the patch of the facet whose triangle pushes
  double away = std::numeric_limits<double>::infinity();  // the facet's distance from the body, where it is in doubt
  Vector3d normal = Vector3d::UnitZ();                    // out of the surface
  double measure = 0;                                     // of the overlap, as a part of what the body's face measures
  double presence = 0;                                    // the same without what is too far away to count
  double weight = 0;                                      // share of the pair's stiffness
  int first = 0, count = 0;                               // its points
};

struct SurfacePoint {
  ManifoldPoint contact;  // in the surface's frame
  double measure = 0;
};

// Contents mean nothing between calls; the memory is kept.
struct SurfaceWorkspace {
  std::vector<SurfacePatch> patches;
  std::vector<OverlapPart> parts;
  std::vector<SurfacePoint> points;
  std::vector<ManifoldPoint> gathered;
  std::vector<int> slots;  // facet to patch, a hash table: see surface_patches.h
  SurfaceFans fans;
  BodyFaces faces;
  PushDirections directions;  // of one triangle
};

}  // namespace stickslip
