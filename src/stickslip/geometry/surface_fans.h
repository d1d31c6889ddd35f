#pragma once

#include <array>
#include <span>
#include <vector>

#include "stickslip/geometry/surface_view.h"

namespace stickslip {

// In which direction a vertex pushes a body: the same for all triangles of its fan.
struct PeakDirection {
  bool is_known = false;
  bool is_free = false;  // no limit of the fan stops it
  int across = -1;       // else: the limit that does; -1: it has none
  Vector3d body_place;   // what it is known for
  Vector3d normal;
};

// The triangles round a vertex of a surface, as one of them sees it.
struct SurfaceFan {
  Vector3d place;
  Vector3d outward;  // the sum of its triangles' normals, and of those of the rims where the surface ends
  // No normal n of the vertex has n . limit > 0: unit vectors along the edges, and into the back of a sheet.
  std::span<const Vector3d> limit;
  int edge_before, edge_after;  // those along the triangle's own edges
  PeakDirection* direction;     // of the query's body, kept for the next triangle
};

// The fans of one query: every triangle at a vertex asks for the same.
class SurfaceFans {
 public:
  void clear();

  // Of vertex k of a triangle; false if the triangles there are no fan, as where three meet at an edge. Valid until the
  // next call.
  bool find(const SurfaceView& surface, const SurfaceTriangle& t, int k, SurfaceFan& fan);

 private:
  struct Member {
    int triangle;
    int edge_before, edge_after;
  };
  struct Known {
    int vertex = -1;
    bool is_fan = false;
    int first_member = 0, members = 0, first_limit = 0, limits = 0;
    Vector3d outward = Vector3d::Zero();
    PeakDirection direction;
  };
  struct Walk {
    bool is_fan = false;
    bool came_back = false;
  };
  static constexpr int kKnown = 128;  // the last ones; a power of two

  Walk walk_round(const SurfaceView& surface, const SurfaceTriangle& from, bool ccw, Known& fan);
  bool walk_all_round(const SurfaceView& surface, const SurfaceTriangle& t, Known& fan);
  const Member* find_member(const Known& fan, int triangle) const;

  std::array<Known, kKnown> known_;
  std::vector<Member> members_;
  std::vector<Vector3d> limits_;
  std::vector<Vector3d> normals_;  // scratch: those of a fan's triangles and rims
};

}  // namespace stickslip
