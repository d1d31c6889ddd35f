#pragma once

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "stickslip/math/types.h"

namespace stickslip {

// Triangles in metres, scale already applied. Shared: many geometries may show one mesh.
struct Mesh {
  // Triangles with a colour of their own: red, green, blue and opacity, sRGB from 0 to 1 as everywhere.
  struct Part {
    int first = 0;  // triangle
    int count = 0;
    std::array<double, 4> color{};
  };
  // Triangles with a name: of the node that shows them (COLLADA, glTF), of the object or group (OBJ).
  struct Named {
    int first = 0;  // triangle
    int count = 0;
    std::string name;
  };

  std::string file;  // where it came from, as resolved; empty if made in memory
  std::vector<Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise seen from outside
  std::vector<Part> parts;  // in order and apart; triangles in none have the geometry's colour, and so have most meshes
  std::vector<Named> named;  // in order and apart; like `up` for readers of scenes, recordings are without
  int up = 2;  // the axis that the file says is up: x, y or z (2), also if it says nothing; vertices are as they are
};

// Heights on a regular grid over x (columns) and y (rows), in metres above the frame's xy plane.
struct HeightGrid {
  int rows = 0;
  int columns = 0;
  std::vector<double> heights;  // rows x columns, row-major, row 0 at -y
};

// Every shape is centred in its frame. Lengths are radii, full side lengths and full lengths, in metres.
struct HalfSpace {};  // z <= 0; infinite
struct Sphere {
  double radius = 0;
};
struct Box {
  Vector3d size = Vector3d::Zero();  // full side lengths
};
struct Capsule {
  double radius = 0;
  double length = 0;  // of the cylindrical part, along z
};
struct Cylinder {
  double radius = 0;
  double length = 0;  // along z
};
struct Ellipsoid {
  Vector3d radii = Vector3d::Zero();
};
struct ConvexMesh {  // the convex hull of the mesh collides
  std::shared_ptr<const Mesh> mesh;
};
struct TriangleMesh {  // the triangles themselves collide; static bodies only
  std::shared_ptr<const Mesh> mesh;
};
struct HeightField {
  std::shared_ptr<const HeightGrid> grid;
  Vector3d size = Vector3d::Zero();  // full extent in x and y; z: thickness of the base below height 0
};

using Shape = std::variant<HalfSpace, Sphere, Box, Capsule, Cylinder, Ellipsoid, ConvexMesh, TriangleMesh, HeightField>;

}  // namespace stickslip
