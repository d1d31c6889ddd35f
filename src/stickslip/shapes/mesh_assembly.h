#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stickslip/shapes/shape.h"

namespace stickslip {

using Color = std::array<double, 4>;

// What a file describes once and may show many times, in its own coordinates.
struct MeshPiece {
  struct Group {  // triangles up to the next group's, of one material; at least one
    std::size_t first = 0;
    std::string material;
  };
  std::vector<Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::vector<Group> groups;
};

void drop_unused_vertices(MeshPiece& piece);

// A mesh put together from pieces that a tree of nodes places, as COLLADA and glTF files do. Small files can name nodes
// and pieces over and over: all that grows is bounded here. Throws ModelError "bad-mesh".
class MeshAssembly {
 public:
  static constexpr std::size_t kMostTriangles = 10'000'000;

  explicit MeshAssembly(const std::string& file);

  // To be called for each visit of a node; `depth` is how many are around it, `size` how much there is to look at.
  void enter_node(int depth, std::size_t size);

  // No vertex of the piece may be unused. `name`: of the node. `colors`: of its groups; none: the geometry's.
  void add(const MeshPiece& piece, const std::string& name, const Eigen::Affine3d& place,
           std::span<const std::optional<Color>> colors);

  Mesh finish() { return std::move(mesh_); }

 private:
  [[noreturn]] void refuse(const std::string& message) const;

  Mesh mesh_;
  std::size_t seen_ = 0;  // in nodes
};

// Gives `count` triangles from `first` on a colour; a part of that colour just before them grows.
void add_part(Mesh& mesh, std::size_t first, std::size_t count, const Color& color);

// The same for a name; none if it is empty.
void add_name(Mesh& mesh, std::size_t first, std::size_t count, const std::string& name);

}  // namespace stickslip
