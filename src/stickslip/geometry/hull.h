#pragma once

#include <array>
#include <vector>

#include "stickslip/math/types.h"

namespace stickslip {

// A convex polytope ready for queries. Coplanar triangles are merged into polygons, so that a face can rest on a face.
// A mesh without volume is a hull too: a sheet has two faces back to back, a needle (an edge) and a point have none.
struct Hull {
  struct Face {
    Vector3d normal = Vector3d::Zero();    // outward, unit
    double offset = 0;                     // the largest normal . x of the hull; on the face up to kFlatness
    int first = 0, count = 0;              // its vertices in face_vertices, counter-clockwise seen from outside
    int inner_first = 0, inner_count = 0;  // those that are no corners, in inner_vertices
    bool is_flat = true;                   // to round-off: its vertices' heights are those of one plane
  };

  std::vector<Vector3d> vertices;  // every one is on the hull; no duplicates
  std::vector<Face> faces;
  std::vector<int> face_vertices;      // corners only: a vertex inside a face or on its straight edge is left out
  std::vector<int> inner_vertices;     // the ones left out, in any order
  std::vector<int> vertex_first;       // [v], [v + 1]: range in vertex_faces
  std::vector<int> vertex_faces;       // the faces around each vertex
  std::vector<int> neighbor_first;     // [v], [v + 1]: range in vertex_neighbors
  std::vector<int> vertex_neighbors;   // the other ends of the edges at each vertex
  std::vector<double> x, y, z;         // the vertices again, padded by repeating the last to a multiple of four
  Vector3d center = Vector3d::Zero();  // of the vertices' bounding box; inside the hull
  double radius = 0;                   // of the ball about `center` that holds it

  // The planes that bound it, exactly: one for a face that is flat to round-off, one for each triangle of a face that
  // is not. Inside is x * plane_x + y * plane_y + z * plane_z <= plane_offset; padded like the vertices.
  std::vector<double> plane_x, plane_y, plane_z, plane_offset;

  // Large hulls only: the triangulation's edges, to climb along, and where to start for directions in each cell of a
  // cube around the hull.
  std::vector<int> climb_first;  // [v], [v + 1]: range in climb_neighbors
  std::vector<int> climb_neighbors;
  std::vector<int> climb_start;
};

// No face has more vertices than this: a larger one stays in pieces.
constexpr int kMaxFaceVertices = 32;

// Triangles whose vertices are this close to one plane, as a share of the hull's size, are one face. Meshes are stored
// with 24 bits (6e-8) or six digits (1e-6): below that a step between two triangles is noise.
constexpr double kFlatness = 1e-6;

// Up to here, looking at every vertex is faster than climbing.
constexpr int kMaxScannedVertices = 48;

// Any points at all, but at least one: duplicates, flat, in line, all the same.
Hull make_hull(const std::vector<Vector3d>& points);

// The vertex farthest along `direction` (any length). Among equals the one with the lowest index; in a hull that is too
// large to look at every vertex, always the same one for the same direction.
int support_vertex(const Hull& hull, const Vector3d& direction);

}  // namespace stickslip
