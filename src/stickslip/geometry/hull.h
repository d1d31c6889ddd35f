#pragma once

#include <vector>

#include "stickslip/shapes/shape.h"

namespace stickslip {

// A convex polytope ready for queries. Coplanar triangles are merged into polygons, so that a face can rest on a face.
// A mesh without volume is a hull too: a sheet has two faces back to back, a needle (an edge) and a point have none.
struct Hull {
  struct Face {
    Vector3d normal = Vector3d::Zero();  // outward, unit
    double offset = 0;                   // normal . x = offset on the face
    int first = 0, count = 0;            // its vertices in face_vertices, counter-clockwise seen from outside
  };

  std::vector<Vector3d> vertices;  // every one is on the hull; no duplicates
  std::vector<Face> faces;
  std::vector<int> face_vertices;
  std::vector<int> vertex_first;       // [v], [v + 1]: range in vertex_faces and in vertex_neighbors' index
  std::vector<int> vertex_faces;       // the faces around each vertex
  std::vector<int> neighbor_first;     // [v], [v + 1]: range in vertex_neighbors
  std::vector<int> vertex_neighbors;   // the other ends of the edges at each vertex
  std::vector<double> x, y, z;         // the vertices again, padded by repeating the last to a multiple of four
  Vector3d center = Vector3d::Zero();  // of the vertices' bounding box; inside the hull
  double radius = 0;                   // of the ball about `center` that holds it
};

// No face has more vertices than this: a larger one stays in pieces.
constexpr int kMaxFaceVertices = 32;

Hull make_hull(const std::vector<Vector3d>& points);

// The vertex farthest along `direction` (any length), the one with the lowest index among equals.
int support_vertex(const Hull& hull, const Vector3d& direction);

}  // namespace stickslip
