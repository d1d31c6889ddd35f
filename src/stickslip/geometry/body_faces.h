#pragma once

#include <vector>

#include "stickslip/geometry/support_faces.h"

namespace stickslip {

// A vertex or another single point of the body.
struct BodyPoint {
  Vector3d place;
  int id;
  double weight;   // by itself, of all faces and points together
  double missing;  // the same, of what completes faces that miss it
};

// What of the body looks at the surface.
struct BodyFaces {
  Vector3d normal = Vector3d::Zero();  // of the surface; zero: nothing is known
  double depth = 0;                    // along it
  SupportFaces faces;                  // those that are not points
  std::vector<BodyPoint> points;       // they do not vanish: each measures its weight's part of the whole
  double measure = 0;                  // of all, if nothing cuts them
};

// A hull has what it has on a half-space. The normal points out of the surface.
// The depth along it matters to discs, see support_faces.
void find_body_faces(const Placed& body, const Vector3d& normal, double depth, BodyFaces& out);

}  // namespace stickslip
