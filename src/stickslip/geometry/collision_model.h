#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stickslip/geometry/collider.h"
#include "stickslip/geometry/contact_set.h"
#include "stickslip/geometry/pair_set.h"
#include "stickslip/model/model.h"

namespace stickslip {

// One geometry that collides.
struct CollisionGeometry {
  int link = 0;
  int body = 0;
  // What never moves against it: its link, or, if static, a number that stands for all bodies fixed to each other
  // without the world in between. The base of a fixed robot is thus one piece, and the table beside it another.
  int piece = 0;
  std::uint32_t contype = 1, conaffinity = 1;
  bool is_static = false;        // link 0: part of the world
  bool is_mobile = false;        // a force on it moves something: false for the world, mocap and prescribed bodies
  bool in_pair = false;          // named in the model's contact pairs
  bool is_convex = true;         // its collider
  bool is_hull_of_mesh = false;  // a TriangleMesh that moves, taken as its convex hull
  int material = 0;              // index into CollisionModel::materials
  int robot = -1;                // index into CollisionModel::free_robots; -1: of none

  Pose X_LG;  // in its link
  Collider collider;
  Vector3d center = Vector3d::Zero();  // of the collider's box, link axes; its frame's origin for a half-space
  double radius = 0;                   // of a ball about `center` that holds it; infinite for a half-space
  Vector3d surface_velocity = Vector3d::Zero();  // of the surface relative to the link, link axes [m/s]

  double inverse_mass = 0;  // [1/kg], see weigh_geometries
  int family = 0;           // of the body

  int index_in_body = 0;  // index into BodyInfo::geometry
  std::string name;       // may be empty
};

// Two bodies of one robot that are deep in each other where it starts.
struct StartOverlap {
  int body_a = 0, body_b = 0;  // body_a < body_b
  double depth = 0;            // [m]
};

// A tree of several links that neither joints nor constraints hold to anything else.
struct FreeRobot {
  int tree = 0;
  std::vector<int> geometries;
};

// Everything of a Model that collides, ready for queries; const after construction.
struct CollisionModel {
  // A pair that the model lists: collides whatever the filters say.
  struct ListedPair {
    std::uint64_t key = 0;
    int material = -1;  // of the pair itself; -1: combined as for any pair
  };

  std::vector<CollisionGeometry> geometries;  // by body, within a body in the order of the file
  std::vector<Material> materials;            // the model's, and last the default one
  std::vector<Warning> warnings;

  // Whether contact between two geometries is wanted and can have an effect: they belong to different links, at least
  // one of which can be moved by a force; one of them is convex, since there are no queries for half-spaces, meshes and
  // height fields among themselves; and the model's filters let them, or it lists them.
  bool may_collide(int a, int b) const;
  bool is_wanted(int a, int b) const;  // the same without a look at their kinds
  bool is_listed(int a, int b) const;

  // The contact law's parameters; a is the side A of compliance_share_a.
  PairMaterial pair_material(int a, int b) const;

  // The material that the model lists for the pair itself; nullptr if there is none.
  const Material* own_material(int a, int b) const;

  // What the two look up.
  std::vector<ListedPair> listed_pairs;  // by key
  PairSet adjacent_pieces;               // joined by a joint
  PairSet excluded_bodies;
  std::vector<StartOverlap> start_overlaps;  // excluded, too
  std::vector<FreeRobot> free_robots;
  bool falls_alike = false;  // gravity is the same for all bodies, and no actuator acts on a free joint
  // Workspaces know by these whose content they hold.
  std::uint64_t filter_hash = 0;  // of all that may_collide depends on
  std::uint64_t serial = 0;       // a number of its own for every model made; 0: not known

 private:
  const ListedPair* find_listed(int a, int b) const;
};

// Throws ModelError for names that do not exist. One hull is built a mesh, however many geometries show it.
//
// Bodies joined by a joint other than a free one do not collide if model.filter_parent_child, where all that is welded
// to one of them counts as that body. The world is nobody's parent: what hangs on it by a joint collides with it. In
// MJCF files that holds for all static bodies, as in MuJoCo; elsewhere the fixed base of a robot is a parent like any
// other. Bodies of one robot that overlap at the start do not collide, with a warning.
CollisionModel make_collision_model(const Model& model);

// Fills inverse_mass of every geometry. Of models with MJCF materials, which need it, make_collision_model does so.
void weigh_geometries(const Model& model, CollisionModel& out);

}  // namespace stickslip
